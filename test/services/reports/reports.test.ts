import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { Secret } from '../../../src/lib/secret.ts';
import type { ReportedReply, ReportItems } from '../../../src/services/reports/read-reports.ts';
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
        },
        metrics: { ...createMetrics(), reportItems: (items) => counted.push(items) },
      },
    ),
    {
      workspaces: {
        providerKey: async () => new Secret(key),
        defaults: async () => ({ country: 'NG', route: 'dnd', esimPurchases: false }),
      },
      async takeReply(_workspaceId, reply) {
        if (fails.reply?.(reply) === true) {
          throw new Error('the reply was not stored');
        }
        done.push(reply.text);
      },
    },
  );
  const post = (value: unknown) => {
    const body = JSON.stringify(value);
    return reports.receive(token, { body: Buffer.from(body), signature: signReport(body, key) });
  };
  const stored = async () =>
    (await store.deliveries.of('T1', ['1', '2'])).map(({ providerId }) => providerId).sort();
  return { post, done, counted, stored };
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
