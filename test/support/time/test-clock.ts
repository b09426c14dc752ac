import { type MachineClocks, machineClocks } from '../../../src/lib/clock.ts';

/** A machine's clocks as a test moves them. */
export interface MovedClock {
  clock: MachineClocks;
  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): void;
  /** Sets the clock forwards, or back, while no time passes. */
  leap(milliseconds: number): void;
  /** The machine starts anew, and with it its uptime. */
  reboot(): void;
}

/** Stands still until the test moves it. */
export function stoppedClock(): MovedClock {
  const [now, uptime] = [Date.now(), 1_000_000];
  return moved({ wall: () => new Date(now), uptime: () => uptime });
}

/** Goes on as the machine's own, from this moment or another. */
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
