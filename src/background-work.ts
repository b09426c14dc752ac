import { subDays } from 'date-fns/subDays';
import { startInterval } from './lib/time/interval.ts';
import type { SlackApp } from './slack/app/slack-app.ts';
import type { ProgramContext } from './slack/client/slack-context.ts';
import { auditDays } from './store/audit/expire-audit.ts';
import { draftMs } from './store/campaigns/campaigns.ts';
import { jobTopics, type PeriodicWork } from './store/engine/jobs/jobs.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How often each is done, by its name. */
export const periods = {
  notices: minute,
  deliveries: minute,
  stops: minute,
  approvals: minute,
  codes: minute,
  progress: minute,
  'removed-workspaces': minute,
  installations: hour,
  'ended-campaigns': minute,
  watchers: minute,
  erasures: 10 * minute,
  keys: minute,
  expired: hour,
} as const;

/**
 * Starts the periodic work, most of it on one instance at a time. `started` rejects with a StoreError if that fails. `stop`
 * starts nothing more, and waits for the current runs.
 */
export function startBackgroundWork(
  context: ProgramContext,
  slack: SlackApp,
): { started: Promise<void>; stop(): Promise<void> } {
  const { store, services, log } = context;
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
  jobs.handle(jobTopics.notices, (_, signal) => notify(signal));
  const follow = createFollow(context, slack);
  every('deliveries', follow, { atStart });
  jobs.handle(jobTopics.deliveries, (_, signal) => follow(signal));
  every('stops', services.replies.confirmStops, { atStart });
  jobs.handle(jobTopics.stops, (_, signal) => services.replies.confirmStops(signal));
  every('approvals', services.approvals.tick, { atStart });
  jobs.handle(jobTopics.approvals, services.approvals.tick);
  every('codes', async () => {
    if ((await store.ledger.expireCodes()) > 0) {
      await jobs.enqueue(jobTopics.notices, '');
    }
  });
  every('progress', slack.showUnshown, { atStart });
  every('removed-workspaces', slack.sweep);
  every('installations', slack.checkInstallations);
  every('ended-campaigns', () => store.campaigns.recordEnded());
  every('watchers', services.watchers.tick);
  every('erasures', services.erasure.resume, { atStart });
  every('keys', store.keyRotation.rotate, { atStart });
  every('expired', () => deleteExpired(context));

  return {
    started: jobs.start(),
    stop: jobs.stop,
  };
}

/** Returns a function that acts on new delivery reports, and counts the costs they report. */
function createFollow(
  { store, services, metrics, log }: ProgramContext,
  slack: SlackApp,
): PeriodicWork['work'] {
  /** Without a currency, costs are counted all the same. */
  const currencyOf = (workspaceId: string) =>
    services.costs.currencyAt(workspaceId).catch((error: unknown) => {
      log.error({ err: error, workspace: workspaceId }, 'the currency of a workspace could not be read');
      return () => undefined;
    });
  return async (signal) => {
    const { resolved, recipients, campaigns, notices, reduced } = await store.deliveries.follow(signal);
    for (const [workspaceId, ofWorkspace] of Map.groupBy(reduced, (campaign) => campaign.workspaceId)) {
      await services.campaigns.lostRecipients(
        workspaceId,
        ofWorkspace.map(({ id }) => id),
      );
    }
    const costs = await store.costs.count(currencyOf, signal);
    if (resolved > 0) {
      metrics.resolved(resolved);
      log.info({ operations: resolved }, 'unconfirmed operations turned out to be accepted');
    }
    if (recipients > 0) {
      log.info({ recipients }, 'unconfirmed recipients of campaigns turned out to be accepted');
    }
    if (recipients > 0 || campaigns > 0 || costs > 0) {
      await slack.showUnshown();
    }
    if (notices > 0 || recipients > 0) {
      await store.jobs.enqueue(jobTopics.notices, '');
    }
  };
}

async function deleteExpired({ settings, store, time, log }: ProgramContext): Promise<void> {
  const now = time.now();
  const retained = subDays(now, settings.retentionDays);
  const unstarted = new Date(now.getTime() - draftMs);
  await store.approvals.expire(retained);
  await store.campaigns.expire(retained, unstarted);
  await store.jobs.enqueue(jobTopics.notices, '');
  // A day after the texts: outcomes are rendered once more without the texts, and need the reports.
  await store.deliveries.expire(subDays(retained, 1));
  await store.costs.expire(subDays(now, auditDays), unstarted);
  await store.replies.expire(retained);
  await store.suppressionList.expireAnswers(retained);
  await store.templates.expire(retained);
  await store.watches.expire(retained);
  const kept = await store.audit.expire(subDays(now, auditDays));
  if (kept.length > 0) {
    log.error({ workspaces: kept }, 'the audit was changed: `npm run audit -- verify` says where');
  }
}

/** How often it is looked whether another instance is dead. */
const watchMs = 2_000;

/** Takes up what the last run left under way when it stopped. */
export async function recover(context: ProgramContext): Promise<void> {
  const { store, time, log } = context;
  const { takeover } = store.installation;
  if (takeover !== undefined) {
    log.warn(
      { noticed: takeover.reason, campaigns: takeover.heldCampaigns },
      'the data was restored or copied: its campaigns are paused until they are resumed, and forms opened before no longer work',
    );
  }
  await endInterrupted(context);
  await store.approvals.recover();
  await store.campaigns.recordEnded();
  await store.outbox.recover(time.now());
}

/** Ends the work of dead runs, and returns whether there was any. Several instances may do so at once. */
async function endInterrupted({ store, time, log }: ProgramContext): Promise<boolean> {
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

/** Ends what other instances had under way, once they are dead. Returns a function that stops that. */
export function watchInstances(context: ProgramContext): () => Promise<void> {
  const { store, timers, log } = context;
  if (store.instances.isAlone) {
    return async () => {};
  }
  return startInterval({
    ms: watchMs,
    timers,
    onError: (error) => log.error({ err: error }, 'the work of stopped instances could not be finished yet'),
    async run() {
      const dead = await store.instances.removeDead();
      if (dead > 0) {
        log.warn({ dead }, 'other instances ended without shutting down');
      }
      // Also without: one that had just died may have begun something, or another instance died while it did this.
      if (await endInterrupted(context)) {
        await store.jobs.enqueue(jobTopics.notices, '');
      }
    },
  });
}
