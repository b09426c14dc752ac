import { randomUUID } from 'node:crypto';
import { keepRenewed } from '../../../lib/time/interval.ts';
import type { ProgramContext } from '../../client/slack-context.ts';

/** In milliseconds. An instance that stops midway holds up the others for this long. */
const leaseMs = 60_000;
/** Several times before the lease ends: to delete a workspace may take longer. */
const renewMs = 20_000;
const pollMs = 100;

export type Leases = ReturnType<typeof createLeases>;

/** The right to change an installation: one at a time, of all instances on the database. */
export function createLeases({
  store: { slackInstallations: installations },
  timers,
}: Pick<ProgramContext, 'store' | 'timers'>) {
  /** Calls `work` under the lease of an owner. Resolves with undefined where somebody else holds it. */
  async function tryWith<Result>(
    ownerId: string,
    work: () => Promise<Result>,
  ): Promise<{ result: Result } | undefined> {
    const holder = randomUUID();
    const take = () => installations.takeLease(ownerId, { holder, ms: leaseMs });
    if (!(await take())) {
      return undefined;
    }
    const stop = keepRenewed(take, { ms: renewMs, timers });
    try {
      return { result: await work() };
    } finally {
      await stop();
      await installations.returnLease(ownerId, holder);
    }
  }

  return {
    tryWith,
    /** As `tryWith`, but waits for the lease. Throws if it is not free in time: its holder works for longer than it lasts. */
    async with<Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> {
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
