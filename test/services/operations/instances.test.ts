import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { ownId } from '../../../src/domain/access/ownership.ts';
import { nothingShown } from '../../../src/domain/limits/seen.ts';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import type { LimitedCharge } from '../../../src/services/limits/budgets.ts';
import { createOperations, type SpendResult } from '../../../src/services/operations/operations.ts';
import { Refusal, type RefusalReason } from '../../../src/services/refusal.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { createLedger } from '../../../src/store/operations/ledger.ts';
import type { Ending } from '../../../src/store/operations/operation.ts';
import type { Store } from '../../../src/store/store.ts';
import { testClient } from '../../support/provider/provider-client.ts';
import { orReason } from '../../support/refusals.ts';
import { rounds } from '../../support/sizes.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { testStoreContext } from '../../support/store/test-store-context.ts';
import { testContext } from '../../support/test-context.ts';

const workspaceId = 'T0SWITCH';
const userId = 'U0AGENT';
const intent = {
  workspaceId,
  kind: 'sms.send',
  userId,
  summary: {},
  numbers: ['+2348031234567'],
  text: 'Hi',
};
const limit = { reason: { rule: 'budget', window: 'day', limit: 1, used: 1, asked: 1 } } as const;

/** Several instances on one database. A poll takes as long as the other work that is ready. */
async function begin(
  test: TestContext,
  { capacity = 1_000, patient = false, between = async (_store: Store) => {} } = {},
) {
  const encryptionKey = newEncryptionKey();
  const store = await temporaryStore(test, { encryptionKeys: [encryptionKey] });
  const { account } = testClient(test, new URL('http://127.0.0.1:9'));
  const encryption = createEncryption([encryptionKey]);
  const timers: Timers = { ...systemTimers, sleep: patient ? () => setImmediate() : async () => {} };
  const calls: string[] = [];
  const called = Promise.withResolvers<void>();
  const usage = { kind: 'purchase' } as const;
  const charge: LimitedCharge = {
    ...{ key: 'pages/day', points: 1, limit: capacity, ends: { after: 60 * 60_000 } },
    ...{ isAttempt: false, reason: limit.reason },
  };

  function instance(run: string) {
    const instances = { ...store.instances, run: () => run };
    const ledger = createLedger(testStoreContext(store, { encryption, instances, timers }));
    const operations = createOperations(testContext({ ...store, ledger, refuseOutdated: () => {} }), {
      workspaces: { connected: async () => account },
      limits: {
        chargesOf: async () => [charge],
        recordRefusal: async () => new Refusal({ kind: 'limited', limit: { ...limit, freesAt: undefined } }),
        // Called between the claim and the request.
        warn: () => between(store),
      },
    });
    const spend = (key: string, call: () => Promise<Ending>) =>
      orReason(
        operations.spend({ ...intent, key, usage, unchanged: nothingShown }, () => {
          calls.push(`${run} ${key}`);
          called.resolve();
          return call();
        }),
      );
    return { ledger, operations, spend };
  }

  const rows = async () => {
    const of = (table: 'operation' | 'operationNumber' | 'operationText') =>
      store.db.selectFrom(table).selectAll().execute();
    const all = await Promise.all([of('operation'), of('operationNumber'), of('operationText')]);
    return all.map(({ length }) => length);
  };
  return {
    instances: ['one', 'two', 'three'].map(instance),
    calls,
    called,
    taken: async () => (await store.limits.used(workspaceId, [charge.key]))[0],
    rows,
  };
}

const states = (results: readonly (SpendResult | RefusalReason)[]) =>
  results.map((result) =>
    result.kind === 'performed' ? `${result.operation.state} ${result.first}` : result.kind,
  );

describe('an operation on several instances', () => {
  it('is performed by one, and the others wait for its outcome', async (test) => {
    const { instances, calls, called, taken } = await begin(test, { patient: true });
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const spending = instances.map(({ spend }) => spend('a', () => promise));
    await called.promise;
    const looked = instances.map(({ operations }) => operations.findEnded(workspaceId, 'a', userId));
    const cancelling = instances.map(({ operations }) => operations.cancel(workspaceId, 'a', userId));
    resolve({ state: 'accepted' });
    assert.deepEqual(states(await Promise.all(spending)).sort(), [
      'accepted false',
      'accepted false',
      'accepted true',
    ]);
    for (const known of await Promise.all([...looked, ...cancelling])) {
      assert.equal(known?.state, 'accepted');
    }
    assert.deepEqual([calls.length, await taken()], [1, 1]);
  });

  it('that never ends is called in progress after a minute, and is not repeated', async (test) => {
    const { instances, called } = await begin(test);
    const [one, two] = instances;
    void one?.spend('a', () => new Promise<Ending>(() => {}));
    await called.promise;
    const asked = await two?.spend('a', () => assert.fail('called twice'));
    assert.deepEqual(states(asked === undefined ? [] : [asked]), ['underway false']);
    assert.equal((await two?.operations.cancel(workspaceId, 'a', userId))?.state, 'underway');
    assert.equal(await two?.operations.isCancelled(workspaceId, 'a', userId), false);
  });

  it('that a limit refuses leaves nothing, and may be asked for again', async (test) => {
    const { instances, calls, taken, rows } = await begin(test, { capacity: 0, patient: true });
    const results = await Promise.all(
      instances.map(({ spend }) => spend('a', async () => ({ state: 'accepted' }))),
    );
    assert.deepEqual(states(results), ['limited', 'limited', 'limited']);
    assert.deepEqual([calls.length, await taken(), await rows()], [0, 0, [0, 0, 0]]);
  });

  it('meets the limit that it has reached itself on no instance', async (test) => {
    for (let round = 0; round < 5; round += 1) {
      const { instances, taken } = await begin(test, { capacity: 1, patient: true });
      const results = await Promise.all(
        instances.map(({ spend }) => spend('a', async () => ({ state: 'accepted' }))),
      );
      assert.deepEqual(states(results).toSorted(), ['accepted false', 'accepted false', 'accepted true']);
      assert.equal(await taken(), 1);
    }
  });

  it('that is cancelled between its claim and its request is taken back with what it took', async (test) => {
    const { instances, calls, taken, rows } = await begin(test, {
      between: async ({ keyv }) =>
        void (await keyv(workspaceId, 'cancelled').set(ownId(userId, 'a'), true, 60_000)),
    });
    const spent = await instances[0]?.spend('a', async () => ({ state: 'accepted' }));
    assert.deepEqual(spent, { kind: 'cancelled', of: 'sms.send' });
    assert.deepEqual([calls.length, await taken(), await rows()], [0, 0, [0, 0, 0]]);
  });

  it('is called at most once, and never where anybody was told that it is cancelled', async (test) => {
    const { instances, calls, taken, rows } = await begin(test, { patient: true });
    let round = 0;
    const step = fc.record({
      at: fc.nat({ max: 2 }),
      does: fc.constantFrom('spend', 'spend', 'cancel'),
      after: fc.nat({ max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        round += 1;
        const key = `round ${round}`;
        const told = await Promise.all(
          steps.map(async ({ at, does, after }) => {
            for (let turn = 0; turn < after; turn += 1) {
              await setImmediate();
            }
            const { spend, operations } = instances[at] ?? assert.fail();
            if (does === 'cancel') {
              return (await operations.cancel(workspaceId, key, userId)) === undefined ? 'cancelled' : 'sent';
            }
            const spent = await spend(key, async () => {
              await setImmediate();
              return { state: 'accepted' };
            });
            return spent.kind === 'performed' ? 'sent' : spent.kind;
          }),
        );
        const performed = calls.filter((call) => call.endsWith(` ${key}`)).length;
        assert.deepEqual(
          [performed, new Set(told)],
          told.includes('sent') ? [1, new Set(['sent'])] : [0, new Set(['cancelled'])],
          JSON.stringify({ steps, told }),
        );
      }),
      { numRuns: rounds(60) },
    );
    const performed = calls.length;
    assert.deepEqual([await taken(), ...(await rows())], [performed, performed, performed, performed]);
  });
});
