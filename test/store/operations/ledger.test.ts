import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { withOrigin } from '../../../src/lib/request-origin.ts';
import { StoreError } from '../../../src/store/engine/errors.ts';
import { createLedger } from '../../../src/store/operations/ledger.ts';
import { type Ending, failedMidway, type Intent } from '../../../src/store/operations/operation.ts';
import type { Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/sizes.ts';
import { type SteppedTimers, steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase, onlyOn } from '../../support/store/databases.ts';
import { dueIds, dueNotices } from '../../support/store/due-notices.ts';
import { breakTable } from '../../support/store/faults.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testStoreContext } from '../../support/store/test-store-context.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const store = await temporaryStore({ after });
const { ledger } = store;

let intents = 0;

function newIntent(change: Partial<Intent> = {}): Intent {
  intents += 1;
  return {
    workspaceId: 'T1',
    key: `click-${intents}`,
    kind: 'sms.send',
    userId: 'U1',
    channelId: 'C1',
    summary: { to: ['+234803•••4567'], recipients: 1 },
    ...change,
  };
}

const charge = { key: 'pages', points: 1, limit: 9, ends: { after: 600_000 }, isAttempt: false };

const aWorkspace = () => `T-${newIntent().key}`;

/** The ledger of an earlier run of the program. */
const previousRun = ({ db }: Pick<Store, 'db'>) => {
  const instances = { ...store.instances, run: () => 'a previous run' };
  return createLedger(testStoreContext(store, { db, instances }));
};

/** Leaves an operation under way, as a run of the program does that is killed. */
const leaveUnderway = (ledger: Store['ledger'], intent: Intent) => ledger.begin(intent, []);

forEachDatabase(() => {
  test('stores everything of an operation', async () => {
    const intent = newIntent();
    const error = { reason: 'no_route', detail: 'No route.', status: 400, providerMessage: 'no route' };
    const ending: Ending = { state: 'rejected', providerId: '017', pages: 2, balance: '9.50', error };
    const { operation, first } = await performIn(ledger, intent, async () => ending);
    assert.equal(first, true);
    assert.ok(operation.endedAt);
    assert.deepEqual(operation, {
      ...intent,
      ...ending,
      id: operation.id,
      createdAt: operation.createdAt,
      endedAt: operation.endedAt,
      message: undefined,
      resolvedFrom: undefined,
      resolvedMessage: undefined,
      receiptId: undefined,
      expiresAt: undefined,
      wrongGuesses: undefined,
      codeOutcome: undefined,
      mark: undefined,
      notDeliveredAt: undefined,
    });
    assert.deepEqual(await ledger.find('T1', { id: operation.id }), operation);
    assert.deepEqual(await ledger.find('T1', { key: intent.key }), operation);
  });

  describe('an ending that cannot be stored', () => {
    /** Finds an operation after the next attempt to store its ending, as requests are served in order. */
    async function findAfterRetry(timers: SteppedTimers, { ledger }: Store, { key }: Intent) {
      await timers.advance(1_000);
      return ledger.find('T1', { key });
    }

    const skip = onlyOn('sqlite', 'no program holds the whole of a PostgreSQL database');
    test('because another program holds the database is stored later', skip, async (t) => {
      const timers = steppedTimers();
      const dataDir = temporaryFolder(t);
      const { clock, pass } = stoppedClock();
      const store = await temporaryStore(t, { dataDir, time: clock, timers });
      await sql`pragma busy_timeout = 20`.execute(store.db);
      const intent = newIntent();
      const other = new Database(join(dataDir, 'switchboard.db'));
      await assert.rejects(
        performIn(store.ledger, intent, async () => {
          other.exec('begin immediate');
          return { state: 'accepted', providerId: '017' };
        }),
        { name: 'StoreError', fault: 'locked' },
      );
      assert.equal((await findAfterRetry(timers, store, intent))?.state, 'underway');
      other.close();
      const known = await findAfterRetry(timers, store, intent);
      assert.deepEqual([known?.state, known?.providerId], ['accepted', '017']);
      pass(60_000);
      assert.deepEqual(await dueIds(store), [known?.id]);
    });

    test('for any other reason is stored once the reason is gone, with all that belongs to it or nothing', async (t) => {
      for (const [table, change] of [
        ['operation', 'update'],
        ['limitWindow', 'update'],
        ['outbox', 'insert'],
        ['auditEntry', 'insert'],
      ] as const) {
        const timers = steppedTimers();
        const { clock, pass } = stoppedClock();
        const store = await temporaryStore(t, { timers, time: clock, connections: 1 });
        const intent = newIntent();
        const begun = await store.ledger.begin(intent, [charge]);
        assert(begun.kind === 'begun');
        const repair = await breakTable(store.db, table, change);
        await assert.rejects(store.ledger.end(begun, { state: 'rejected' }), /broken/);
        const stored = async () => {
          const known = await findAfterRetry(timers, store, intent);
          const { entries } = await store.audit.page({ workspaceId: 'T1', limit: 9 });
          const due = await dueIds(store);
          return [known?.state, due.length, entries.length, ...(await store.limits.used('T1', [charge.key]))];
        };
        pass(60_000);
        assert.deepEqual(await stored(), ['underway', 0, 0, 1], table);
        await repair();
        assert.deepEqual(await stored(), ['rejected', 1, 1, 0], table);
      }
    });
  });

  test('waits for what is taken back later, and ends it as not sent once somebody may have been told that it is sent', async (t) => {
    for (const [passed, ended] of [
      [0, undefined],
      [60_000, 'not_sent'],
    ] as const) {
      const timers = steppedTimers();
      const { clock, pass } = stoppedClock();
      const store = await temporaryStore(t, { timers, time: clock, connections: 1 });
      const begun = await store.ledger.begin(newIntent(), [charge]);
      assert(begun.kind === 'begun');
      const repairs = [
        await breakTable(store.db, 'operation', 'delete', 'no_delete'),
        await breakTable(store.db, 'operation', 'update', 'no_update'),
      ];
      await assert.rejects(store.ledger.takeBack(begun), /broken/);
      const waiting = store.ledger.waitForEnding(begun.operation);
      pass(passed);
      for (const repair of repairs) {
        await repair();
      }
      for (let step = 0; step < 3; step += 1) {
        await timers.advance(1_000);
        // Requests are served in order.
        await store.ledger.find('T1', { key: 'none' });
      }
      assert.equal((await waiting)?.state, ended);
      assert.deepEqual(await store.limits.used('T1', [charge.key]), [0]);
      pass(60_000);
      assert.equal((await dueIds(store)).length, ended === undefined ? 0 : 1);
    }
  });

  test('corrects what another instance called unconfirmed, and tells its user once', async (t) => {
    for (const isTold of [false, true]) {
      const { clock, pass } = stoppedClock();
      const store = await temporaryStore(t, { time: clock });
      const instances = { ...store.instances, run: () => 'a stalled run' };
      const stalled = createLedger(testStoreContext(store, { instances }));
      const begun = await stalled.begin(newIntent(), [charge]);
      assert(begun.kind === 'begun');
      await store.ledger.recover(clock.now());
      const key = { workspaceId: 'T1', subject: 'operation', subjectId: begun.operation.id } as const;
      if (isTold) {
        await store.outbox.deliver(key, async () => {});
      }
      const { operation } = begun;
      await stalled.end(begun, { state: 'accepted', providerId: '017' });
      const known = await store.ledger.find('T1', { id: operation.id });
      assert.deepEqual([known?.state, known?.providerId, known?.error], ['accepted', '017', undefined]);
      pass(60_000);
      const due = (await dueNotices(store)).map(({ subject }) => subject);
      assert.deepEqual(due, [isTold ? 'operation_resolved' : 'operation']);
      const { entries } = await store.audit.page({ workspaceId: 'T1', limit: 9 });
      assert.deepEqual(
        entries.map(({ outcome }) => outcome),
        ['accepted', 'unconfirmed'],
      );
    }
  });

  test('shows what is known under a key from before a restore, and begins nothing more under one', async () => {
    const refused = new StoreError('outdated', 'The data was restored since.');
    const restored = createLedger(
      testStoreContext(store, {
        refuseOutdated: () => {
          throw refused;
        },
      }),
    );
    const intent = newIntent();
    await performIn(ledger, intent, async () => ({ state: 'accepted' }));
    const again = await restored.begin(intent, []);
    assert.ok(again.kind === 'known' && again.operation.state === 'accepted');
    await assert.rejects(restored.begin(newIntent(), []), refused);
  });

  test('ends what it cannot say was stored, as the database was lost meanwhile, as not sent', async (t) => {
    const { db, ledger, limits, audit } = await temporaryStore(t);
    // A workspace's first operation creates its keys in separate transactions.
    await ledger.begin(newIntent({ numbers: ['+2348031234567'] }), []);
    const transaction = db.transaction();
    const execute = transaction.execute.bind(transaction);
    const lost = new StoreError('unreachable', 'The connection was lost.');
    t.mock.method(transaction, 'execute', async (work: Parameters<typeof execute>[0]) => {
      await execute(work);
      throw lost;
    });
    t.mock.method(db, 'transaction', () => transaction, { times: 1 });
    const intent = newIntent({ numbers: ['+2348031234567'] });
    await assert.rejects(ledger.begin(intent, [charge]), lost);
    const known = await ledger.find('T1', { key: intent.key });
    assert.deepEqual([known?.state, known?.error], ['not_sent', { reason: 'not_recorded' }]);
    assert.deepEqual(await limits.used('T1', [charge.key]), [0]);
    assert.equal((await audit.page({ workspaceId: 'T1', limit: 9 })).entries.length, 1);
  });

  test('calls each key once and stores how that call ended, in any order of clicks and responses', async () => {
    const endings = fc.constantFrom('accepted', 'rejected', 'not_sent', 'unconfirmed');
    const clicks = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), ending: endings }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), clicks, async (scheduler, performed) => {
        const workspaceId = aWorkspace();
        const called = new Map<string, string>();

        const click = async ({
          key,
          ending,
        }: {
          key: string;
          ending: (typeof performed)[number]['ending'];
        }) => {
          await scheduler.schedule(Promise.resolve(), `click ${key}`);
          const call = async (): Promise<Ending> => {
            assert.ok(!called.has(key), `${key} was called twice`);
            called.set(key, ending);
            await scheduler.schedule(Promise.resolve(), `answer ${key}`);
            return { state: ending };
          };
          const { operation, first } = await performIn(ledger, newIntent({ workspaceId, key }), call);
          if (first) {
            assert.equal(operation.state, ending);
          } else {
            assert.ok(['underway', called.get(key)].includes(operation.state));
          }
        };
        await scheduler.waitFor(Promise.all(performed.map(click)));
        assert.deepEqual(new Set(called.keys()), new Set(performed.map(({ key }) => key)));
        for (const [key, ending] of called) {
          assert.equal((await ledger.find(workspaceId, { key }))?.state, ending);
        }
      }),
      { numRuns: rounds(80) },
    );
  });

  test('ends what an earlier run left under way as unconfirmed, and nothing of this run', async () => {
    const [left, mine] = [newIntent(), newIntent()];
    const { promise, resolve } = Promise.withResolvers<Ending>();
    await leaveUnderway(previousRun(store), left);
    const performing = performIn(ledger, mine, () => promise);

    const now = new Date('2030-01-02T03:04:05Z');
    assert.equal(await ledger.recover(now), 1);
    assert.equal(await ledger.recover(now), 0);
    const recovered = await ledger.find('T1', { key: left.key });
    assert.equal(recovered?.state, 'unconfirmed');
    assert.equal(recovered?.error?.reason, 'stopped_midway');
    assert.deepEqual(recovered?.endedAt, now);

    resolve({ state: 'accepted' });
    assert.equal((await performing).operation.state, 'accepted');
  });

  test('puts a notice of an ending into the outbox, due after half a minute, or at once after a crash', async (t) => {
    const { clock, pass } = stoppedClock();
    const isolated = await temporaryStore(t, { time: clock });
    const intent = newIntent();
    const { operation } = await performIn(isolated.ledger, intent, async () => {
      pass(60_000);
      assert.deepEqual(await dueIds(isolated), []);
      return { state: 'accepted' };
    });
    pass(29_000);
    assert.deepEqual(await dueIds(isolated), []);
    pass(1_000);
    const [notice] = await dueNotices(isolated);
    assert.deepEqual(
      [notice?.subjectId, notice?.userId, notice?.channelId],
      [operation.id, intent.userId, intent.channelId],
    );

    const left = newIntent();
    await leaveUnderway(previousRun(isolated), left);
    await isolated.ledger.recover(clock.now());
    const recovered = await isolated.ledger.find('T1', { key: left.key });
    assert.deepEqual(await dueIds(isolated), [operation.id, recovered?.id]);
  });

  test('puts every ending into the audit, also of what a crash cut off', async (t) => {
    const isolated = await temporaryStore(t);
    const perform = (key: string, call: () => Promise<Ending>) =>
      withOrigin({ surface: 'modal', userId: 'U9' }, () =>
        performIn(isolated.ledger, newIntent({ key }), call),
      );
    await perform('one', async () => ({ state: 'accepted', pages: 2 }));
    const error = { reason: 'no_route', detail: 'No route.' };
    await perform('two', async () => ({ state: 'rejected', error }));
    await perform('three', async () => ({ state: 'unconfirmed', error: failedMidway }));
    await perform('one', () => assert.fail('performed twice'));
    await leaveUnderway(previousRun(isolated), newIntent({ key: 'four' }));
    assert.equal(await isolated.ledger.recover(new Date()), 1);
    assert.equal(await isolated.ledger.recover(new Date()), 0);

    const { entries } = await isolated.audit.page({ workspaceId: 'T1', limit: 9 });
    assert.deepEqual(
      entries.reverse().map(({ userId, action, subject, outcome, surface, details }) => {
        const { operation, ...others } = JSON.parse(details ?? '');
        assert.ok(operation);
        return [userId, action, subject, outcome, surface, others];
      }),
      [
        ['accepted', 'modal', { pages: 2 }],
        ['rejected', 'modal', { reason: 'no_route' }],
        ['unconfirmed', 'modal', { reason: 'failed_midway' }],
        ['unconfirmed', 'background', { reason: 'stopped_midway' }],
      ].map(([outcome, surface, more]) => [
        'U1',
        'sms.send',
        '+234803•••4567',
        outcome,
        surface,
        { to: ['+234803•••4567'], recipients: 1, channel: 'C1', ...Object(more) },
      ]),
    );
  });

  test('lists the operations of one workspace, after one of its own', async () => {
    const workspaceId = aWorkspace();
    const accept = async (): Promise<Ending> => ({ state: 'accepted' });
    const { operation: own } = await performIn(ledger, newIntent({ workspaceId }), accept);
    const { operation: theirs } = await performIn(ledger, newIntent(), accept);
    assert.deepEqual(await ledger.recent({ workspaceId, limit: 2 }), [own]);
    assert.deepEqual(await ledger.recent({ workspaceId, limit: 2, before: theirs.id }), []);
  });

  test('pages what went to a number, of one instant too, and the same with a filter as without', async (t) => {
    const { clock, pass } = stoppedClock();
    const isolated = await temporaryStore(t, { time: clock });
    const number = phoneNumberSchema.parse('+2348031234567');
    const [begun, others]: [string[], string[]] = [[], []];
    for (const sentTo of [number, '+2348051234567', number, number, number]) {
      const sent = await isolated.ledger.begin(newIntent({ numbers: [sentTo] }), []);
      assert.equal(sent.kind, 'begun');
      (sentTo === number ? begun : others).push(sent.operation.id);
      pass(begun.length === 1 ? 60_000 : 0);
    }
    for (const userId of [undefined, 'U1']) {
      const found: string[] = [];
      let page: { id: string }[];
      do {
        const query = { workspaceId: 'T1', number, userId, before: found.at(-1), limit: 2 };
        page = await isolated.ledger.recent(query);
        found.push(...page.map(({ id }) => id));
      } while (page.length > 0);
      assert.deepEqual(found.toSorted(), begun.toSorted());
      assert.equal(found.at(-1), begun[0]);
    }
    const foreign = { workspaceId: 'T1', number, before: others[0], limit: 2 };
    assert.deepEqual(await isolated.ledger.recent(foreign), []);
  });

  test('returns the outcome of an operation whose workspace was forgotten meanwhile', async (t) => {
    const { clock, pass } = stoppedClock();
    const isolated = await temporaryStore(t, { time: clock });
    const { operation } = await performIn(isolated.ledger, newIntent(), async () => {
      await isolated.forget('T1');
      return { state: 'accepted', providerId: '1' };
    });
    assert.equal(operation.state, 'accepted');
    assert.equal(await isolated.ledger.find('T1', { id: operation.id }), undefined);
    pass(60_000);
    assert.deepEqual(await dueIds(isolated), []);
  });
});
