import type { Stopwatch } from '../../../lib/time/clock.ts';

/** Measures the messages a second of one campaign. */
export interface ThroughputMeter {
  record(messages: number): void;
  /** Returns the messages a second, averaged over the last 30 seconds. */
  perSecond(): number;
}

const windowSeconds = 30;

/** Keeps one count for each second of the window, so memory does not grow with the messages. */
export function createThroughputMeter(elapsed: Stopwatch): ThroughputMeter {
  const startedAt = elapsed();
  const counts = new Map<number, number>();
  const secondsSinceStart = () => (elapsed() - startedAt) / 1000;

  function dropOld(): void {
    const oldest = Math.floor(secondsSinceStart()) - windowSeconds;
    for (const second of counts.keys()) {
      if (second <= oldest) {
        counts.delete(second);
      }
    }
  }

  return {
    record(messages) {
      const second = Math.floor(secondsSinceStart());
      counts.set(second, (counts.get(second) ?? 0) + messages);
      dropOld();
    },
    perSecond() {
      dropOld();
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return total / Math.min(windowSeconds, Math.max(1, secondsSinceStart()));
    },
  };
}
