import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../lib/time/clock.ts';
import type { Timers } from '../../../../lib/time/timers.ts';
import type { SlackInstallations } from '../../../../store/slack-installations/slack-installations.ts';

/**
 * In milliseconds: longer than what is done under a lease takes. An instance that stops in the middle of it holds up the
 * others for this long.
 */
const leaseMs = 60_000;
const pollMs = 100;

/** The right to change an installation: one at a time, of all instances on the database. */
export interface Leases {
  /** Calls `work` under the lease of an owner. Resolves with undefined where somebody else holds it. */
  tryWith<Result>(ownerId: string, work: () => Promise<Result>): Promise<{ result: Result } | undefined>;
  /** As `tryWith`, but waits for the lease. Throws if it is not free in time: its holder works for longer than it lasts. */
  with<Result>(ownerId: string, work: () => Promise<Result>): Promise<Result>;
}

export function createLeases(options: {
  installations: Pick<SlackInstallations, 'takeLease' | 'returnLease'>;
  clock: Clock;
  timers: Timers;
}): Leases {
  const { installations, clock, timers } = options;

  async function tryWith<Result>(
    ownerId: string,
    work: () => Promise<Result>,
  ): Promise<{ result: Result } | undefined> {
    const holder = randomUUID();
    const now = clock().getTime();
    if (!(await installations.takeLease(ownerId, { holder, now, expires: now + leaseMs }))) {
      return undefined;
    }
    try {
      return { result: await work() };
    } finally {
      await installations.returnLease(ownerId, holder);
    }
  }

  return {
    tryWith,
    async with(ownerId, work) {
      for (let waited = 0; waited <= leaseMs + pollMs; waited += pollMs) {
        const done = await tryWith(ownerId, work);
        if (done !== undefined) {
          return done.result;
        }
        await timers.sleep(pollMs);
      }
      throw new Error('the installation is being changed by another instance');
    },
  };
}
