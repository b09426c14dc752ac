import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Services } from '../../services/services.ts';
import { wakeTopics } from '../../store/jobs/jobs.ts';
import type { Store } from '../../store/store.ts';
import type { Posting } from '../client/posting.ts';
import type { WorkspaceClients } from '../client/workspace-clients.ts';
import { createApprovalMessages } from '../features/approvals/approval-messages.ts';
import { interruptedImportMessage } from '../features/campaigns/import/interrupted-import.ts';
import { createCreatorNotifier } from '../features/campaigns/progress/creator-notifier.ts';
import { ProgressMessages } from '../features/campaigns/progress/progress-messages.ts';
import { createResolvedRecipientsMessage } from '../features/campaigns/progress/resolved-message.ts';
import { createBalanceNotices } from '../features/costs/balance-notices.ts';
import { createBudgetNotices } from '../features/limits/budget-notices.ts';
import { outcomeRenderersOf } from '../features/register-features.ts';
import { createReplyNotices } from '../features/replies/reply-notices.ts';
import { createDeliveryUpdates } from '../notifier/delivery-updates.ts';
import { createNotifier } from '../notifier/notifier.ts';
import { createOutcomeNotifier } from '../notifier/outcome-notifier.ts';
import { createResolvedNotices } from '../notifier/resolved-message.ts';
import { createRestoredNotices } from '../notifier/restored-notices.ts';
import { createUserNotices } from '../notifier/user-notices.ts';

/** All that the app sends without being asked: each subject of the outbox has its notifier. */
export function createNotifications(options: {
  clients: WorkspaceClients;
  posting: Posting;
  services: Services;
  store: Store;
  /** Returns the workspaces that the app is installed in. */
  workspaceIds: () => Promise<readonly string[]>;
  elapsed: Stopwatch;
  timers: Timers;
  log: Log;
}) {
  const { clients, posting, services, store, workspaceIds, elapsed, timers, log } = options;
  const { ledger, outbox, installation } = store;
  const { campaigns } = services;
  const outcomes = createOutcomeNotifier({
    posting,
    ledger,
    outbox,
    log,
    outcomeRenderers: outcomeRenderersOf(services),
    recipients: services.messages.recipients,
    shownNumbers: services.messages.shownNumbers,
    deliveries: store.deliveries,
    charged: services.costs.ofOperation,
    areReported: services.reports.isOn || services.providerHistory.isOn,
    replies: services.replies,
  });
  services.replies.onConfirmed(outcomes.notify);
  const creatorNotifier = createCreatorNotifier({ posting, campaigns, outbox, log });
  const progressMessages = new ProgressMessages({
    clients,
    posting,
    campaigns,
    charged: services.costs.ofCampaign,
    canAsk: services.providerHistory.isOn,
    outbox,
    creatorNotifier,
    living: store.instances.living,
    timers,
    elapsed,
    log,
  });
  const approvalMessages = createApprovalMessages({
    clients,
    posting,
    approvals: services.approvals,
    store: store.approvals,
    outbox,
    log,
  });
  const replyNotices = createReplyNotices({
    clients,
    posting,
    replies: services.replies,
    store: store.replies,
    outbox,
    standing: services.access.standing,
    wake: async () => {
      await store.jobs.wake(wakeTopics.notices, '');
      await store.jobs.wake(wakeTopics.stops, '');
    },
    log,
  });
  const imports = createUserNotices({ posting, outbox, log, contentOf: interruptedImportMessage });
  const restored = createRestoredNotices({
    installation,
    services,
    posting,
    outbox,
    workspaceIds,
    log,
  });
  const notify = createNotifier({
    outbox,
    deliver: {
      operation: outcomes.deliver,
      operation_resolved: createResolvedNotices({
        ledger,
        contentOf: outcomes.contentOf,
        posting,
        outbox,
        log,
      }),
      delivery: createDeliveryUpdates({ clients, ledger, outbox, contentOf: outcomes.contentOf, log }),
      campaign: (notice) => progressMessages.deliver(notice),
      campaign_news: creatorNotifier.deliver,
      campaign_reports: (notice) => progressMessages.deliverReports(notice),
      campaign_resolved: createUserNotices({
        posting,
        outbox,
        log,
        contentOf: createResolvedRecipientsMessage(campaigns),
      }),
      import: imports,
      restored: restored.deliver,
      ...approvalMessages.deliver,
      ...replyNotices,
      limits: createBudgetNotices({ services, posting, outbox, log }),
      balance: createBalanceNotices({ services, posting, outbox, log }),
    },
    log,
  });
  return { outcomes, progressMessages, approvalMessages, addRestored: restored.add, notify };
}
