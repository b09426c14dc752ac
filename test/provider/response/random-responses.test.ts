import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../src/lib/secret.ts';
import type { Transport } from '../../../src/provider/http/transport.ts';
import { createInsightOperations } from '../../../src/provider/insight.ts';
import { createMessageOperations } from '../../../src/provider/messages.ts';
import { createPhonebookOperations } from '../../../src/provider/phonebooks.ts';
import { createRequestSender } from '../../../src/provider/request/request-sender.ts';
import { createSenderIdOperations } from '../../../src/provider/sender-ids.ts';
import { createTokenOperations } from '../../../src/provider/tokens.ts';
import { body, status } from '../../support/http/arbitrary-response.ts';
import { testKey } from '../../support/provider/provider-client.ts';
import { rounds, sampled } from '../../support/sizes.ts';

/** The client's operations over a transport with one given response, fast enough for thousands of runs. */
function clientWithResponse(status: number, body: Buffer, headers: Record<string, string> = {}) {
  const transport: Transport = {
    send: async () => ({ phase: 'responding', head: { status, headers }, body }),
    close: async () => {},
  };
  const call = createRequestSender(transport, new Secret(testKey));
  const dialect = { chatChannel: 'chatapp', chatOtpChannel: 'chatapp_otp', contactDeleteBy: 'path' };
  const messages = createMessageOperations(call, dialect);
  const tokens = createTokenOperations(call, dialect);
  const insight = createInsightOperations(call);
  const senderIds = createSenderIdOperations(call);
  const phonebooks = createPhonebookOperations(call, dialect);
  return {
    send: () => messages.send({ to: number, from: 'Acme', route: 'generic', text: 'Hello' }),
    check: () => insight.checkDnd({ phoneNumber: number }),
    list: () => senderIds.list(),
    reads: [
      () => insight.query({ phoneNumber: number, countryCode: 'NG' }),
      () => phonebooks.contacts({ phonebookId: 'p' }),
    ],
    /** Each with the marker of success that the response must contain. */
    writes: [
      [() => messages.sendBulk({ to: [number], from: 'Acme', route: 'dnd', text: 'Hello' }), /"code":"ok"/i],
      [() => messages.sendChatOtp({ to: number, from: 'Acme', code: '1234' }), /"message_id/],
      [
        () => tokens.send({ ...pin, to: number, from: 'Acme', route: 'dnd', pinPlaceholder: '#', text: '#' }),
        /200/,
      ],
      [() => tokens.generate({ ...pin, phoneNumber: number }), /"otp"/],
      [() => tokens.call({ phoneNumber: number, code: '1234' }), /"code":"ok"/i],
      [() => tokens.email({ emailAddress: 'a@b', code: '1', emailConfigurationId: 'e' }), /"code":"ok"/i],
      [() => senderIds.request({ senderId: 'Acme', useCase: 'Hello', company: 'Acme' }), /"code":"ok"/i],
      [
        () => phonebooks.addContact({ phonebookId: 'p', phoneNumber: number }),
        /"Contact added successfully"/,
      ],
      [() => phonebooks.upload({ phonebookId: 'p', file: 'x', countryCode: '234' }), /"message"/],
      [
        () => phonebooks.deleteContact({ phonebookId: 'p', contactId: 'c' }),
        /"success"|deleted successfully/,
      ],
    ] as const,
  };
}

const number = '2348030000001';
const pin = { pinType: 'NUMERIC', pinAttempts: 1, pinTimeToLive: 0, pinLength: 4 } as const;

test('for any response, a send ends with a provable outcome', async () => {
  await fc.assert(
    fc.asyncProperty(status, body, async (status, body) => {
      const outcome = await clientWithResponse(status, body).send();
      if (outcome.kind === 'accepted') {
        assert.ok(status >= 200 && status < 300);
        assert.ok(outcome.value.messageId.trim() !== '');
        assert.match(body.toString(), /"code":"ok"/i);
        return;
      }
      assert.notEqual(outcome.kind, 'not_sent');
      if (status >= 500 || status === 408 || status === 303) {
        assert.equal(outcome.kind, 'unconfirmed');
      }
      assert.equal(outcome.error.sent, outcome.kind === 'unconfirmed' ? 'maybe' : 'no');
      assert.ok(outcome.error.message.length < 1500);
    }),
    { numRuns: rounds(300) },
  );
});

test('for any response, a read does not throw', async () => {
  await fc.assert(
    fc.asyncProperty(status, body, async (status, body) => {
      const client = clientWithResponse(status, body);
      const reads = [client.check, client.list, ...client.reads];
      for (const outcome of await Promise.all(reads.map((read) => read()))) {
        if (outcome.kind !== 'accepted') {
          assert.equal(outcome.error.sent, 'no');
        } else {
          assert.ok(status < 300 || status === 404);
        }
      }
    }),
    { numRuns: rounds(250) },
  );
});

test('for any response, a send or change is accepted only by its own marker of success', async () => {
  await fc.assert(
    fc.asyncProperty(status, body, async (status, body) => {
      for (const [write, marker] of clientWithResponse(status, body).writes) {
        const outcome = await write();
        if (outcome.kind === 'accepted') {
          assert.ok(status >= 200 && status < 300);
          assert.match(body.toString(), marker);
        } else {
          assert.notEqual(outcome.kind, 'not_sent');
          assert.equal(outcome.error.sent, outcome.kind === 'unconfirmed' ? 'maybe' : 'no');
        }
      }
    }),
    { numRuns: rounds(150) },
  );
});

test('classifies a malicious response of maximum size quickly', async () => {
  const size = 1024 * 1024;
  const repeat = (text: string) => Buffer.from(text.repeat(size / text.length));
  const slow = [
    repeat('['),
    repeat('"\\"'),
    repeat('<title'),
    repeat(' "'),
    repeat('404 : "{'),
    repeat('}"'),
    Buffer.from(JSON.stringify({ message: ' '.repeat(size) })),
    Buffer.from(JSON.stringify({ message: `404${' '.repeat(size)}` })),
  ];
  const responses = slow.flatMap((body) => [200, 404].map((status) => ({ status, body })));
  for (const [index, { status, body }] of responses.entries()) {
    const { send, check, list, reads, writes } = clientWithResponse(status, body);
    const calls = [send, check, list, ...reads, ...writes.map(([write]) => write)];
    // Starts at a different fault each time, so that even in a sample each operation meets some of them.
    for (const call of sampled([...calls.slice(index), ...calls.slice(0, index)])) {
      const started = process.threadCpuUsage();
      await call();
      // CPU time rather than wall time, because other tests run in parallel.
      const { user } = process.threadCpuUsage(started);
      assert.ok(user < 1_000_000, `${Math.round(user / 1000)} ms for ${body.subarray(0, 20)}`);
    }
  }
});
