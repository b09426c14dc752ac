/** How much passed of late. */
export interface ThroughputMeter {
  passed(count: number): void;
  /** A second, over the last half minute. */
  perSecond(): number;
}

const seconds = 30;

/** Counts by the second, so that it takes no room however much passes. */
export function createThroughputMeter(now: () => number = () => performance.now()): ThroughputMeter {
  const begun = now();
  const counts = new Map<number, number>();
  const second = () => Math.floor((now() - begun) / 1000);

  function forgetOld(): void {
    for (const at of counts.keys()) {
      if (at <= second() - seconds) {
        counts.delete(at);
      }
    }
  }

  return {
    passed(count) {
      const at = second();
      counts.set(at, (counts.get(at) ?? 0) + count);
      forgetOld();
    },
    perSecond() {
      forgetOld();
      const passed = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return passed / Math.min(seconds, Math.max(1, (now() - begun) / 1000));
    },
  };
}
