import type { Timers } from '../../src/lib/time/timers.ts';

export interface RestingTimers extends Timers {
  /** Lets sleeps end until the returned function is called, or until all other callers are done too. */
  wake(): () => void;
}

/** Timers whose sleeps end only while a test needs them, so that an idle shared app doesn't look for work. */
export function restingTimers(timers: Timers): RestingTimers {
  let users = 0;
  let woken = Promise.withResolvers<void>();
  return {
    ...timers,
    async sleep(ms, signal) {
      await timers.sleep(ms, signal);
      if (users > 0 || signal?.aborted) {
        return;
      }
      const aborted = Promise.withResolvers<void>();
      const end = () => aborted.resolve();
      signal?.addEventListener('abort', end, { once: true });
      await Promise.race([woken.promise, aborted.promise]);
      signal?.removeEventListener('abort', end);
    },
    wake() {
      users += 1;
      woken.resolve();
      return () => {
        users -= 1;
        if (users === 0) {
          woken = Promise.withResolvers();
        }
      };
    },
  };
}
