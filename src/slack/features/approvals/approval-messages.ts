import type { Approval } from '../../../store/approvals/approvals.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { updateMessage } from '../../client/update-message.ts';
import { deliverNotice, withRemarks } from '../../notifier/notices.ts';
import { approvalMessage, requestEndedMessage, unpostedMessage } from './approval-view.ts';

/**
 * Shows requests for approval: each in one message in its channel, which shows in the end how it was decided, and then
 * to the person who asked. It only watches: what Slack cannot take now, the outbox delivers later.
 */
export function createApprovalMessages(context: SlackContext) {
  const { approvals } = context.services;
  const inFlight = new Set<Promise<void>>();
  let stopWatching = () => {};

  async function show({ workspaceId, id: subjectId, state }: Approval): Promise<void> {
    const subjects =
      state === 'waiting' ? (['approval'] as const) : (['approval_end', 'approval_news'] as const);
    for (const subject of subjects) {
      await deliver(context, subject, { workspaceId, subjectId }).catch((error: unknown) =>
        context.log.warn(
          { err: error, approval: subjectId },
          'a request for approval could not be shown yet',
        ),
      );
    }
  }

  return {
    /** Shows every request that is made or ends from now on. */
    start(): void {
      stopWatching = approvals.watch((approval) => {
        const showing = show(approval).finally(() => inFlight.delete(showing));
        inFlight.add(showing);
      });
    },
    /** Resolves when the updates under way are done. */
    async stop(): Promise<void> {
      stopWatching();
      await Promise.all(inFlight);
    },
    /** Delivers a notice of the outbox. */
    deliver: {
      approval: (notice: Notice) => deliver(context, 'approval', notice),
      approval_end: (notice: Notice) => deliver(context, 'approval_end', notice),
      approval_news: (notice: Notice) => deliver(context, 'approval_news', notice),
    },
  };
}

/** How the notice of each subject is shown. Each throws if it is to be retried. */
const shows = { approval: showRequest, approval_end: showEnd, approval_news: tellRequester };

async function deliver(
  context: SlackContext,
  subject: keyof typeof shows,
  { workspaceId, subjectId }: Pick<Notice, 'workspaceId' | 'subjectId'>,
): Promise<void> {
  let shown: Approval['state'] | undefined;
  await context.store.outbox.deliver({ workspaceId, subject, subjectId }, async (notice) => {
    const approval = await context.services.approvals.find(workspaceId, subjectId);
    if (approval !== undefined && approval.state !== shown) {
      await shows[subject](context, approval, notice);
      shown = approval.state;
    }
  });
}

async function showRequest(context: SlackContext, approval: Approval, notice: Notice): Promise<void> {
  await post(context, approval, notice);
  // An end that came meanwhile, on any instance, found no message to be shown in.
  const posted = await context.services.approvals.find(approval.workspaceId, approval.id);
  if (posted !== undefined && posted.state !== 'waiting') {
    await showEnd(context, posted);
  }
}

async function post(context: SlackContext, approval: Approval, notice: Notice): Promise<void> {
  const { posting, store } = context;
  if (approval.state !== 'waiting' || approval.message !== undefined) {
    return;
  }
  await deliverNotice(context, notice, async (channelId, remarks) => {
    const { channel, ts } =
      channelId === undefined
        ? await sendToUser(context, notice, withRemarks(unpostedMessage(approval), remarks))
        : await posting.postMessage(notice.workspaceId, channelId, approvalMessage(approval));
    if (ts !== undefined) {
      await store.outbox.posted(notice, () => store.approvals.setMessage(approval, { channel, ts }));
    }
  });
}

/** Shows nothing if the message or its channel is gone. */
async function showEnd(context: SlackContext, approval: Approval): Promise<void> {
  if (approval.message !== undefined) {
    await updateMessage(context, approval.workspaceId, approval.message, approvalMessage(approval));
  }
}

async function tellRequester(context: SlackContext, approval: Approval, notice: Notice): Promise<void> {
  await deliverNotice(context, notice, async (_, remarks) => {
    await sendToUser(context, notice, withRemarks(requestEndedMessage(approval), remarks));
  });
}

async function sendToUser({ posting }: SlackContext, { workspaceId, userId }: Notice, content: SlackMessage) {
  return posting.postMessage(workspaceId, await posting.openConversation(workspaceId, userId), content);
}
