import { LRUCache } from 'lru-cache';
import type { Stopwatch } from './time/clock.ts';

export type AsyncCache<T> = ReturnType<typeof createAsyncCache<T>>;

/**
 * Caches results of asynchronous work by key. Concurrent calls with a key share one result; errors are not cached.
 *
 * @param max the number of results kept; the least recently used are dropped first
 * @param ttl how long a result is served; without it, until it is dropped
 */
export function createAsyncCache<T>({
  max,
  ttl,
}: {
  max: number;
  ttl?: { ms: number; elapsed: Stopwatch } | undefined;
}) {
  const results = new LRUCache<string, Promise<T>>({ max, ...(ttl && expireAfter(ttl)) });
  return {
    /** Returns the cached result of the key, or calls `work` and caches what it resolves to. */
    get(key: string, work: () => Promise<T>): Promise<T> {
      const cached = results.get(key);
      if (cached !== undefined) {
        return cached;
      }
      const result = work();
      results.set(key, result);
      result.catch(() => {
        if (results.peek(key) === result) {
          results.delete(key);
        }
      });
      return result;
    },

    /** Called when the next result will be another one. */
    delete(key: string): void {
      results.delete(key);
    },

    keys: () => results.keys(),
  };
}

/** Returns options for an `LRUCache` whose values expire after `ms` milliseconds of our own clock, read each time. */
export function expireAfter({ ms, elapsed }: { ms: number; elapsed: Stopwatch }) {
  // A value that is exactly as old as its `ttl` is served by the library; ours has expired.
  // The library reads the moment 0 as unset, and would keep a value from then for good.
  return { ttl: ms - 1, ttlResolution: 0, perf: { now: () => elapsed() + 1 } };
}
