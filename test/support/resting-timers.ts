import type { Timers } from '../../src/lib/time/timers.ts';

export interface RestingTimers extends Timers {
  /** Lets sleeps end until the function that it returns is called, and for as long as somebody else needs them to. */
  wake(): () => void;
}

/** Timers whose sleeps end only while somebody needs them to: an app that no test uses looks for nothing to do meanwhile. */
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
