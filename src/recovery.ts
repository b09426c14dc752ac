import type { Log } from './lib/log.ts';
import type { Time } from './lib/time/clock.ts';
import { startInterval } from './lib/time/interval.ts';
import type { Timers } from './lib/time/timers.ts';
import { wakeTopics } from './store/jobs/jobs.ts';
import type { Store } from './store/store.ts';

/** How often it is looked whether another instance is dead. */
const watchMs = 2_000;

/** Takes up what the last run left under way when it stopped. */
export async function recover(store: Store, time: Time, log: Log): Promise<void> {
  const { takeover } = store.installation;
  if (takeover !== undefined) {
    log.warn(
      { noticed: takeover.reason, campaigns: takeover.heldCampaigns },
      'the data was restored or copied: its campaigns are paused until they are resumed, and open forms are void',
    );
  }
  await endInterrupted(store, time, log);
  await store.approvals.recover();
  await store.campaigns.recordEnded();
  await store.outbox.recover(time.now());
}

/** Ends what dead runs had under way, and returns whether there was any. Several instances may do so at once. */
async function endInterrupted(store: Store, time: Time, log: Log): Promise<boolean> {
  const operations = await store.ledger.recover(time.now());
  if (operations > 0) {
    log.warn({ operations }, 'operations under way when the program ended are now unconfirmed');
  }
  const recipients = await store.campaigns.recover(time.now());
  if (recipients > 0) {
    log.warn({ recipients }, 'recipients of campaigns in flight when the program ended are now unconfirmed');
  }
  await store.limits.reservations.settleLeft();
  return operations > 0 || recipients > 0;
}

/** Ends what other instances had under way, once they are dead. Returns what stops that. */
export function watchInstances(
  store: Store,
  { time, timers, log }: { time: Time; timers: Timers; log: Log },
): () => Promise<void> {
  if (store.instances.isAlone) {
    return async () => {};
  }
  return startInterval({
    ms: watchMs,
    timers,
    onError: (error) => log.error({ err: error }, 'what other instances left could not be ended yet'),
    async run() {
      const dead = await store.instances.removeDead();
      if (dead > 0) {
        log.warn({ dead }, 'other instances have ended without stopping');
      }
      // Also without: one that had just died may have begun something, or another instance died while it did this.
      if (await endInterrupted(store, time, log)) {
        await store.jobs.wake(wakeTopics.notices, '');
      }
    },
  });
}
