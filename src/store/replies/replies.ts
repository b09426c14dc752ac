import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import { createReplyHeads } from './reply-heads.ts';
import { type MessageContent, type ThreadContent, toInboundMessage, toReplyThread } from './reply-rows.ts';
import { takeReply } from './take-reply.ts';
import { changeThread, noteAnswer } from './thread-changes.ts';
import { createUnpostedReplies } from './unposted-replies.ts';

/** All that a number wrote, and what is done about it. */
export interface ReplyThread extends ThreadContent {
  workspaceId: string;
  id: string;
  state: 'open' | 'done';
  /** The Slack user who is at it. */
  assignedTo: string | undefined;
  /** The Slack user who wrote last; undefined where the person did. */
  lastBy: string | undefined;
  lastAt: Date;
  /** The message at the head of the thread in Slack. */
  headId: string | undefined;
  /** Its position, once it is posted. */
  message: { channel: string; ts: string } | undefined;
  version: number;
}

/** A message that came in. */
export interface InboundMessage extends MessageContent {
  workspaceId: string;
  id: string;
  threadId: string;
  receivedAt: Date;
}

export interface ThreadKey {
  workspaceId: string;
  id: string;
}

export interface NewReply extends ThreadContent, MessageContent {
  workspaceId: string;
  /** Names the message: what is reported with the same one is the same message. It is stored as a keyed hash. */
  identity: string;
  /** A Slack user, and the channel where it is posted if there is one. Undefined: nobody can have it, and it waits. */
  notify: { userId: string; channelId?: string } | undefined;
}

/** What a person does with a thread. */
export type ThreadChange = { assignedTo: string } | { state: 'done' };

export interface ChangedThread {
  thread: ReplyThread;
  /** Whether it was otherwise before. */
  isChanged: boolean;
}

/** Where a message is to be posted: at the head of a new thread, in one that stands, or nowhere until that is posted. */
export type ReplyPlace = 'head' | 'thread' | 'later';

/** The messages that came in. Their numbers and texts are encrypted. */
export interface ReplyRepository {
  /**
   * Stores a message durably, with the notices of it, and reopens its thread if that is done. Resolves with false, and
   * changes nothing, where the message is known.
   */
  take(reply: NewReply): Promise<boolean>;
  find(workspaceId: string, id: string): Promise<ReplyThread | undefined>;
  message(workspaceId: string, id: string): Promise<InboundMessage | undefined>;
  /** Returns the newest message of a thread that is kept. */
  latest(key: ThreadKey): Promise<InboundMessage | undefined>;
  /** Changes a thread, with a notice of it. Where it is so already, nothing changes. Undefined: there is no such thread. */
  change(key: ThreadKey, change: ThreadChange, noticeFor: string): Promise<ChangedThread | undefined>;
  /** Notes that a user wrote, unless somebody wrote later. */
  noteAnswer(key: ThreadKey, answer: { userId: string; at: Date }): Promise<void>;
  /** Decides where a message is posted. Of all messages of a thread, one is at its head. */
  place(message: InboundMessage, channelId: string): Promise<ReplyPlace>;
  /** Remembers where the head of a thread was posted, with a notice if the thread is not as it was shown. */
  setHead(thread: ReplyThread, message: { channel: string; ts: string }): Promise<void>;
  /** Gives the head up that a message was to be, and isn’t known to have become: the next one is to be it. */
  dropHead(workspaceId: string, messageId: string): Promise<void>;
  /** Gives a thread up that is gone in Slack, unless it has another head by now: the next message begins another. */
  dropThread(thread: ReplyThread): Promise<void>;
  /** Makes a message the head of a thread whose former one is gone in Slack, with a notice to show it as that. */
  replaceHead(thread: ReplyThread, head: { messageId: string; channel: string; ts: string }): Promise<void>;
  /** Notes that a message is nowhere in Slack. */
  noteUnposted(message: InboundMessage): Promise<void>;
  countUnposted(workspaceId: string): Promise<number>;
  /** Returns whether messages of a workspace are kept. */
  hasAny(workspaceId: string): Promise<boolean>;
  /** Has the messages posted in another channel that are nowhere in Slack, or that wait: those of which no post was tried. */
  repost(workspaceId: string, to: { channelId: string; userId: string }): Promise<void>;
  /** Returns the stops that are to be confirmed, the oldest first. */
  unconfirmedStops(): Promise<InboundMessage[]>;
  /** Called once nothing more is to be done for the confirmation of a stop. */
  endConfirmation(message: InboundMessage): Promise<void>;
  /** Deletes what came in before, and threads without messages. */
  expire(before: Date): Promise<void>;
}

export interface ReplyStoreOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  clock: Clock;
}

/** At a time: each is followed by a request to the provider. */
const maxStops = 100;

export function createReplyRepository(options: ReplyStoreOptions): ReplyRepository {
  const { db, encryption } = options;
  return {
    take: (reply) => takeReply(reply, options),

    async find(workspaceId, id) {
      const row = await db
        .selectFrom('reply_thread')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toReplyThread(row, encryption);
    },

    async message(workspaceId, id) {
      const row = await db
        .selectFrom('inbound_message')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toInboundMessage(row, encryption);
    },

    async latest({ workspaceId, id }) {
      const row = await db
        .selectFrom('inbound_message')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('thread_id', '=', id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toInboundMessage(row, encryption);
    },

    change: (key, change, noticeFor) => changeThread(key, { change, noticeFor }, options),
    noteAnswer: (key, answer) => noteAnswer(key, answer, options),
    ...createReplyHeads(options),
    ...createUnpostedReplies(options),

    async hasAny(workspaceId) {
      const row = await db
        .selectFrom('inbound_message')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async unconfirmedStops() {
      const rows = await db
        .selectFrom('inbound_message')
        .selectAll()
        .where('confirmation', '=', 'pending')
        .orderBy('created_at')
        .limit(maxStops)
        .execute();
      return rows.map((row) => toInboundMessage(row, encryption));
    },

    async endConfirmation({ workspaceId, id }) {
      await db
        .updateTable('inbound_message')
        .set({ confirmation: 'ended' })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    async expire(before) {
      await db.deleteFrom('inbound_message').where('created_at', '<', before.getTime()).execute();
      await db
        .deleteFrom('reply_thread')
        .where('last_at', '<', before.getTime())
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('inbound_message')
                .select('inbound_message.id')
                .whereRef('inbound_message.workspace_id', '=', 'reply_thread.workspace_id')
                .whereRef('inbound_message.thread_id', '=', 'reply_thread.id'),
            ),
          ),
        )
        .execute();
    },
  };
}
