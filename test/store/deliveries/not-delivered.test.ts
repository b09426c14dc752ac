import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { CompiledQuery, createQueryId, type Kysely, type RootOperationNode, sql } from 'kysely';
import { readReportedStatus, reportedProgress } from '../../../src/domain/deliveries/delivery-status.ts';
import type { DeliveryReport } from '../../../src/store/deliveries/deliveries.ts';
import type { Ending, Operation } from '../../../src/store/operations/operation.ts';
import { createOperationHistory } from '../../../src/store/operations/operation-history.ts';
import type { Schema } from '../../../src/store/schema/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase, testedDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import {
  moveSeen,
  readyCampaign,
  recipient,
  runningCampaign,
  settleAndClaim,
} from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testStoreContext } from '../../support/store/test-store-context.ts';

const never = new AbortController().signal;
const numbers = ['+2348031234560', '+2348031234561', '+2348031234562'] as const;
const [number, other] = numbers;
const failed = 'Message Failed';
const ever = new Date(0);

const reportOf = (change: Partial<DeliveryReport> = {}): DeliveryReport => ({
  providerId: 'm1',
  number,
  sender: 'PalmMarket',
  text: 'Hello',
  status: failed,
  reportedAt: new Date(),
  source: 'report',
  ...change,
});

async function sends(
  store: Store,
  key: string,
  {
    to = [number],
    userId = 'U1',
    ending = { state: 'accepted', providerId: key },
  }: { to?: readonly string[]; userId?: string; ending?: Ending } = {},
): Promise<Operation> {
  const summary = { senderId: 'PalmMarket', recipients: to.length };
  const { operation } = await performIn(
    store.ledger,
    { workspaceId: 'T1', key, kind: 'sms.send', userId, summary, numbers: to, text: 'Hello' },
    async () => ending,
  );
  return operation;
}

/** Returns how the database reads what `read` asks for in one statement. */
async function planOf({ db }: Store, read: (db: Kysely<Schema>) => Promise<unknown>): Promise<string> {
  const statements: RootOperationNode[] = [];
  const noted = db.withPlugin({
    transformQuery({ node }) {
      statements.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await read(noted);
  // What it asks for in passing comes before it.
  const statement = statements.at(-1) ?? assert.fail('nothing was read');
  const { sql: text, parameters } = db.getExecutor().compileQuery(statement, createQueryId());
  const explain = testedDatabase === 'postgres' ? 'explain' : 'explain query plan';
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
  return rows.map((row) => Object.values(row).at(-1)).join('\n');
}

forEachDatabase((database) => {
  async function begin(test: TestContext) {
    const store = await temporaryStore(test, { database });
    const report = async (...reports: DeliveryReport[]) => {
      await store.deliveries.record('T1', reports);
      await store.deliveries.follow(never);
    };
    const listed = async (query: { userId?: string } = {}) => {
      const found = await store.ledger.recent({
        workspaceId: 'T1',
        isNotDelivered: true,
        limit: 9,
        ...query,
      });
      return found.map(({ key }) => key);
    };
    return { store, report, listed };
  }

  describe('an operation whose message was not delivered', () => {
    it('is found by whom it is of and when that was learned, until the message arrives after all', async (test) => {
      const { store, report, listed } = await begin(test);
      await sends(store, 'm1');
      await sends(store, 'm2', { userId: 'U2' });
      await sends(store, 'm3');
      assert.deepEqual(await listed(), []);
      await report(
        reportOf(),
        reportOf({ providerId: 'm2' }),
        reportOf({ providerId: 'm3', status: 'Sent' }),
      );
      assert.deepEqual(await listed(), ['m2', 'm1']);
      assert.deepEqual(await listed({ userId: 'U1' }), ['m1']);
      const { notDeliveredAt } = (await store.ledger.find('T1', { key: 'm1' })) ?? assert.fail('gone');
      const at = notDeliveredAt ?? assert.fail('it is not noted');
      const before = new Date(at.getTime() - 1);
      const count = (startedSince: Date, learnedAfter: Date) =>
        store.ledger.countNotDelivered({ workspaceId: 'T1', userId: 'U1' }, { startedSince, learnedAfter });
      assert.equal(await count(ever, before), 1);
      assert.equal(await count(ever, at), 0);
      assert.equal(await count(new Date(Date.now() + 60_000), before), 0);
      await report(reportOf({ status: 'DELIVERED' }));
      assert.deepEqual(await listed(), ['m2']);
    });

    it('is found where one of several recipients was missed, and not by a report of a stranger’s number', async (test) => {
      const { store, report, listed } = await begin(test);
      await sends(store, 'm1', { to: numbers });
      await report(reportOf({ status: 'DELIVERED' }), reportOf({ number: other, status: 'DELIVERED' }));
      assert.deepEqual(await listed(), []);
      await report(reportOf({ number: numbers[2] }));
      assert.deepEqual(await listed(), ['m1']);

      // The report comes before the answer that names its message.
      const begun = await store.ledger.begin(
        {
          ...{ workspaceId: 'T1', key: 'm2', kind: 'sms.send', userId: 'U1' },
          ...{ summary: { recipients: 1 }, numbers: [number], text: 'Hello' },
        },
        [],
      );
      assert(begun.kind === 'begun');
      await report(reportOf({ providerId: 'm2', number: '+2348039999999' }));
      await store.ledger.end(begun, { state: 'accepted', providerId: 'm2' });
      await report(reportOf({ providerId: 'm2', status: 'Sent' }));
      assert.deepEqual(await listed(), ['m1']);
      await report(reportOf({ providerId: 'm2' }));
      assert.deepEqual(await listed(), ['m2', 'm1']);
    });

    it('is found where its answer was lost, by any of the messages that it turns out to be', async (test) => {
      const { store, report, listed } = await begin(test);
      const ending: Ending = { state: 'unconfirmed', error: { reason: 'no_response' } };
      await sends(store, 'lost', { to: [number, other], ending });
      await store.db.deleteFrom('outbox').execute();
      await report(reportOf({ providerId: 'm2', number: other }));
      assert.deepEqual(await listed(), []);
      await report(reportOf({ providerId: 'm1', status: 'Sent' }));
      assert.equal((await store.ledger.find('T1', { key: 'lost' }))?.state, 'accepted');
      assert.deepEqual(await listed(), ['lost']);
      await report(reportOf({ providerId: 'm2', number: other, status: 'DELIVERED' }));
      assert.deepEqual(await listed(), []);
      await report(reportOf({ providerId: 'm1' }));
      assert.deepEqual(await listed(), ['lost']);
    });

    it('is found as a simple model does, in any order of reports, by several at once', async (test) => {
      const { store } = await begin(test);
      let runs = 0;
      const reports = fc.array(
        fc.record({
          to: fc.constantFrom(...numbers),
          status: fc.constantFrom('Sent', failed, 'DELIVERED', 'Odd'),
        }),
        { minLength: 1, maxLength: 8 },
      );
      await fc.assert(
        fc.asyncProperty(reports, async (all) => {
          runs += 1;
          const key = `run${runs}`;
          await sends(store, key, { to: numbers });
          await Promise.all(
            all.map(async ({ to, status }) => {
              await store.deliveries.record('T1', [reportOf({ providerId: key, number: to, status })]);
              await store.deliveries.follow(never);
            }),
          );
          await store.deliveries.follow(never);
          const furthest = Map.groupBy(all, ({ to }) => to)
            .values()
            .map((own) =>
              Math.max(...own.map(({ status }) => reportedProgress[readReportedStatus(status).state])),
            );
          const { notDeliveredAt } = (await store.ledger.find('T1', { key })) ?? assert.fail('gone');
          assert.equal(notDeliveredAt !== undefined, [...furthest].includes(reportedProgress.failed));
        }),
        { numRuns: rounds(40) },
      );
    });

    it('is read by an index that has no other, without sorting, however many there are', async (test) => {
      const { store, report } = await begin(test);
      await sends(store, 'm1');
      await report(reportOf());
      if (database === 'postgres') {
        // Its plans depend on how much there is.
        await sql`
          insert into operation (id, workspace_id, key, kind, user_id, summary, state, run, created_at, ended_at)
          select n::text, 'T1', n::text, 'sms.send', 'U1', '{}', 'accepted', '', n, n
          from generate_series(1, 20000) n`.execute(store.db);
        await sql`analyze operation`.execute(store.db);
      }
      const own = { workspaceId: 'T1', userId: 'U1' };
      const listed = { workspaceId: 'T1', limit: 20, isNotDelivered: true };
      for (const [index, read] of [
        ['operation_not_delivered', (history) => history.recent(listed)],
        ['operation_not_delivered', (history) => history.recent({ ...listed, before: 'm1' })],
        ['operation_not_delivered_of_user', (history) => history.recent({ ...listed, ...own })],
        [
          'operation_not_delivered_of_user',
          (history) => history.countNotDelivered(own, { startedSince: ever, learnedAfter: ever }),
        ],
      ] satisfies [string, (history: ReturnType<typeof createOperationHistory>) => unknown][]) {
        const plan = await planOf(store, async (db) =>
          read(createOperationHistory({ ...testStoreContext(store), db })),
        );
        assert.match(plan, new RegExp(`\\b${index}\\b`));
        assert.doesNotMatch(plan, /TEMP B-TREE|Sort|Seq Scan/);
      }
    });
  });

  describe('a campaign with recipients who were missed', () => {
    it('is found while one is, by whom it is of and when it ended', async (test) => {
      const { store, report } = await begin(test);
      for (const [id, createdBy] of [
        ['c1', 'U1'],
        ['c2', 'U2'],
        ['c3', 'U1'],
      ] as const) {
        await runningCampaign(store, [recipient(number), recipient(other)], { id, createdBy });
        const place = { workspaceId: 'T1', id };
        await settleAndClaim(store, place, [], 1);
        await settleAndClaim(store, place, [{ number: 0, state: 'accepted', providerId: id }], 0);
      }
      const listed = async (query: { createdBy?: string; endedFrom?: Date; isNotFollowedUp?: true } = {}) => {
        const which = { workspaceId: 'T1', isNotDelivered: true, ...query };
        const found = await store.campaigns.recent({ ...which, limit: 9 });
        assert.equal(await store.campaigns.count(which), found.length);
        return found.map(({ id }) => id);
      };
      assert.deepEqual(await listed(), []);
      await report(
        reportOf({ providerId: 'c1' }),
        reportOf({ providerId: 'c2', status: 'DND Active on Phone Number' }),
        reportOf({ providerId: 'c3', status: 'Odd: failed' }),
      );
      assert.deepEqual(await listed(), ['c2', 'c1']);
      assert.deepEqual(await listed({ createdBy: 'U1', endedFrom: ever }), ['c1']);
      assert.deepEqual(await listed({ endedFrom: new Date(Date.now() + 60_000) }), []);
      await readyCampaign(store, [recipient(number)], { id: 'later', followUpOf: 'c2' });
      assert.deepEqual(await listed({ isNotFollowedUp: true }), ['c2', 'c1']);
      await moveSeen(store.campaigns, 'T1', 'later', ['ready'], 'running');
      assert.deepEqual(await listed({ isNotFollowedUp: true }), ['c1']);
      await report(reportOf({ providerId: 'c1', status: 'DELIVERED' }));
      assert.deepEqual(await listed(), ['c2']);
    });
  });
});
