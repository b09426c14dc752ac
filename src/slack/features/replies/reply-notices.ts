import type { Log } from '../../../lib/log.ts';
import type { AccessService } from '../../../services/access/access.ts';
import type { Replies, ShownThread } from '../../../services/replies/replies.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import type { Outbox } from '../../../store/outbox/outbox.ts';
import type { InboundMessage, ReplyPlace, ReplyRepository } from '../../../store/replies/replies.ts';
import { threadOfNotice } from '../../../store/replies/thread-changes.ts';
import type { NoticeSubject } from '../../../store/schema/approvals.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { MaybePostedError, type Posting } from '../../client/posting.ts';
import { isPermanentError, isSlackError } from '../../client/slack-errors.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import { deliverNotice, withRemarks } from '../../notifier/deliver-notice.ts';
import { headMessage, laterMessage } from './thread-view.ts';

interface ReplyNoticesOptions {
  clients: WorkspaceClients;
  posting: Posting;
  replies: Pick<Replies, 'find'>;
  store: Pick<
    ReplyRepository,
    'message' | 'place' | 'setHead' | 'dropHead' | 'dropThread' | 'replaceHead' | 'noteUnposted'
  >;
  outbox: Outbox;
  standing: AccessService['standing'];
  /** Has the notices looked at again, and what waits for a thread. */
  wake: () => Promise<void>;
  log: Log;
}

/** How often a message is changed again that was changed meanwhile. */
const maxRounds = 5;

const whyToUser = mrkdwn`You wrote to this number last, and no channel is chosen for replies.`;

/**
 * Posts the messages that come in, each once: the first of a number at the head of a thread, the next ones in it. The head
 * is changed with the thread. It is called for the outbox.
 */
export function createReplyNotices(
  options: ReplyNoticesOptions,
): Readonly<Record<Extract<NoticeSubject, 'reply' | 'reply_thread'>, (notice: Notice) => Promise<void>>> {
  const { replies, store, outbox } = options;
  return {
    async reply(notice) {
      const { workspaceId, subjectId } = notice;
      const incoming = await store.message(workspaceId, subjectId);
      const place =
        incoming === undefined || notice.channelId === undefined || notice.channelError !== undefined
          ? undefined
          : await store.place(incoming, notice.channelId);
      if (place === 'later') {
        // The instance that posts the head has this looked at again.
        return;
      }
      let hasNewHead = place === 'head';
      await outbox.deliver(notice, async (held) => {
        const thread = incoming && (await replies.find(workspaceId, incoming.threadId));
        if (incoming === undefined || thread === undefined) {
          await store.dropHead(workspaceId, subjectId);
          return;
        }
        if (held.channelId === undefined && !(await mayHave(held, options))) {
          await store.noteUnposted(incoming);
          return;
        }
        const isNewHead = await post({ notice: held, incoming, thread, place }, options);
        hasNewHead ||= isNewHead;
      });
      if (hasNewHead) {
        await options.wake();
      }
    },

    async reply_thread(notice) {
      await outbox.deliver(notice, ({ workspaceId, subjectId }) =>
        showThread(workspaceId, threadOfNotice(subjectId), options),
      );
    },
  };
}

/** Whether a message may go to the one who wrote to its number last. Throws where Slack doesn’t say who they are. */
async function mayHave({ workspaceId, userId }: Notice, { standing }: ReplyNoticesOptions): Promise<boolean> {
  const known = await standing(workspaceId, userId, 'send');
  if (known === 'unknown') {
    throw new Error('it is not known whether the user may have a reply');
  }
  return known === 'allowed';
}

/** Resolves with whether the message took the place of a head that was deleted in Slack. Throws if it is to be retried. */
async function post(
  {
    notice,
    incoming,
    thread,
    place,
  }: { notice: Notice; incoming: InboundMessage; thread: ShownThread; place: ReplyPlace | undefined },
  options: ReplyNoticesOptions,
): Promise<boolean> {
  const { posting, store, outbox, log } = options;
  const { workspaceId, userId } = notice;
  let isNewHead = false;
  const state = await deliverNotice(notice, {
    record: (attempted) => outbox.record(notice, attempted),
    async post(channelId, remarks) {
      if (channelId === undefined) {
        const conversation = await posting.openConversation(workspaceId, userId);
        const why = notice.channelId === undefined ? [whyToUser] : [];
        const content = withRemarks(headMessage(thread, incoming), [...why, ...remarks]);
        await posting.postMessage(workspaceId, conversation, content);
      } else if (place === 'thread' && thread.message !== undefined) {
        isNewHead = await postInThread({ thread, incoming, channelId, ts: thread.message.ts }, options);
      } else {
        await postHead({ thread, incoming, channelId }, options);
      }
    },
    log,
  });
  if (state === undefined || state.channelError !== undefined) {
    await store.dropHead(workspaceId, incoming.id);
  }
  if (state === undefined) {
    await store.noteUnposted(incoming);
  }
  return isNewHead;
}

interface InChannel {
  thread: ShownThread;
  incoming: InboundMessage;
  channelId: string;
}

async function postHead(
  { thread, incoming, channelId }: InChannel,
  { posting, store }: ReplyNoticesOptions,
): Promise<void> {
  const content = headMessage(thread, incoming);
  const { channel, ts } = await posting.postMessage(thread.workspaceId, channelId, content);
  if (ts !== undefined) {
    await afterPost(store.setHead(thread, { channel, ts }));
  }
}

/** Posts a message in a thread. Where that is gone in Slack, it is at the head of another one: resolves with true then. */
async function postInThread(
  { ts: threadTs, ...inChannel }: InChannel & { ts: string },
  options: ReplyNoticesOptions,
): Promise<boolean> {
  const { posting, store, replies } = options;
  const { thread, incoming, channelId } = inChannel;
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
      const isHead = (await store.place(incoming, channelId)) === 'head';
      const reopened = isHead ? await replies.find(thread.workspaceId, thread.id) : undefined;
      if (reopened === undefined) {
        throw new ThreadGoneError(error);
      }
      await postHead({ ...inChannel, thread: reopened }, options);
      return undefined;
    });
  if (posted?.isUnthreaded === true && posted.ts !== undefined) {
    const { channel, ts } = posted;
    await afterPost(store.replaceHead(thread, { messageId: incoming.id, channel, ts }));
  }
  return posted === undefined || posted.isUnthreaded;
}

/** The head of a thread was deleted in Slack, and another message is about to be the next one. */
class ThreadGoneError extends Error {
  override readonly name = 'ThreadGoneError';

  constructor(cause: unknown) {
    super('the thread is gone in Slack', { cause });
  }
}

/** Waits for what is stored of a message that was posted, which is not posted again where that fails. */
async function afterPost(stored: Promise<void>): Promise<void> {
  await stored.catch((error: unknown) => {
    throw new MaybePostedError(error);
  });
}

/** Updates the head of a thread until it shows the thread’s latest version. Nothing is shown of one that is gone. */
async function showThread(
  workspaceId: string,
  id: string,
  { clients, replies, store, log }: ReplyNoticesOptions,
): Promise<void> {
  let thread = await replies.find(workspaceId, id);
  for (let round = 0; round < maxRounds && thread?.message !== undefined; round += 1) {
    const first = thread.headId === undefined ? undefined : await store.message(workspaceId, thread.headId);
    const client = await clients.for(workspaceId);
    try {
      await client.chat.update({ ...thread.message, ...headMessage(thread, first) });
    } catch (error) {
      if (!isPermanentError(error)) {
        throw error;
      }
      log.warn({ err: error, thread: id }, 'the head of a thread could not be changed');
      if (isSlackError(error, 'message_gone')) {
        await store.dropThread(thread);
      }
      return;
    }
    const now = await replies.find(workspaceId, id);
    if (now?.version === thread.version) {
      return;
    }
    thread = now;
  }
}
