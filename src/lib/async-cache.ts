import { LRUCache } from 'lru-cache';
import type { Stopwatch } from './time/clock.ts';

/** Caches results of asynchronous work by key. Concurrent calls with a key share one result; errors are not cached. */
export interface AsyncCache<T> {
  /** Returns the cached result of the key, or calls `work` and caches what it resolves to. */
  get(key: string, work: () => Promise<T>): Promise<T>;
  /** Called when the next result will be another one. */
  delete(key: string): void;
  keys(): Iterable<string>;
}

export interface AsyncCacheOptions {
  /** The number of results kept; the least recently used are dropped first. */
  max: number;
  /** How long a result is served; without it, until it is dropped. */
  ttl?: { ms: number; elapsed: Stopwatch } | undefined;
}

export function createAsyncCache<T>({ max, ttl }: AsyncCacheOptions): AsyncCache<T> {
  const results = new LRUCache<string, Promise<T>>({ max, ...(ttl && expireAfter(ttl)) });
  return {
    get(key, work) {
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

    delete(key) {
      results.delete(key);
    },

    keys: () => results.keys(),
  };
}

/** Returns options for an `LRUCache` whose values expire after `ms` milliseconds of our own clock, read each time. */
export function expireAfter({ ms, elapsed }: { ms: number; elapsed: Stopwatch }) {
  // A value that is exactly as old as its `ttl` is served by the library; ours has expired.
  // The library takes the moment 0 for none, and would keep what was set then for good.
  return { ttl: ms - 1, ttlResolution: 0, perf: { now: () => elapsed() + 1 } };
}
