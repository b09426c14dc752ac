import { z } from 'zod';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { shownMessage } from '../operations/operation.ts';
import type { NewNotice } from '../outbox/notices.ts';
import { encryptedColumn, type Row } from '../schema/schema.ts';

const threadColumn = encryptedColumn('replyThread', 'content');
const threadContentSchema = z.object({
  number: z.string(),
  receiver: z.string().optional(),
  channel: z.string().optional(),
});
type ThreadContent = z.infer<typeof threadContentSchema>;

const messageColumn = encryptedColumn('inboundMessage', 'content');
const messageContentSchema = z.object({
  text: z.string(),
  answer: z.enum(['stop', 'start']).optional(),
  confirmation: z.object({ key: z.string(), userId: z.string(), text: z.string() }).optional(),
});
type MessageContent = z.infer<typeof messageContentSchema>;

/** Names a thread, or a message. */
export type ThreadKey = Pick<Row<'replyThread'>, 'workspaceId' | 'id'>;

/** All that a number wrote, and what is done about it. */
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
  /** Names the message: what is reported with the same one is the same message. It is stored as a keyed hash. */
  identity: string;
  /** A Slack user, and the channel where it is posted if there is one. Undefined: nobody can have it, and it waits. */
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

export function toReplyThread(row: Row<'replyThread'>, encryption: Encryption): ReplyThread {
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

/** The notice that a thread has changed. Each change has one of its own, so none is lost while another is delivered. */
export function threadNotice({ workspaceId, id }: ThreadKey, version: number, userId: string): NewNotice {
  return { workspaceId, subject: 'reply_thread', subjectId: `${id}:${version}`, userId };
}

/** Returns the id of the thread that such a notice is of. */
export function threadOfNotice(subjectId: string): string {
  const [id = ''] = subjectId.split(':');
  return id;
}
