import { subDays } from 'date-fns/subDays';
import type { Log } from './lib/log.ts';
import { startInterval } from './lib/time/interval.ts';
import type { Timers } from './lib/time/timers.ts';
import type { Time } from './lib/time/trusted-time.ts';
import type { Approvals } from './services/approvals/approvals.ts';
import type { SlackApp } from './slack/app/slack-app.ts';
import type { Store } from './store/store.ts';

const minute = 60_000;
/** How often expired campaigns and entries of the audit are deleted. Whether that is due is asked each minute, as the clock may be in doubt. */
const deleteExpiredEvery = 60 * minute;
/** How long campaigns that were imported and never started are kept. */
const unstartedRetentionDays = 1;

interface BackgroundWork {
  slack: SlackApp;
  store: Store;
  services: { approvals: Pick<Approvals, 'tick'> };
  retentionDays: number;
  auditDays: number;
  time: Time;
  timers: Timers;
  log: Log;
}

/** Starts what is done once a minute. Returns a function that stops it and waits for the current runs. */
export function startBackgroundWork(options: BackgroundWork): () => Promise<void> {
  const { slack, store, time, timers, log } = options;
  const logError = (message: string) => (error: unknown) => log.error({ err: error }, message);
  const everyMinute = (failure: string, run: (signal: AbortSignal) => Promise<void>) =>
    startInterval({ ms: minute, timers, onError: logError(failure), run });

  const stops = [
    everyMinute('due notices could not be sent', async (signal) => {
      await slack.addRestored().catch(logError('notices about restored data could not be written yet'));
      await slack.notify(signal);
    }),
    everyMinute('requests for approval could not be ended yet', () => options.services.approvals.tick()),
    everyMinute('removed workspaces could not be forgotten yet', () => slack.sweep()),
    everyMinute('the known time could not be saved', () => saveTime(store, time)),
    everyMinute('ended campaigns could not be put into the audit yet', () => store.campaigns.recordEnded()),
    everyMinute('what has expired could not be deleted yet', createDeleteExpired(options)),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function saveTime(store: Store, time: Time): Promise<void> {
  const known = time.snapshot();
  if (known !== undefined) {
    await store.knownTime.write(known);
  }
}

/** Returns a function that deletes what has expired if that is due and the clock is trusted. */
function createDeleteExpired({
  store,
  retentionDays,
  auditDays,
  time,
  log,
}: BackgroundWork): () => Promise<void> {
  let deleteFrom = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = time.elapsed() < deleteFrom ? undefined : time.trustedForDeletion();
    if (now !== undefined) {
      deleteFrom = time.elapsed() + deleteExpiredEvery;
      await store.approvals.expire(subDays(now, retentionDays));
      await store.campaigns.expire(subDays(now, retentionDays), subDays(now, unstartedRetentionDays));
      const kept = await store.audit.expire(subDays(now, auditDays));
      if (kept.length > 0) {
        log.error({ workspaces: kept }, 'the audit was changed: `npm run audit -- verify` says where');
      }
    }
  };
}
