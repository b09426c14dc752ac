import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { ProviderOptions } from '../../../src/provider/client.ts';
import { arrival, arriving } from '../../support/http/arbitrary-wire-response.ts';
import { answer, type Behaviour, silence } from '../../support/http/raw-server.ts';
import { serve, testClient, testKey } from '../../support/provider/provider-client.ts';
import { rounds } from '../../support/sizes.ts';
import { deadline, manualTiming } from '../../support/time/manual-timing.ts';
import { callWithValues, fullDialect, validValues } from '../conformance/valid-call.ts';
import { operations } from '../description/description.ts';
import type { Operation } from '../description/types.ts';

const megabyte = 1024 * 1024;

/** A client with every operation, and a server that issues tokens and otherwise behaves as given. */
async function lineTo(t: TestContext, options: Partial<ProviderOptions> = {}) {
  let behaviour: Behaviour = silence;
  let givesTokens = true;
  const isToken = (path: string) => givesTokens && path === '/api/esim/authenticate';
  const server = await serve(t, (socket, received) =>
    (isToken(received.path) ? answer(200, { token: 'the-token-itself' }) : behaviour)(socket, received),
  );
  const { account } = testClient(t, server.url, { dialect: fullDialect, ...options });
  return {
    server,
    /** Runs an operation against a behaviour. Returns its outcome and its number of requests. */
    async meet(operation: Operation, met: Behaviour) {
      behaviour = met;
      givesTokens = operation.request.header !== undefined;
      const earlier = server.requests.length;
      const outcome = await callWithValues(account, operation, validValues(operation));
      const made = server.requests.slice(earlier).filter(({ path }) => !isToken(path));
      return { outcome, requests: made.length };
    },
  };
}

test('for any bytes on the wire, every operation ends with a provable outcome and limited requests', async (t) => {
  const { timing, passDeadlines } = manualTiming();
  const { meet } = await lineTo(t, { timing, totalTimeout: deadline });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations), arrival, async (operation, arrival) => {
      const { outcome, requests } = await meet(operation, arriving(arrival, passDeadlines));
      // Three attempts of a read, twice with a new token; a QR code makes up to three different requests.
      const isQrCode = operation.response === 'not shown';
      assert.ok(requests <= (operation.idempotent ? (isQrCode ? 18 : 6) : 1), `${requests} requests`);
      assert.ok(!inspect(outcome, { depth: 9 }).includes(testKey));
      if (outcome.kind === 'accepted') {
        const fromNotFound = operation.name === 'insight.checkDnd' || isQrCode;
        assert.ok(/^2/.test(String(arrival.status)) || (fromNotFound && arrival.status === 404));
        assert.ok(!arrival.ends.startsWith('in the middle of the head'));
        return;
      }
      const { sent, retryable, message } = outcome.error;
      assert.notEqual(outcome.kind, 'not_sent');
      assert.equal(sent, outcome.kind === 'unconfirmed' && !operation.idempotent ? 'maybe' : 'no');
      assert.ok(!(retryable && sent === 'maybe'));
      assert.ok(message.length < 1500);
    }),
    { numRuns: rounds(200) },
  );
});

/** A response that repeats a chunk after its beginning. */
interface Flood {
  readonly head: string;
  readonly begins: string;
  readonly goesOn: Buffer;
}

const piece = 64 * 1024;
const ofFiftyMegabytes = `content-length: ${50 * megabyte}`;

const floods: Readonly<Record<string, Flood>> = {
  '50 MB of text in JSON': {
    head: ofFiftyMegabytes,
    begins: '{"code":"ok","message":"',
    goesOn: Buffer.alloc(piece, 'x'),
  },
  'brackets that open for 50 MB': { head: ofFiftyMegabytes, begins: '[', goesOn: Buffer.alloc(piece, '[') },
  '50 MB of base64': { head: ofFiftyMegabytes, begins: '', goesOn: Buffer.alloc(piece, 'A') },
  'chunks without an end': {
    head: 'transfer-encoding: chunked',
    begins: '',
    goesOn: Buffer.from(`${piece.toString(16)}\r\n${' '.repeat(piece)}\r\n`),
  },
};

/** Sends as much as the client reads, and counts the bytes. */
function flooding({ head, begins, goesOn }: Flood) {
  const sent = { bytes: 0 };
  const behaviour: Behaviour = (socket) => {
    const more = () => {
      while (!socket.destroyed && sent.bytes < 50 * megabyte) {
        sent.bytes += goesOn.length;
        if (!socket.write(goesOn)) {
          return;
        }
      }
    };
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}\r\n\r\n${begins}`);
    socket.on('drain', more);
    more();
  };
  return { behaviour, sent };
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * Megabytes in use after garbage collection. Slow, because the process holds everything that its test files
 * have loaded: once they are fewer than `enough`, nothing more is collected.
 */
async function held(enough = 0): Promise<number> {
  let used = Infinity;
  // Objects released by a finalizer are collected by the next run.
  for (let count = 0; count < 3 && used >= enough; count += 1) {
    collectGarbage();
    await nextTurn();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    used = (heapUsed + arrayBuffers) / megabyte;
  }
  return used;
}

/** One that sends, one that reads, and one that reads an image: all read a response in the same place. */
const flooded = operations.filter(({ name }) =>
  ['messages.send', 'senderIds.list', 'esims.qrCode'].includes(name),
);

test('reads at most 1 MB of a response of 50 MB or without an end, and keeps none of it', async (t) => {
  assert.equal(flooded.length, 3);
  const { meet, server } = await lineTo(t);
  const everyOperation = async () => {
    for (const [name, flood] of Object.entries(floods)) {
      for (const operation of flooded) {
        const { behaviour, sent } = flooding(flood);
        const { outcome } = await meet(operation, behaviour);
        assert.ok(outcome.kind === 'unconfirmed', `${operation.name}: ${name}`);
        assert.equal(outcome.error.reason, 'unreadable_answer', inspect(outcome.error));
        // The socket buffers of both ends come on top.
        assert.ok(sent.bytes < 16 * megabyte, `${operation.name} drew ${sent.bytes} bytes of ${name}`);
      }
    }
    await server.idle();
  };
  await everyOperation();
  const before = await held();
  const repetitions = 3;
  for (let round = 0; round < repetitions; round += 1) {
    await everyOperation();
  }
  // An operation that keeps what it has read would keep 12 MB.
  const most = 10;
  const grown = (await held(before + most)) - before;
  const taken = repetitions * Object.keys(floods).length * flooded.length;
  assert.ok(grown < most, `${grown.toFixed(1)} MB of the ${taken} taken in are still held`);
});
