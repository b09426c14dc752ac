import type { SlackContext } from '../client/slack-context.ts';
import { createApprovalMessages } from '../features/approvals/approval-messages.ts';
import { createImportMessage } from '../features/campaigns/import.ts';
import {
  createMissedRunsMessage,
  createResolvedRecipientsMessage,
  notifyCreator,
} from '../features/campaigns/progress/campaign-messages.ts';
import { ProgressMessages } from '../features/campaigns/progress/progress-messages.ts';
import { createBudgetMessage } from '../features/limits.ts';
import { outcomeRenderers } from '../features/register-features.ts';
import { createReplyNotices } from '../features/replies/reply-notices.ts';
import { createWatchNotices } from '../features/watchers/notices.ts';
import { createDeliveryUpdates, createResolvedNotices } from '../notifier/later-outcomes.ts';
import { createNotifier, createUserNotices } from '../notifier/notices.ts';
import { createOutcomeNotifier } from '../notifier/outcome-notifier.ts';
import { createPosts } from '../notifier/posts.ts';
import { createRestoredNotices } from '../notifier/restored-notices.ts';

/**
 * All that the app sends without being asked: each subject of the outbox has its notifier.
 *
 * @param workspaceIds returns the workspaces that the app is installed in
 */
export function createNotifications(context: SlackContext, workspaceIds: () => Promise<readonly string[]>) {
  const { services } = context;
  const outcomes = createOutcomeNotifier(context, outcomeRenderers);
  services.replies.onConfirmed(outcomes.notify);
  const progressMessages = new ProgressMessages(context);
  const approvalMessages = createApprovalMessages(context);
  const posts = createPosts(context);
  const restored = createRestoredNotices(context, workspaceIds);
  const notify = createNotifier(context, {
    operation: outcomes.deliver,
    operation_resolved: createResolvedNotices(context, outcomes.contentOf),
    delivery: createDeliveryUpdates(context, outcomes.contentOf),
    campaign: (notice) => progressMessages.deliver(notice),
    campaign_news: ({ workspaceId, subjectId: id }) => notifyCreator(context, { workspaceId, id }),
    campaign_reports: (notice) => progressMessages.deliverReports(notice),
    campaign_resolved: createUserNotices(context, createResolvedRecipientsMessage(context)),
    campaign_missed: createUserNotices(context, createMissedRunsMessage(context)),
    import: createUserNotices(context, createImportMessage(context)),
    restored: restored.deliver,
    ...approvalMessages.deliver,
    ...createReplyNotices(context),
    post: posts.deliver,
    limits: createUserNotices(context, createBudgetMessage(context)),
    ...createWatchNotices(context),
  });
  return { outcomes, posts, progressMessages, approvalMessages, addRestored: restored.add, notify };
}
