import type { Stopwatch } from './clock.ts';

/** Calls `report` at most once in `ms` milliseconds: what anybody can cause must not be able to fill the log. */
export function throttle<Value>(
  ms: number,
  elapsed: Stopwatch,
  report: (value: Value) => void,
): (value: Value) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    if (elapsed() - last >= ms) {
      last = elapsed();
      report(value);
    }
  };
}
