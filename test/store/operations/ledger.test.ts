import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { withOrigin } from '../../../src/lib/request-origin.ts';
import { createLedger } from '../../../src/store/operations/ledger.ts';
import type { Ending, Intent } from '../../../src/store/operations/operation.ts';
import type { Store } from '../../../src/store/store.ts';
import { type SteppedTimers, steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase, onlyOn } from '../../support/store/databases.ts';
import { dueIds, dueNotices } from '../../support/store/due-notices.ts';
import { breakTable } from '../../support/store/faults.ts';
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

const aWorkspace = () => `T-${newIntent().key}`;

/** The ledger of an earlier run of the program. */
const formerRun = ({ db }: Pick<Store, 'db'>) => {
  const instances = { ...store.instances, run: () => 'a former run' };
  return createLedger(testStoreContext(store, { db, instances }));
};

/** Leaves an operation under way, as a run of the program does that is killed. */
function leaveUnderway({ perform }: Pick<Store['ledger'], 'perform'>, intent: Intent): Promise<void> {
  return new Promise((resolve, reject) => {
    const never = () => {
      resolve();
      return new Promise<Ending>(() => {});
    };
    perform(intent, never).catch(reject);
  });
}

forEachDatabase(() => {
  test('stores everything of an operation', async () => {
    const intent = newIntent();
    const error = { reason: 'no_route', detail: 'No route.', status: 400, providerMessage: 'no route' };
    const ending: Ending = { state: 'rejected', providerId: '017', pages: 2, balance: '9.50', error };
    const { operation, first } = await ledger.perform(intent, async () => ending);
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
    });
    assert.deepEqual(await ledger.find('T1', { id: operation.id }), operation);
    assert.deepEqual(await ledger.find('T1', { key: intent.key }), operation);
  });

  test('ends an operation whose call throws as unconfirmed, without the error’s text, and rethrows', async () => {
    const intent = newIntent();
    const failure = new Error('Hello +2348031234567');
    await assert.rejects(
      ledger.perform(intent, () => {
        throw failure;
      }),
      failure,
    );
    const operation = await ledger.find('T1', { key: intent.key });
    assert.equal(operation?.state, 'unconfirmed');
    assert.equal(operation?.error?.reason, 'failed_midway');
    assert.doesNotMatch(JSON.stringify(operation), /Hello/);
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
        store.ledger.perform(intent, async () => {
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

    test('for any other reason is stored once the reason is gone', async (t) => {
      const timers = steppedTimers();
      const store = await temporaryStore(t, { timers, connections: 1 });
      const intent = newIntent();
      const repair = await breakTable(store.db, 'operation', 'update');
      await assert.rejects(
        store.ledger.perform(intent, async () => ({ state: 'accepted' })),
        /broken/,
      );
      assert.equal((await findAfterRetry(timers, store, intent))?.state, 'underway');
      await repair();
      assert.equal((await findAfterRetry(timers, store, intent))?.state, 'accepted');
    });
  });

  test('calls each key once and stores how that call ended, in any order of clicks and responses', async () => {
    const endings = fc.constantFrom('accepted', 'rejected', 'not_sent', 'unconfirmed', 'throws');
    const clicks = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), ending: endings }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), clicks, async (scheduler, performed) => {
        const workspaceId = aWorkspace();
        const called = new Map<string, string>();
        const ended = (ending: string | undefined) => (ending === 'throws' ? 'unconfirmed' : ending);

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
            if (ending === 'throws') {
              throw new Error('failed midway');
            }
            return { state: ending };
          };
          const { operation, first } = await ledger.perform(newIntent({ workspaceId, key }), call);
          if (first) {
            assert.equal(operation.state, ending);
          } else {
            assert.ok(['underway', ended(called.get(key))].includes(operation.state));
          }
        };
        const outcomes = await scheduler.waitFor(Promise.allSettled(performed.map(click)));
        const thrown = outcomes.filter(({ status }) => status === 'rejected');
        assert.equal(thrown.length, [...called.values()].filter((ending) => ending === 'throws').length);
        assert.deepEqual(new Set(called.keys()), new Set(performed.map(({ key }) => key)));
        for (const [key, ending] of called) {
          assert.equal((await ledger.find(workspaceId, { key }))?.state, ended(ending));
        }
      }),
      { numRuns: 80 },
    );
  });

  test('ends what an earlier run left under way as unconfirmed, and nothing of this run', async () => {
    const [left, mine] = [newIntent(), newIntent()];
    const { promise, resolve } = Promise.withResolvers<Ending>();
    await leaveUnderway(formerRun(store), left);
    const performing = ledger.perform(mine, () => promise);

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
    const { operation } = await isolated.ledger.perform(intent, async () => {
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
    await leaveUnderway(formerRun(isolated), left);
    await isolated.ledger.recover(clock.now());
    const recovered = await isolated.ledger.find('T1', { key: left.key });
    assert.deepEqual(await dueIds(isolated), [operation.id, recovered?.id]);
  });

  test('puts every ending into the audit, also of what a crash cut off', async (t) => {
    const isolated = await temporaryStore(t);
    const perform = (key: string, call: () => Promise<Ending>) =>
      withOrigin({ surface: 'modal', userId: 'U9' }, () => isolated.ledger.perform(newIntent({ key }), call));
    await perform('one', async () => ({ state: 'accepted', pages: 2 }));
    const error = { reason: 'no_route', detail: 'No route.' };
    await perform('two', async () => ({ state: 'rejected', error }));
    await assert.rejects(perform('three', () => Promise.reject(new Error('broke'))));
    await perform('one', () => assert.fail('performed twice'));
    await leaveUnderway(formerRun(isolated), newIntent({ key: 'four' }));
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
    const { operation: own } = await ledger.perform(newIntent({ workspaceId }), accept);
    const { operation: theirs } = await ledger.perform(newIntent(), accept);
    assert.deepEqual(await ledger.recent({ workspaceId, limit: 2 }), [own]);
    assert.deepEqual(await ledger.recent({ workspaceId, limit: 2, before: theirs.id }), []);
  });

  test('returns the outcome of an operation whose workspace was forgotten meanwhile', async (t) => {
    const { clock, pass } = stoppedClock();
    const isolated = await temporaryStore(t, { time: clock });
    const { operation } = await isolated.ledger.perform(newIntent(), async () => {
      await isolated.forget('T1');
      return { state: 'accepted', providerId: '1' };
    });
    assert.equal(operation.state, 'accepted');
    assert.equal(await isolated.ledger.find('T1', { id: operation.id }), undefined);
    pass(60_000);
    assert.deepEqual(await dueIds(isolated), []);
  });
});
