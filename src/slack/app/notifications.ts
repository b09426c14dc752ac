import { wakeTopics } from '../../store/jobs/jobs.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { createApprovalMessages } from '../features/approvals/approval-messages.ts';
import { interruptedImportMessage } from '../features/campaigns/import.ts';
import { createResolvedRecipientsMessage } from '../features/campaigns/progress/campaign-messages.ts';
import { createCreatorNotifier } from '../features/campaigns/progress/creator-notifier.ts';
import { ProgressMessages } from '../features/campaigns/progress/progress-messages.ts';
import { createBalanceMessage } from '../features/costs/balance.ts';
import { createBudgetMessage } from '../features/limits.ts';
import { outcomeRenderersOf } from '../features/register-features.ts';
import { createReplyNotices } from '../features/replies/reply-notices.ts';
import { createDeliveryUpdates } from '../notifier/delivery-updates.ts';
import { createNotifier } from '../notifier/notifier.ts';
import { createOutcomeNotifier } from '../notifier/outcome-notifier.ts';
import { createResolvedNotices } from '../notifier/resolved-message.ts';
import { createRestoredNotices } from '../notifier/restored-notices.ts';
import { createUserNotices } from '../notifier/user-notices.ts';

/**
 * All that the app sends without being asked: each subject of the outbox has its notifier.
 *
 * @param workspaceIds returns the workspaces that the app is installed in
 */
export function createNotifications(context: SlackContext, workspaceIds: () => Promise<readonly string[]>) {
  const { clients, posting, services, store, time, timers, log } = context;
  const { outbox } = store;
  const { campaigns } = services;
  const outcomes = createOutcomeNotifier(context, outcomeRenderersOf(services));
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
    elapsed: time.elapsed,
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
  const restored = createRestoredNotices(context, workspaceIds);
  const notify = createNotifier(context, {
    operation: outcomes.deliver,
    operation_resolved: createResolvedNotices(context, outcomes.contentOf),
    delivery: createDeliveryUpdates(context, outcomes.contentOf),
    campaign: (notice) => progressMessages.deliver(notice),
    campaign_news: creatorNotifier.deliver,
    campaign_reports: (notice) => progressMessages.deliverReports(notice),
    campaign_resolved: createUserNotices(context, createResolvedRecipientsMessage(campaigns)),
    import: createUserNotices(context, interruptedImportMessage),
    restored: restored.deliver,
    ...approvalMessages.deliver,
    ...replyNotices,
    limits: createUserNotices(context, createBudgetMessage(context)),
    balance: createUserNotices(context, createBalanceMessage(context)),
  });
  return { outcomes, progressMessages, approvalMessages, addRestored: restored.add, notify };
}
