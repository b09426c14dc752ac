import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAsyncCache } from '../../src/lib/async-cache.ts';

const max = 1_000;

/** A cache whose work counts its calls and resolves to the count. */
function begin() {
  let now = 1_000_000;
  let calls = 0;
  const cache = createAsyncCache<string>({ max, ttl: { ms: 1_000, elapsed: () => now } });
  return {
    cache,
    get: (key: string) =>
      cache.get(key, async () => {
        calls += 1;
        if (key === 'broken') {
          throw new Error('there is no answer');
        }
        return `${key} ${calls}`;
      }),
    calls: () => calls,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('a cache of asynchronous results', () => {
  it('calls the work once for concurrent reads, and again when the result has expired', async () => {
    const { get, pass } = begin();
    assert.deepEqual(await Promise.all([get('a'), get('a')]), ['a 1', 'a 1']);
    pass(999);
    assert.equal(await get('a'), 'a 1');
    pass(1);
    assert.equal(await get('a'), 'a 2');
  });

  it('expires a result of the moment 0 too', async () => {
    let now = 0;
    let calls = 0;
    const cache = createAsyncCache<number>({ max, ttl: { ms: 1_000, elapsed: () => now } });
    const work = async () => {
      calls += 1;
      return calls;
    };
    assert.equal(await cache.get('a', work), 1);
    now = 1_000;
    assert.equal(await cache.get('a', work), 2);
  });

  it('keeps the results of different keys apart', async () => {
    const { get } = begin();
    assert.deepEqual([await get('a'), await get('b')], ['a 1', 'b 2']);
  });

  it('calls the work again after a delete, also while the work was under way', async () => {
    const { cache, get } = begin();
    const early = get('a');
    cache.delete('a');
    assert.equal(await get('a'), 'a 2');
    assert.equal(await early, 'a 1');
    assert.equal(await get('a'), 'a 2');
  });

  it('calls the work again after an error', async () => {
    const { get, calls } = begin();
    await assert.rejects(get('broken'));
    await assert.rejects(get('broken'));
    assert.equal(calls(), 2);
  });

  it('keeps at most the given number of results, and drops the least recently used', async () => {
    const { get } = begin();
    for (let key = 0; key < max; key += 1) {
      await get(`${key}`);
    }
    assert.equal(await get('0'), '0 1');
    await get('one more');
    assert.equal(await get('0'), '0 1');
    assert.equal(await get('1'), `1 ${max + 2}`);
  });
});
