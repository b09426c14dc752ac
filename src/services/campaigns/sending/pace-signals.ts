import type { PaceSignals } from '../../../store/campaigns/sending/pace.ts';
import type { PaceListener } from './circuit-breaker.ts';

/** Gathers what responses say of the pace, until the store is told. */
export interface PaceSignalBuffer extends PaceListener {
  /** Returns what was gathered, and forgets it. */
  take(): PaceSignals;
  /** Puts back what could not be stored. */
  putBack(signals: PaceSignals): void;
}

export function createPaceSignals(): PaceSignalBuffer {
  let successes = 0;
  let backOff: PaceSignals['backOff'];

  /** Of two waits that the provider asks for, the longer one counts. */
  function addBackOff({ retryAfterMs }: NonNullable<PaceSignals['backOff']>): void {
    const waits = [retryAfterMs, backOff?.retryAfterMs].filter((wait) => wait !== undefined);
    backOff = { retryAfterMs: waits.length === 0 ? undefined : Math.max(...waits) };
  }

  return {
    recordSuccess() {
      successes += 1;
    },
    backOff: (retryAfterMs) => addBackOff({ retryAfterMs }),
    take() {
      const taken = { successes, backOff };
      successes = 0;
      backOff = undefined;
      return taken;
    },
    putBack(signals) {
      successes += signals.successes;
      if (signals.backOff !== undefined) {
        addBackOff(signals.backOff);
      }
    },
  };
}
