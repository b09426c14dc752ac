import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepLatest } from '../../src/lib/lru-cache.ts';

test('the latest are kept, as they were kept last, and what was kept before them is gone', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 20 });
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 4 }), (kept, most) => {
      const latest = keepLatest<number>(most);
      for (const [index, key] of kept.entries()) {
        latest.keep(key, index);
      }
      const newest = [...new Set(kept.toReversed())];
      for (const key of newest.slice(0, most)) {
        assert.equal(latest.get(key), kept.lastIndexOf(key));
      }
      for (const key of newest.slice(most)) {
        assert.equal(latest.get(key), undefined);
      }
    }),
  );
});
