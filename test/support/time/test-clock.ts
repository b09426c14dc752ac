import { type MachineClocks, machineClocks } from '../../../src/lib/time/clock.ts';

/** Clocks that the test moves. */
export interface MovedClock {
  clock: MachineClocks;
  /** Lets time pass. */
  pass(milliseconds: number): void;
  /** Sets the wall clock forwards or back without any time passing. */
  leap(milliseconds: number): void;
  /** Restarts the uptime, as a reboot does. */
  reboot(): void;
}

/** A clock that stands still until the test moves it. */
export function stoppedClock(): MovedClock {
  const [now, uptime] = [Date.now(), 1_000_000];
  return moved({ wall: () => new Date(now), uptime: () => uptime });
}

/** A clock that runs as the machine's does, from a given moment. */
export function runningClock(from = new Date()): MovedClock {
  const ahead = from.getTime() - Date.now();
  return moved({ wall: () => new Date(Date.now() + ahead), uptime: machineClocks.uptime });
}

function moved({ wall, uptime }: MachineClocks): MovedClock {
  let passed = 0;
  let leapt = 0;
  let bootedAt = 0;
  return {
    clock: {
      wall: () => new Date(wall().getTime() + passed + leapt),
      uptime: () => uptime() + passed - bootedAt,
    },
    pass(milliseconds) {
      passed += milliseconds;
    },
    leap(milliseconds) {
      leapt += milliseconds;
    },
    reboot() {
      bootedAt = uptime() + passed;
    },
  };
}
