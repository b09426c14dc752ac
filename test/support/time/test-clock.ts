import { machineTime, type Time } from '../../../src/lib/time/clock.ts';

/** A clock that the test moves. */
export interface MovedClock {
  clock: Time;
  /** Lets time pass. */
  pass(milliseconds: number): void;
  /** Sets the clock forwards or back without any time passing. */
  leap(milliseconds: number): void;
}

/** A clock that stands still until the test moves it. */
export function stoppedClock(from = new Date()): MovedClock {
  const [now, elapsed] = [from.getTime(), 1_000_000];
  return moved({ now: () => new Date(now), elapsed: () => elapsed });
}

/** A clock that runs as the machine's does, from a given moment. */
export function runningClock(from = new Date()): MovedClock {
  const ahead = from.getTime() - Date.now();
  return moved({ now: () => new Date(Date.now() + ahead), elapsed: machineTime.elapsed });
}

function moved({ now, elapsed }: Time): MovedClock {
  let passed = 0;
  let leapt = 0;
  return {
    clock: {
      now: () => new Date(now().getTime() + passed + leapt),
      elapsed: () => elapsed() + passed,
    },
    pass(milliseconds) {
      passed += milliseconds;
    },
    leap(milliseconds) {
      leapt += milliseconds;
    },
  };
}
