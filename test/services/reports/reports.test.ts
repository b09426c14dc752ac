import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { createLog } from '../../../src/lib/log.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { createUnknownStatuses } from '../../../src/services/history/unknown-statuses.ts';
import type { ReportedReply } from '../../../src/services/replies/replies.ts';
import type { ReportItems } from '../../../src/services/reports/read-reports.ts';
import { createReports } from '../../../src/services/reports/reports.ts';
import { signReport } from '../../support/reports/signed-report.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';

const key = 'tsk_0000000000';
const from = '2348030001177';
const report = (id: string) => ({ message_id: id, receiver: from, status: 'DELIVERED' });
const inbound = (message: string) => ({ type: 'inbound', sender: from, message });

/** Reports of one workspace, whose parts fail as they are told to. */
async function begin(
  test: TestContext,
  fails: { reply?: (reply: ReportedReply) => boolean; record?: boolean } = {},
) {
  const store = await temporaryStore(test);
  const token = await store.reportAddresses.create('T1', 'U1');
  const done: string[] = [];
  const written: (Date | undefined)[] = [];
  const counted: ReportItems[] = [];
  const reports = createReports(
    testContext(
      {
        ...store,
        deliveries: {
          ...store.deliveries,
          async record(workspaceId, all) {
            done.push('reports');
            if (fails.record === true) {
              throw new Error('the reports were not stored');
            }
            return store.deliveries.record(workspaceId, all);
          },
        },
        jobs: { ...store.jobs, enqueue: async () => {} },
      },
      {
        settings: {
          reportSignature: { header: 'x-signature', key: 'api_key', hash: 'sha512', encoding: 'hex' },
          sentAtZone: 'Africa/Lagos',
        },
        metrics: { ...createMetrics(), reportItems: (items) => counted.push(items) },
      },
    ),
    {
      workspaces: {
        onAccountChange: () => {},
        providerKey: async () => new Secret(key),
        defaults: async () => ({ country: 'NG', route: 'dnd', esimPurchases: false }),
      },
      replies: {
        async take(_workspaceId, reply) {
          if (fails.reply?.(reply) === true) {
            throw new Error('the reply was not stored');
          }
          done.push(reply.text);
          written.push(reply.sentAt);
        },
      },
      unknownStatuses: createUnknownStatuses({ metrics: createMetrics(), log: createLog('silent') }),
    },
  );
  const post = (value: unknown) => {
    const body = JSON.stringify(value);
    return reports.receive(token, { body: Buffer.from(body), signature: signReport(body, key) });
  };
  const stored = async () =>
    (await store.deliveries.of('T1', ['1', '2'])).map(({ providerId }) => providerId).sort();
  return { post, done, written, counted, stored };
}

/** The log has an error with its cause. */
const causedBy = (message: string) => (error: unknown) =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === message;

it('does what messages ask for that came in, in their order, before it stores reports', async (test) => {
  const { post, done, counted, stored } = await begin(test);
  const body = [report('1'), inbound('stop'), {}, report('2'), inbound('start')];
  assert.equal(await post(body), 'taken');
  assert.deepEqual(done, ['stop', 'start', 'reports']);
  assert.deepEqual(await stored(), ['1', '2']);
  assert.deepEqual(counted, [{ taken: 4, unreadable: 1, stale: 0, leftAside: 0 }]);
});

it('reads the times of messages that came in by the zone of the profile', async (test) => {
  const { post, written } = await begin(test);
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const inLagos = new Date(now.getTime() + 60 * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  assert.equal(await post({ ...inbound('start'), sent_at: inLagos }), 'taken');
  assert.deepEqual(written, [now]);
});

it('stores all it can where something fails, and then asks for all of it again', async (test) => {
  const body = [inbound('stop'), inbound('hello'), report('1')];
  const reply = await begin(test, { reply: ({ text }) => text === 'stop' });
  await assert.rejects(reply.post(body), causedBy('the reply was not stored'));
  assert.deepEqual(reply.done.sort(), ['hello', 'reports']);
  assert.deepEqual(await reply.stored(), ['1']);
  assert.deepEqual(reply.counted, []);

  let tried = 0;
  const all = await begin(test, { reply: () => ++tried > 0, record: true });
  await assert.rejects(
    all.post([...Array.from({ length: 50 }, () => inbound('hello')), report('1')]),
    (error) => error instanceof AggregateError && error.errors.length === 11,
  );
  assert.equal(tried, 10);
});

it('stores nothing where nothing can be read, or all of it is stale, and counts both', async (test) => {
  const { post, done, counted } = await begin(test);
  const old = { ...report('1'), sent_at: '2019-01-01 00:00:00' };
  assert.equal(await post([old, old]), 'stale');
  assert.equal(await post([{}, old]), 'malformed');
  assert.equal(await post('text'), 'malformed');
  assert.deepEqual(done, []);
  assert.deepEqual(counted, [
    { taken: 0, unreadable: 0, stale: 2, leftAside: 0 },
    { taken: 0, unreadable: 1, stale: 1, leftAside: 0 },
    { taken: 0, unreadable: 0, stale: 0, leftAside: 0 },
  ]);
});

it('counts every status that is in no table, and logs the first hundred of their words, each once', () => {
  const lines: string[] = [];
  const counted: number[] = [];
  const metrics = { ...createMetrics(), unknownStatus: (count: number) => void counted.push(count) };
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const statuses = createUnknownStatuses({ metrics, log });
  const words = (index: number) => `Held ${String.fromCharCode(97 + (index % 26))}${Math.floor(index / 26)}`;
  const all = Array.from({ length: 150 }, (_, index) => ({ status: words(index) }));
  statuses.note([{ status: 'DELIVERED' }, ...all]);
  statuses.note(all.map(({ status }) => ({ status: `${status.toUpperCase()} | again` })));
  assert.deepEqual(counted, [150, 150]);
  assert.equal(lines.length, 100);
  assert.match(lines.at(-1) ?? '', /"count":"100 of at most 100"/);
});
