import { subDays } from 'date-fns/subDays';
import type { Log } from './lib/log.ts';
import type { Time } from './lib/time/clock.ts';
import type { Approvals } from './services/approvals/approvals.ts';
import type { CampaignService } from './services/campaigns/campaign-service.ts';
import type { BalanceAlerts } from './services/costs/balance-alerts.ts';
import type { Costs } from './services/costs/costs.ts';
import type { ErasureService } from './services/erasure/erasure-service.ts';
import type { Replies } from './services/replies/replies.ts';
import type { SlackApp } from './slack/app/slack-app.ts';
import { auditDays } from './store/audit/expire-audit.ts';
import { type PeriodicWork, wakeTopics } from './store/jobs/jobs.ts';
import type { Store } from './store/store.ts';

const minute = 60_000;
const hour = 60 * minute;
/** How long campaigns that were imported and never started are kept. */
const unstartedRetentionDays = 1;

/** How often each is done, by its name. */
export const periods = {
  notices: minute,
  deliveries: minute,
  stops: minute,
  approvals: minute,
  progress: minute,
  'removed-workspaces': minute,
  installations: hour,
  'ended-campaigns': minute,
  balances: 5 * minute,
  erasures: 10 * minute,
  keys: minute,
  expired: hour,
} as const;

interface BackgroundWork {
  slack: SlackApp;
  store: Store;
  services: {
    approvals: Pick<Approvals, 'tick'>;
    campaigns: Pick<CampaignService, 'lostRecipients'>;
    balanceAlerts: Pick<BalanceAlerts, 'tick'>;
    costs: Pick<Costs, 'currencyAt'>;
    erasure: Pick<ErasureService, 'resume'>;
    replies: Pick<Replies, 'confirmStops'>;
  };
  /** Called with the operations that are not unconfirmed any more, for the metrics. */
  onResolved: (operations: number) => void;
  retentionDays: number;
  time: Time;
  log: Log;
}

export interface RunningBackgroundWork {
  /** Rejects with a StoreError where it cannot be done. */
  started: Promise<void>;
  /** Begins nothing more, and waits for the current runs. */
  stop(): Promise<void>;
}

/** Starts what is done repeatedly: on one instance at a time, whichever it is, but for what concerns each. */
export function startBackgroundWork(options: BackgroundWork): RunningBackgroundWork {
  const { slack, store, services, log } = options;
  const { jobs } = store;
  const logError = (message: string) => (error: unknown) => log.error({ err: error }, message);

  async function notify(signal: AbortSignal): Promise<void> {
    await slack.addRestored().catch(logError('notices about restored data could not be written yet'));
    await slack.notify(signal);
  }

  const every = (name: keyof typeof periods, work: PeriodicWork['work'], options?: { atStart: boolean }) =>
    jobs.every(name, periods[name], work, options);
  // What an instance left that ended is not waited for longer than it takes to start again.
  const atStart = true;
  every('notices', notify, { atStart });
  jobs.onWake(wakeTopics.notices, (_, signal) => notify(signal));
  const follow = createFollow(options);
  every('deliveries', follow, { atStart });
  jobs.onWake(wakeTopics.deliveries, (_, signal) => follow(signal));
  every('stops', services.replies.confirmStops, { atStart });
  jobs.onWake(wakeTopics.stops, (_, signal) => services.replies.confirmStops(signal));
  every('approvals', services.approvals.tick, { atStart });
  jobs.onWake(wakeTopics.approvals, services.approvals.tick);
  every('progress', slack.showUnshown, { atStart });
  every('removed-workspaces', slack.sweep);
  every('installations', slack.checkInstallations);
  every('ended-campaigns', () => store.campaigns.recordEnded());
  every('balances', services.balanceAlerts.tick);
  every('erasures', services.erasure.resume, { atStart });
  every('keys', store.keyRotation.rotate, { atStart });
  every('expired', createDeleteExpired(options));

  return {
    started: jobs.start(),
    stop: jobs.stop,
  };
}

/** Returns a function that does what follows from new delivery reports, and counts what they say of costs. */
function createFollow({ slack, store, services, onResolved, log }: BackgroundWork): PeriodicWork['work'] {
  /** Without a currency, costs are counted all the same. */
  const currencyOf = (workspaceId: string) =>
    services.costs.currencyAt(workspaceId).catch((error: unknown) => {
      log.error({ err: error, workspace: workspaceId }, 'the currency of a workspace could not be read');
      return () => undefined;
    });
  return async (signal) => {
    const { resolved, recipients, campaigns, notices, reduced } = await store.deliveries.follow(signal);
    for (const [workspaceId, own] of Map.groupBy(reduced, (campaign) => campaign.workspaceId)) {
      await services.campaigns.lostRecipients(
        workspaceId,
        own.map(({ id }) => id),
      );
    }
    const costs = await store.costs.count(currencyOf, signal);
    if (resolved > 0) {
      onResolved(resolved);
      log.info({ operations: resolved }, 'unconfirmed operations turned out to be accepted');
    }
    if (recipients > 0) {
      log.info({ recipients }, 'unconfirmed recipients of campaigns turned out to be accepted');
    }
    if (recipients > 0 || campaigns > 0 || costs > 0) {
      await slack.showUnshown();
    }
    if (notices > 0 || recipients > 0) {
      await store.jobs.wake(wakeTopics.notices, '');
    }
  };
}

/** Returns a function that deletes what has expired. */
function createDeleteExpired({ store, retentionDays, time, log }: BackgroundWork): () => Promise<void> {
  return async () => {
    const now = time.now();
    await store.approvals.expire(subDays(now, retentionDays));
    await store.campaigns.expire(subDays(now, retentionDays), subDays(now, unstartedRetentionDays));
    await store.deliveries.expire(subDays(now, retentionDays));
    await store.costs.expire(subDays(now, auditDays), subDays(now, unstartedRetentionDays));
    await store.replies.expire(subDays(now, retentionDays));
    await store.suppressionList.expireAnswers(subDays(now, retentionDays));
    const kept = await store.audit.expire(subDays(now, auditDays));
    if (kept.length > 0) {
      log.error({ workspaces: kept }, 'the audit was changed: `npm run audit -- verify` says where');
    }
  };
}
