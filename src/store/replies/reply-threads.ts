import { sql, type Transaction, type UpdateObject } from 'kysely';
import { z } from 'zod';
import type { StoreContext } from '../context.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { inTransaction } from '../engine/transaction.ts';
import { type ShownMessage, shownMessage } from '../operations/operation.ts';
import { addNotices, type NewNotice } from '../outbox/notices.ts';
import { encryptedColumn, type Row, type Schema } from '../schema/schema.ts';

const threadColumn = encryptedColumn('replyThread', 'content');
const threadContentSchema = z.object({
  number: z.string(),
  receiver: z.string().optional(),
  channel: z.string().optional(),
});
type ThreadContent = z.infer<typeof threadContentSchema>;

const messageColumn = encryptedColumn('inboundMessage', 'content');
/**
 * What a message asked for and what came of it. An older one changed nothing; a START without a usable time
 * needs a person's decision, and so does a message that may ask for a stop.
 */
const stopAnswerNoteSchema = z.enum([
  'stop',
  'start',
  'older_stop',
  'older_start',
  'undated_start',
  'unclear',
]);
export type StopAnswerNote = z.infer<typeof stopAnswerNoteSchema>;

const messageContentSchema = z.object({
  text: z.string(),
  answer: stopAnswerNoteSchema.optional(),
  confirmation: z.object({ key: z.string(), userId: z.string(), text: z.string() }).optional(),
});
type MessageContent = z.infer<typeof messageContentSchema>;

/** Names a thread, or a message. */
export type ThreadKey = Pick<Row<'replyThread'>, 'workspaceId' | 'id'>;

/** Everything that a number wrote, and how far it is handled. */
export interface ReplyThread extends ThreadContent, ThreadKey {
  state: 'open' | 'done';
  /** The Slack user who is at it. */
  assignedTo: string | undefined;
  /** The Slack user who wrote last; undefined where the person did. */
  lastBy: string | undefined;
  lastAt: Date;
  /** The parent message of the thread in Slack. */
  parentId: string | undefined;
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

export interface NewReply extends ThreadContent, MessageContent {
  workspaceId: string;
  /** Names the message: reports with the same identity are about the same message. It is stored as a keyed hash. */
  identity: string;
  /** A Slack user, and the channel to post in, if any. Undefined: there is nobody to tell yet, so it waits. */
  notify: { userId: string; channelId?: string } | undefined;
}

export function writeThreadContent(
  { number, receiver, channel }: ThreadContent,
  key: ThreadKey,
  encryption: Encryption,
): string {
  const json = JSON.stringify({ number, receiver, channel });
  return encryption.encrypt(json, additionalDataOf(threadColumn, key));
}

export function writeMessageContent(
  { text, answer, confirmation }: MessageContent,
  key: ThreadKey,
  encryption: Encryption,
): string {
  const json = JSON.stringify({ text: text.toWellFormed(), answer, confirmation });
  return encryption.encrypt(json, additionalDataOf(messageColumn, key));
}

function toReplyThread(row: Row<'replyThread'>, encryption: Encryption): ReplyThread {
  const { hash, content, messageChannel, messageTs, ...thread } = row;
  const json = encryption.decrypt(content, additionalDataOf(threadColumn, row));
  return {
    ...thread,
    ...threadContentSchema.parse(JSON.parse(json)),
    lastBy: thread.lastBy || undefined,
    message: shownMessage(messageChannel, messageTs),
  };
}

export function toInboundMessage(row: Row<'inboundMessage'>, encryption: Encryption): InboundMessage {
  const { workspaceId, id, threadId, createdAt: receivedAt } = row;
  const json = encryption.decrypt(row.content, additionalDataOf(messageColumn, row));
  return { workspaceId, id, threadId, receivedAt, ...messageContentSchema.parse(JSON.parse(json)) };
}

/** The notice that a thread has changed. Each change has its own, so none is lost while another is delivered. */
export function threadNotice({ workspaceId, id }: ThreadKey, version: number, userId: string): NewNotice {
  return { workspaceId, subject: 'reply_thread', subjectId: `${id}:${version}`, userId };
}

/** Returns the id of the thread that such a notice is of. */
export function threadOfNotice(subjectId: string): string {
  const [id = ''] = subjectId.split(':');
  return id;
}

/** What a person does with a thread. */
export type ThreadChange = { assignedTo: string } | { state: 'done' };

export interface ChangedThread {
  thread: ReplyThread;
  /** Whether it was otherwise before. */
  isChanged: boolean;
}

/** Where to post a message: as the parent of a new thread, in an existing one, or later, once its parent is posted. */
export type ReplyPlace = 'parent' | 'thread' | 'later';

const nextVersion = sql<number>`version + 1`;

/** Who is at a thread, and who wrote in it last. */
export function createReplyThreads({ db, encryption, clock }: StoreContext) {
  return {
    /** By its id, or by where its parent message is in Slack. */
    async find(workspaceId: string, by: string | ShownMessage): Promise<ReplyThread | undefined> {
      const row = await db
        .selectFrom('replyThread')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where((eb) =>
          typeof by === 'string'
            ? eb('id', '=', by)
            : eb.and({ messageChannel: by.channel, messageTs: by.ts }),
        )
        .executeTakeFirst();
      return row && toReplyThread(row, encryption);
    },

    /** Returns the open threads in which the person wrote last, between two times: those that wait longest. */
    unanswered: (
      workspaceId: string,
      { from, until, limit }: { from: Date; until: Date; limit: number },
    ): Promise<Pick<Row<'replyThread'>, 'id' | 'lastAt'>[]> =>
      db
        .selectFrom('replyThread')
        .select(['id', 'lastAt'])
        .where('workspaceId', '=', workspaceId)
        .where('state', '=', 'open')
        .where('lastBy', '=', '')
        .where('lastAt', '>=', from)
        .where('lastAt', '<=', until)
        .orderBy('lastAt')
        .limit(limit)
        .execute(),

    /** Changes a thread, with a notice, unless it is unchanged. Undefined if there is no such thread. */
    change: (key: ThreadKey, change: ThreadChange, noticeFor: string): Promise<ChangedThread | undefined> =>
      inTransaction(db, async (transaction) => {
        const row = await lock(transaction, key);
        if (row === undefined) {
          return undefined;
        }
        const before = toReplyThread(row, encryption);
        const isUnchanged =
          'state' in change
            ? before.state === 'done'
            : before.state === 'open' && before.assignedTo === change.assignedTo;
        if (isUnchanged) {
          return { thread: before, isChanged: false };
        }
        const changed = 'state' in change ? change : { state: 'open' as const, ...change };
        await update(transaction, key, changed);
        const version = before.version + 1;
        await addNotices(transaction, [threadNotice(key, version, noticeFor)], clock());
        return { thread: { ...before, ...changed, version }, isChanged: true };
      }),

    /** Notes that a user wrote, unless somebody wrote later. */
    noteAnswer: (key: ThreadKey, { userId, at }: { userId: string; at: Date }): Promise<void> =>
      inTransaction(db, async (transaction) => {
        const row = await lock(transaction, key);
        const isNoted = row?.lastBy === userId && row.lastAt.getTime() === at.getTime();
        if (row === undefined || isNoted || row.lastAt > at) {
          return;
        }
        await update(transaction, key, { lastBy: userId, lastAt: at });
        await addNotices(transaction, [threadNotice(key, row.version + 1, userId)], clock());
      }),
  };
}

function lock(transaction: Transaction<Schema>, { workspaceId, id }: ThreadKey) {
  return transaction
    .selectFrom('replyThread')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

async function update(
  transaction: Transaction<Schema>,
  { workspaceId, id }: ThreadKey,
  columns: UpdateObject<Schema, 'replyThread'>,
): Promise<void> {
  await transaction
    .updateTable('replyThread')
    .set({ ...columns, version: nextVersion })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Decides which message is the parent of a thread: one per channel, however many instances post. */
export function createThreadParents({ db, clock }: StoreContext) {
  return {
    /** Decides where a message is posted. Of all messages of a thread, one is its parent. */
    async decidePlace({ workspaceId, id, threadId }: InboundMessage, channelId: string): Promise<ReplyPlace> {
      const claimed = await db
        .updateTable('replyThread')
        .set({ parentId: id, messageChannel: null, messageTs: null })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', threadId)
        .where((eb) =>
          eb.or([
            eb('parentId', 'is', null),
            eb.and([eb('parentId', '=', id), eb('messageTs', 'is', null)]),
            // The workspace has chosen another channel.
            eb('messageChannel', '<>', channelId),
          ]),
        )
        .returning('id')
        .executeTakeFirst();
      if (claimed !== undefined) {
        return 'parent';
      }
      const posted = await db
        .selectFrom('replyThread')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', threadId)
        .where('messageTs', 'is not', null)
        .executeTakeFirst();
      return posted === undefined ? 'later' : 'thread';
    },

    /** Remembers where the parent of a thread was posted, with a notice if the thread has changed since. */
    setParent: (
      { workspaceId, id, parentId, version: shown }: ReplyThread,
      { channel, ts }: { channel: string; ts: string },
    ): Promise<void> =>
      inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable('replyThread')
          .set({ messageChannel: channel, messageTs: ts })
          .where('workspaceId', '=', workspaceId)
          .where('id', '=', id)
          .where('parentId', '=', parentId ?? '')
          .returning(['version', 'lastBy'])
          .executeTakeFirst();
        if (row !== undefined && row.version !== shown) {
          const notice = threadNotice({ workspaceId, id }, row.version, row.lastBy);
          await addNotices(transaction, [notice], clock());
        }
      }),

    /** Lets another message be the parent of a thread, if this one may not have been posted. */
    async dropParent(workspaceId: string, messageId: string): Promise<void> {
      await db
        .updateTable('replyThread')
        .set({ parentId: null })
        .where('workspaceId', '=', workspaceId)
        .where('parentId', '=', messageId)
        .where('messageTs', 'is', null)
        .execute();
    },

    /** Forgets a thread that is gone in Slack, unless it has another parent by now. The next message starts a new thread. */
    async dropThread({ workspaceId, id, message }: ReplyThread): Promise<void> {
      await db
        .updateTable('replyThread')
        .set({ parentId: null, messageChannel: null, messageTs: null })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .where('messageChannel', '=', message?.channel ?? '')
        .where('messageTs', '=', message?.ts ?? '')
        .execute();
    },

    /** Makes a message the parent of a thread whose earlier one is gone in Slack, with a notice to show it as that. */
    replaceParent: (
      { workspaceId, id, message }: ReplyThread,
      { messageId, channel, ts }: { messageId: string; channel: string; ts: string },
    ): Promise<void> =>
      inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable('replyThread')
          .set({ parentId: messageId, messageChannel: channel, messageTs: ts, version: nextVersion })
          .where('workspaceId', '=', workspaceId)
          .where('id', '=', id)
          .where((eb) =>
            eb.or([
              eb.and({ messageChannel: message?.channel ?? '', messageTs: message?.ts ?? '' }),
              // It was dropped meanwhile.
              eb('parentId', 'is', null),
            ]),
          )
          .returning(['version', 'lastBy'])
          .executeTakeFirst();
        if (row !== undefined) {
          const notice = threadNotice({ workspaceId, id }, row.version, row.lastBy);
          await addNotices(transaction, [notice], clock());
        }
      }),
  };
}
