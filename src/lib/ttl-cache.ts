import type { Stopwatch } from './clock.ts';

/** Answers that are asked for far more often than they change. */
export interface TtlCache<T> {
  /** The answer for a key: one from before while it is fresh, else a new one. A failure is not remembered. */
  get(key: string): Promise<T>;
  /** For whoever has changed what the next answer will be. */
  forget(key: string): void;
}

/** How many answers are kept at most, all together. */
const mostKept = 1_000;

/** `freshFor` is in milliseconds: how late a change is noticed that another process made. */
export function createTtlCache<T>(options: {
  ask: (key: string) => Promise<T>;
  freshFor: number;
  elapsed: Stopwatch;
}): TtlCache<T> {
  const { ask, freshFor, elapsed } = options;
  const kept = new Map<string, { answer: Promise<T>; until: number }>();
  return {
    get(key) {
      const now = elapsed();
      const last = kept.get(key);
      if (last !== undefined && now < last.until) {
        return last.answer;
      }
      if (kept.size >= mostKept) {
        kept.clear();
      }
      const next = { answer: ask(key), until: now + freshFor };
      kept.set(key, next);
      next.answer.catch(() => {
        if (kept.get(key) === next) {
          kept.delete(key);
        }
      });
      return next.answer;
    },

    forget(key) {
      kept.delete(key);
    },
  };
}
