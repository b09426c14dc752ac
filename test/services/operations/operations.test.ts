import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { nothingShown } from '../../../src/domain/limits/seen.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { createOperations, type MeteredIntent } from '../../../src/services/operations/operations.ts';
import { Refusal } from '../../../src/services/refusal.ts';
import type { Ending, Intent } from '../../../src/store/operations/operation.ts';
import { testClient } from '../../support/provider/provider-client.ts';
import { reasonOf } from '../../support/refusals.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';

const intent: MeteredIntent = {
  workspaceId: 'T0SWITCH',
  key: 'one',
  kind: 'sms.send',
  userId: 'U0AGENT',
  summary: {},
  usage: { kind: 'purchase' },
  unchanged: nothingShown,
};

/** An operation whose outcome the test decides. */
async function begin(test: TestContext) {
  const store = await temporaryStore(test);
  const { account } = testClient(test, new URL('http://127.0.0.1:9'));
  let isConnected = true;
  const counted: string[] = [];
  const operations = createOperations(
    testContext(
      { ...store, refuseOutdated: () => {} },
      { metrics: { ...createMetrics(), operation: (kind, state) => counted.push(`${kind} ${state}`) } },
    ),
    {
      workspaces: {
        async connected() {
          if (!isConnected) {
            throw new Refusal({ kind: 'not_connected' });
          }
          return account;
        },
      },
      limits: {
        chargesOf: async () => [],
        recordRefusal: async () => assert.fail('nothing is charged'),
        warn: async () => {},
      },
    },
  );
  const { promise, resolve, reject } = Promise.withResolvers<Ending>();
  // It may reject before anything awaits it, which must not count as unhandled: the operation handles it.
  promise.catch(() => {});
  let calls = 0;
  const called = Promise.withResolvers<void>();
  const ask = (changed: Partial<Intent> = {}) =>
    operations.spend({ ...intent, ...changed }, () => {
      calls += 1;
      called.resolve();
      return promise;
    });
  const disconnect = () => {
    isConnected = false;
  };
  const perform = async (changed: Partial<Intent> = {}) => {
    const performing = await ask(changed);
    assert(performing.kind === 'performed');
    return performing;
  };
  return {
    operations,
    ask,
    perform,
    end: resolve,
    fail: reject,
    calls: () => calls,
    called: called.promise,
    counted,
    disconnect,
  };
}

describe('an operation', () => {
  it('that is requested again meanwhile waits for the same outcome, and is performed and counted once', async (test) => {
    const { operations, perform, end, calls, called, counted } = await begin(test);
    const asked = [perform(), perform(), perform()];
    await called;
    const looked = operations.findEnded('T0SWITCH', 'one', 'U0AGENT');
    end({ state: 'accepted', providerId: '42' });
    const performed = await Promise.all(asked);
    assert.deepEqual(
      performed.map(({ first, operation }) => [first, operation.state, operation.providerId]).sort(),
      [
        [false, 'accepted', '42'],
        [false, 'accepted', '42'],
        [true, 'accepted', '42'],
      ],
    );
    assert.equal((await looked)?.state, 'accepted');
    assert.equal(calls(), 1);
    assert.deepEqual(counted, ['sms.send accepted']);
  });

  it('is visible only to the user who requested it, both during and after', async (test) => {
    const { operations, perform, end, calls, called } = await begin(test);
    const asked = perform();
    await called;
    const looked = operations.findEnded('T0SWITCH', 'one', 'U0ADMIN');
    end({ state: 'accepted' });
    await asked;
    assert.equal(await looked, undefined);
    assert.equal(await operations.findEnded('T0SWITCH', 'one', 'U0ADMIN'), undefined);
    assert.equal(await operations.findEnded('T0OTHER', 'one', 'U0AGENT'), undefined);
    assert.equal((await operations.findEnded('T0SWITCH', 'one', 'U0AGENT'))?.state, 'accepted');
    assert.deepEqual(await operations.recent('T0SWITCH', 'U0ADMIN', 10), []);
    const { operation } = await asked;
    assert.equal(await operations.findEnded('T0SWITCH', operation.key, 'U0ADMIN'), undefined);

    const anothers = await perform({ key: operation.key, userId: 'U0ADMIN' });
    assert.equal(anothers.first, true, 'under the key of another it is one of their own');
    assert.equal(calls(), 2);
    assert.equal((await operations.findEnded('T0SWITCH', 'one', 'U0AGENT'))?.id, operation.id);
  });

  it('that was cancelled is never performed, and does not affect another user’s', async (test) => {
    const { operations, ask, perform, end, calls } = await begin(test);
    assert.equal(await operations.cancel('T0SWITCH', 'one', 'U0AGENT'), undefined);
    end({ state: 'accepted' });
    assert.deepEqual(await reasonOf(ask()), { kind: 'cancelled', of: 'sms.send' });
    assert.equal(await operations.cancel('T0SWITCH', 'one', 'U0AGENT'), undefined);
    assert.equal(await operations.isCancelled('T0SWITCH', 'one', 'U0AGENT'), true);
    assert.equal(calls(), 0);
    assert.equal(await operations.isCancelled('T0SWITCH', 'one', 'U0ADMIN'), false);
    assert.equal((await perform({ userId: 'U0ADMIN' })).first, true);
  });

  it('that breaks off is unconfirmed, without the text of the error, and is not performed again', async (test) => {
    const { operations, ask, perform, fail, calls, counted } = await begin(test);
    const failure = new Error('Hello +2348031234567');
    fail(failure);
    await assert.rejects(ask(), failure);
    const operation = await operations.findEnded('T0SWITCH', 'one', 'U0AGENT');
    assert.deepEqual([operation?.state, operation?.error], ['unconfirmed', { reason: 'failed_midway' }]);
    assert.equal((await perform()).first, false);
    assert.deepEqual([calls(), counted], [1, []]);
  });

  it('is neither performed nor recorded without a provider key', async (test) => {
    const { operations, ask, disconnect, calls } = await begin(test);
    disconnect();
    assert.deepEqual(await reasonOf(ask()), { kind: 'not_connected' });
    assert.equal(calls(), 0);
    assert.equal(await operations.findEnded('T0SWITCH', 'one', 'U0AGENT'), undefined);
  });
});
