import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { body, status } from '../../support/http/arbitrary-response.ts';
import { rounds } from '../../support/sizes.ts';
import { clientWithResponse } from './client-with-response.ts';

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
