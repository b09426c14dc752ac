import type { Log } from '../../../lib/log.ts';
import type { Approvals } from '../../../services/approvals/approvals.ts';
import type { Approval, ApprovalRepository } from '../../../store/approvals/approvals.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import type { Outbox } from '../../../store/outbox/outbox.ts';
import type { NoticeSubject } from '../../../store/schema/approvals.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import { MaybePostedError, type Posting } from '../../client/posting.ts';
import { sendWithFallback } from '../../client/send-with-fallback.ts';
import { isPermanentError } from '../../client/slack-errors.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import { deliverNotice, withRemarks } from '../../notifier/deliver-notice.ts';
import { approvalMessage, newsMessage, unpostedMessage } from './approval-view.ts';

type ApprovalSubjectOfNotice = Extract<NoticeSubject, 'approval' | 'approval_end' | 'approval_news'>;

/**
 * Shows requests for approval: each in one message in its channel, which shows in the end how it was decided, and then
 * to the person who asked. It only watches: what Slack cannot take now, the outbox delivers later.
 */
export interface ApprovalMessages {
  /** Shows every request that is made or ends from now on. */
  start(): void;
  /** Resolves when what is being shown is shown. */
  stop(): Promise<void>;
  /** Delivers a notice of the outbox. */
  deliver: Readonly<Record<ApprovalSubjectOfNotice, (notice: Notice) => Promise<void>>>;
}

interface ApprovalMessagesContext {
  clients: WorkspaceClients;
  posting: Posting;
  approvals: Pick<Approvals, 'find' | 'watch'>;
  store: Pick<ApprovalRepository, 'setMessage'>;
  outbox: Outbox;
  log: Log;
}

export function createApprovalMessages(context: ApprovalMessagesContext): ApprovalMessages {
  const { approvals, outbox, log } = context;
  const { post, showEnd, tellNews } = createApprovalPoster(context);
  const inFlight = new Set<Promise<void>>();
  let stopWatching = () => {};

  function deliver(
    subject: ApprovalSubjectOfNotice,
    show: (approval: Approval, notice: Notice) => Promise<void>,
  ): (key: Pick<Notice, 'workspaceId' | 'subjectId'>) => Promise<void> {
    return async ({ workspaceId, subjectId }) => {
      let shown: Approval['state'] | undefined;
      await outbox.deliver({ workspaceId, subject, subjectId }, async (notice) => {
        const approval = await approvals.find(workspaceId, subjectId);
        if (approval !== undefined && approval.state !== shown) {
          await show(approval, notice);
          shown = approval.state;
        }
      });
    };
  }

  const notices = {
    approval: deliver('approval', async (approval, notice) => {
      await post(approval, notice);
      // An end that came meanwhile, on any instance, found no message to be shown in.
      const posted = await approvals.find(approval.workspaceId, approval.id);
      if (posted !== undefined && posted.state !== 'waiting') {
        await showEnd(posted);
      }
    }),
    approval_end: deliver('approval_end', showEnd),
    approval_news: deliver('approval_news', tellNews),
  };

  async function show({ workspaceId, id: subjectId, state }: Approval): Promise<void> {
    const subjects =
      state === 'waiting' ? (['approval'] as const) : (['approval_end', 'approval_news'] as const);
    for (const subject of subjects) {
      await notices[subject]({ workspaceId, subjectId }).catch((error: unknown) =>
        log.warn({ err: error, approval: subjectId }, 'a request for approval is shown later'),
      );
    }
  }

  return {
    start() {
      stopWatching = approvals.watch((approval) => {
        const showing = show(approval).finally(() => inFlight.delete(showing));
        inFlight.add(showing);
      });
    },
    async stop() {
      stopWatching();
      await Promise.all(inFlight);
    },
    deliver: notices,
  };
}

/** Each throws if it is to be retried. */
function createApprovalPoster({ clients, posting, store, outbox, log }: ApprovalMessagesContext) {
  /** Nothing more is shown of a message that is gone, or whose channel is. */
  async function update(
    workspaceId: string,
    { channel, ts }: { channel: string; ts: string },
    content: SlackMessage,
  ): Promise<void> {
    const client = await clients.for(workspaceId);
    try {
      await sendWithFallback(content, (attempt) => client.chat.update({ channel, ts, ...attempt }), log);
    } catch (error) {
      if (!isPermanentError(error)) {
        throw error;
      }
    }
  }

  async function sendToUser({ workspaceId, userId }: Notice, content: SlackMessage): Promise<void> {
    const conversation = await posting.openConversation(workspaceId, userId);
    await posting.postMessage(workspaceId, conversation, content);
  }

  return {
    async post(approval: Approval, notice: Notice): Promise<void> {
      if (approval.state !== 'waiting' || approval.message !== undefined) {
        return;
      }
      await deliverNotice(notice, {
        record: (attempted) => outbox.record(notice, attempted),
        async post(channelId, remarks) {
          if (channelId === undefined) {
            await sendToUser(notice, withRemarks(unpostedMessage(approval), remarks));
            return;
          }
          const { channel, ts } = await posting.postMessage(
            notice.workspaceId,
            channelId,
            approvalMessage(approval),
          );
          if (ts !== undefined) {
            await store.setMessage(approval, { channel, ts }).catch((error: unknown) => {
              throw new MaybePostedError(error);
            });
          }
        },
        log,
      });
    },

    async showEnd(approval: Approval): Promise<void> {
      if (approval.message !== undefined) {
        await update(approval.workspaceId, approval.message, approvalMessage(approval));
      }
    },

    async tellNews(approval: Approval, notice: Notice): Promise<void> {
      await deliverNotice(notice, {
        record: (attempted) => outbox.record(notice, attempted),
        post: (_, remarks) => sendToUser(notice, withRemarks(newsMessage(approval), remarks)),
        log,
      });
    },
  };
}
