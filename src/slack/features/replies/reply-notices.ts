import type { ShownThread } from '../../../services/replies/replies.ts';
import { jobTopics } from '../../../store/engine/jobs/jobs.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import {
  type InboundMessage,
  type ReplyPlace,
  threadOfNotice,
} from '../../../store/replies/reply-threads.ts';
import { forReaders } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { type PostPlace, readersOf } from '../../client/posting.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { isPermanentError, isSlackError } from '../../client/slack-errors.ts';
import { deliverNotice, withRemarks } from '../../notifier/notices.ts';
import { laterMessage, parentMessage } from './thread-view.ts';

/** How often a message is changed again that was changed meanwhile. */
const maxRounds = 5;

const whyToUser = mrkdwn`You wrote to this number last, and no channel is chosen for replies.`;

/**
 * Posts the messages that come in, each once: the first of a number as the parent of a thread, the next ones in it. The parent
 * is changed with the thread. It is called for the outbox.
 */
export function createReplyNotices(context: SlackContext) {
  const { outbox, jobs, replies: store } = context.store;
  return {
    async reply(notice: Notice): Promise<void> {
      const { workspaceId, subjectId } = notice;
      const incoming = await store.message(workspaceId, subjectId);
      const place =
        incoming === undefined || notice.channelId === undefined || notice.channelProblem !== undefined
          ? undefined
          : await store.decidePlace(incoming, notice.channelId);
      if (place === 'later') {
        // The instance that posts the parent has this looked at again.
        return;
      }
      let hasNewParent = place === 'parent';
      await outbox.deliver(notice, async (held) => {
        const thread = incoming && (await context.services.replies.find(workspaceId, incoming.threadId));
        if (incoming === undefined || thread === undefined) {
          await store.dropParent(workspaceId, subjectId);
          return;
        }
        if (held.channelId === undefined && !(await mayHave(held, context))) {
          await store.noteUnposted(incoming);
          return;
        }
        const isNewParent = await post({ notice: held, incoming, thread, place }, context);
        hasNewParent ||= isNewParent;
      });
      if (hasNewParent) {
        await jobs.enqueue(jobTopics.notices, '');
        await jobs.enqueue(jobTopics.stops, '');
      }
    },

    async reply_thread(notice: Notice): Promise<void> {
      await outbox.deliver(notice, ({ workspaceId, subjectId }) =>
        showThread(workspaceId, threadOfNotice(subjectId), context),
      );
    },
  };
}

/** Whether a message may go to the one who wrote to its number last. Throws where Slack doesn’t say who they are. */
async function mayHave({ workspaceId, userId }: Notice, { services }: SlackContext): Promise<boolean> {
  const known = await services.access.permissionState(workspaceId, userId, 'send');
  if (known === 'unknown') {
    throw new Error('Slack did not say whether the user may see a reply');
  }
  return known === 'allowed';
}

/** Resolves with whether the message took the place of a parent that was deleted in Slack. Throws if it is to be retried. */
async function post(
  {
    notice,
    incoming,
    thread,
    place,
  }: { notice: Notice; incoming: InboundMessage; thread: ShownThread; place: ReplyPlace | undefined },
  context: SlackContext,
): Promise<boolean> {
  const { posting, store } = context;
  const { workspaceId, userId } = notice;
  let isNewParent = false;
  const state = await deliverNotice(context, notice, async (channelId, remarks) => {
    if (channelId === undefined) {
      const conversation = await posting.openConversation(workspaceId, userId);
      const why = notice.channelId === undefined ? [whyToUser] : [];
      const content = withRemarks(parentMessage(thread, incoming), [...why, ...remarks]);
      await posting.postMessage(workspaceId, conversation, content);
    } else if (place === 'thread' && thread.message !== undefined) {
      const inChannel = { notice, thread, incoming, channelId };
      isNewParent = await postInThread({ ...inChannel, ts: thread.message.ts }, context);
    } else {
      await postParent({ notice, thread, incoming, channelId }, context);
    }
  });
  if (state === undefined || state.channelProblem !== undefined) {
    await store.replies.dropParent(workspaceId, incoming.id);
  }
  if (state === undefined) {
    await store.replies.noteUnposted(incoming);
  }
  return isNewParent;
}

interface InChannel {
  notice: Notice;
  thread: ShownThread;
  incoming: InboundMessage;
  channelId: PostPlace;
}

async function postParent(
  { notice, thread, incoming, channelId }: InChannel,
  { posting, store: { outbox, replies: store } }: SlackContext,
): Promise<void> {
  const content = parentMessage(thread, incoming);
  const { channel, ts } = await posting.postMessage(thread.workspaceId, channelId, content);
  if (ts !== undefined) {
    await outbox.posted(notice, () => store.setParent(thread, { channel, ts }));
  }
}

/** Posts a message in a thread. Where that is gone in Slack, it is the parent of another one: resolves with true then. */
async function postInThread(
  { ts: threadTs, ...inChannel }: InChannel & { ts: string },
  context: SlackContext,
): Promise<boolean> {
  const { posting, services } = context;
  const { outbox, replies: store } = context.store;
  const { notice, thread, incoming, channelId } = inChannel;
  // Who is at it follows the thread; the others are left in peace.
  const place = { ts: threadTs, isBroadcast: thread.assignedTo === undefined };
  const content = laterMessage(thread, incoming);
  const posted = await posting
    .postMessage(thread.workspaceId, channelId, content, place)
    .catch(async (error: unknown) => {
      if (!isSlackError(error, 'message_gone')) {
        throw error;
      }
      await store.dropThread(thread);
      const isParent = (await store.decidePlace(incoming, channelId)) === 'parent';
      const reopened = isParent ? await services.replies.find(thread.workspaceId, thread.id) : undefined;
      if (reopened === undefined) {
        // Another message is about to be the parent.
        throw new Error('the thread is gone in Slack', { cause: error });
      }
      await postParent({ ...inChannel, thread: reopened }, context);
      return undefined;
    });
  if (posted?.isUnthreaded === true && posted.ts !== undefined) {
    const { channel, ts } = posted;
    const parent = { messageId: incoming.id, channel, ts };
    await outbox.posted(notice, () => store.replaceParent(thread, parent));
  }
  return posted === undefined || posted.isUnthreaded;
}

/** Updates the parent of a thread until it shows the thread’s latest version. Nothing is shown of one that is gone. */
async function showThread(
  workspaceId: string,
  id: string,
  { clients, services, store: { replies: store }, log }: SlackContext,
): Promise<void> {
  let thread = await services.replies.find(workspaceId, id);
  for (let round = 0; round < maxRounds && thread?.message !== undefined; round += 1) {
    const first =
      thread.parentId === undefined ? undefined : await store.message(workspaceId, thread.parentId);
    const client = await clients.for(workspaceId);
    try {
      const { channel } = thread.message;
      await client.chat.update({
        ...thread.message,
        ...forReaders(readersOf(channel), parentMessage(thread, first)),
      });
    } catch (error) {
      if (!isPermanentError(error)) {
        throw error;
      }
      log.warn({ err: error, thread: id }, 'the parent message of a thread could not be changed');
      if (isSlackError(error, 'message_gone')) {
        await store.dropThread(thread);
      }
      return;
    }
    const now = await services.replies.find(workspaceId, id);
    if (now?.version === thread.version) {
      return;
    }
    thread = now;
  }
}
