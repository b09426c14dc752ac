import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import {
  createAccountListCache,
  type FetchedList,
} from '../../../src/services/workspaces/account-list-cache.ts';
import { testClient } from '../../support/provider/provider-client.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const nowhere = new URL('http://127.0.0.1:9');
const ttlMs = 60_000;

/** A list whose fetches the test resolves, in the order in which they began. */
function listOf(test: TestContext) {
  const { clock, pass } = stoppedClock();
  const fetches: PromiseWithResolvers<FetchedList<string>>[] = [];
  const list = createAccountListCache<string>({
    ttlMs,
    timers: systemTimers,
    elapsed: clock.elapsed,
    fetch: () => {
      const fetch = Promise.withResolvers<FetchedList<string>>();
      fetches.push(fetch);
      return fetch.promise;
    },
  });
  return { list, fetches, account: testClient(test, nowhere).account, pass };
}

describe('a cached list of an account', () => {
  it('is fetched once for concurrent requests, and again when it is stale', async (test) => {
    const { list, fetches, account, pass } = listOf(test);
    const asked = [list.get(account), list.get(account)];
    fetches[0]?.resolve({ records: ['one'] });
    assert.deepEqual(await Promise.all(asked), [{ records: ['one'] }, { records: ['one'] }]);
    pass(ttlMs - 1);
    assert.deepEqual(await list.get(account), { records: ['one'] });
    assert.equal(fetches.length, 1);
    pass(1);
    const later = list.get(account);
    fetches[1]?.resolve({ records: ['one', 'two'] });
    assert.deepEqual(await later, { records: ['one', 'two'] });
  });

  it('is never returned for another account', async (test) => {
    const { list, fetches, account } = listOf(test);
    const own = list.get(account);
    fetches[0]?.resolve({ records: ['one'] });
    await own;
    const others = list.getWithin(testClient(test, nowhere).account, 0);
    assert.deepEqual(await others, { records: [], note: 'The provider is slow' });
    assert.equal(fetches.length, 2);
  });

  it('is returned as last seen, with the reason, if it cannot be fetched', async (test) => {
    const { list, fetches, account, pass } = listOf(test);
    const first = list.get(account);
    fetches[0]?.resolve({ failure: 'The provider’s list isn’t available' });
    assert.deepEqual(await first, { records: [], note: 'The provider’s list isn’t available' });
    const second = list.get(account);
    fetches[1]?.resolve({ records: ['one'] });
    await second;
    pass(ttlMs);
    const third = list.get(account);
    fetches[2]?.resolve({ failure: 'The provider’s list isn’t available' });
    const note = 'The provider’s list isn’t available: shown as last seen';
    assert.deepEqual(await third, { records: ['one'], note });
  });

  it('is fetched again after an invalidation, not taken from a fetch that began earlier', async (test) => {
    const { list, fetches, account } = listOf(test);
    const before = list.get(account);
    list.invalidate(account);
    const after = list.get(account);
    assert.equal(fetches.length, 2);
    fetches[1]?.resolve({ records: ['one', 'two'] });
    await after;
    fetches[0]?.resolve({ records: ['one'] });
    await before;
    assert.deepEqual(await list.get(account), { records: ['one', 'two'] });
    list.invalidate(account);
    assert.deepEqual((await list.getWithin(account, 0)).records, ['one', 'two']);
  });
});
