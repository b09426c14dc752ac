import type { Log } from '../../../lib/log.ts';
import type { Replies, ShownThread } from '../../../services/replies/replies.ts';
import type { Notice, NoticeSubject, Outbox } from '../../../store/outbox/outbox.ts';
import type { InboundMessage, ReplyPlace, ReplyRepository } from '../../../store/replies/replies.ts';
import { threadOfNotice } from '../../../store/replies/thread-changes.ts';
import { MaybePostedError, type Posting } from '../../client/posting.ts';
import { isPermanentError } from '../../client/slack-errors.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import { deliverNotice, withRemarks } from '../../notifier/deliver-notice.ts';
import { headMessage, laterMessage } from './thread-view.ts';

interface ReplyNoticesOptions {
  clients: WorkspaceClients;
  posting: Posting;
  replies: Pick<Replies, 'find'>;
  store: Pick<ReplyRepository, 'message' | 'place' | 'setHead' | 'dropHead' | 'noteUnposted'>;
  outbox: Outbox;
  /** Has the notices looked at again, and what waits for a thread. */
  wake: () => Promise<void>;
  log: Log;
}

/** How often a message is changed again that was changed meanwhile. */
const maxRounds = 5;

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
      await outbox.deliver(notice, async (held) => {
        const thread = incoming && (await replies.find(workspaceId, incoming.threadId));
        if (incoming === undefined || thread === undefined) {
          await store.dropHead(workspaceId, subjectId);
          return;
        }
        await post({ notice: held, incoming, thread, place }, options);
      });
      if (place === 'head') {
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

/** Throws if it is to be retried. */
async function post(
  {
    notice,
    incoming,
    thread,
    place,
  }: { notice: Notice; incoming: InboundMessage; thread: ShownThread; place: ReplyPlace | undefined },
  { posting, store, outbox, log }: ReplyNoticesOptions,
): Promise<void> {
  const { workspaceId, userId } = notice;
  const state = await deliverNotice(notice, {
    record: (attempted) => outbox.record(notice, attempted),
    async post(channelId, remarks) {
      if (channelId === undefined) {
        const conversation = await posting.openConversation(workspaceId, userId);
        const content = withRemarks(headMessage(thread, incoming), remarks);
        await posting.postMessage(workspaceId, conversation, content);
      } else if (place === 'thread' && thread.message !== undefined) {
        // Who is at it follows the thread; the others are left in peace.
        const isBroadcast = thread.assignedTo === undefined;
        const inThread = { ts: thread.message.ts, isBroadcast };
        await posting.postMessage(workspaceId, channelId, laterMessage(thread, incoming), inThread);
      } else {
        const { channel, ts } = await posting.postMessage(
          workspaceId,
          channelId,
          headMessage(thread, incoming),
        );
        if (ts !== undefined) {
          await store.setHead(thread, { channel, ts }).catch((error: unknown) => {
            throw new MaybePostedError(error);
          });
        }
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
      return;
    }
    const now = await replies.find(workspaceId, id);
    if (now?.version === thread.version) {
      return;
    }
    thread = now;
  }
}
