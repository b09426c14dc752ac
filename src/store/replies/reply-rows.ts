import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { EncryptedColumn } from '../encryption/encrypted-column.ts';
import type { InboundMessage, ReplyThread } from './replies.ts';

export interface ReplyTables {
  /** One for each number that wrote. */
  reply_thread: {
    workspace_id: string;
    id: string;
    /** Of the number. */
    hash: string;
    /** Encrypted: the number, and what it wrote to. */
    content: string;
    state: 'open' | 'done';
    /** A Slack user id. */
    assigned_to: string | null;
    /** Who wrote last: a Slack user id. Empty: the person. */
    last_by: string;
    last_at: number;
    /** The message at the head of the thread: posted where the position is known, else about to be. */
    head_id: string | null;
    message_channel: string | null;
    message_ts: string | null;
    /** Counts what was changed. */
    version: number;
  };
  inbound_message: {
    workspace_id: string;
    id: string;
    thread_id: string;
    /** The same for a message that is reported again. */
    digest: string;
    /** Encrypted: the text, and the confirmation of a stop. */
    content: string;
    created_at: number;
    /** Of a stop that is to be confirmed. */
    confirmation: 'pending' | 'ended' | null;
    /** It is nowhere in Slack: nobody could have it, or Slack took it nowhere. */
    unposted: 1 | null;
  };
}

const threadContentSchema = z.object({
  number: z.string(),
  receiver: z.string().optional(),
  channel: z.string().optional(),
});
export type ThreadContent = z.infer<typeof threadContentSchema>;

const confirmationSchema = z.object({ key: z.string(), userId: z.string(), text: z.string() });

const messageContentSchema = z.object({
  text: z.string(),
  answer: z.enum(['stop', 'start']).optional(),
  confirmation: confirmationSchema.optional(),
});
export type MessageContent = z.infer<typeof messageContentSchema>;

const columnOf = (table: 'reply_thread' | 'inbound_message', area: string): EncryptedColumn => ({
  table,
  column: 'content',
  key: ['workspace_id', 'id'],
  bound: [],
  additionalData: ([workspaceId, id]) => additionalDataOf(table, String(workspaceId), String(id)),
  area: () => area,
});

const replyThreadColumn = columnOf('reply_thread', 'number that wrote');
export const inboundMessageColumn = columnOf('inbound_message', 'message that came in');
export const replyColumns = [replyThreadColumn, inboundMessageColumn];

function additionalDataOf(table: string, workspaceId: string, id: string): AdditionalData {
  return [table, workspaceId, id];
}

interface Row {
  workspaceId: string;
  id: string;
  encryption: Encryption;
}

export function writeThreadContent(content: ThreadContent, { workspaceId, id, encryption }: Row): string {
  return encryption.encrypt(JSON.stringify(content), additionalDataOf('reply_thread', workspaceId, id));
}

export function writeMessageContent(content: MessageContent, { workspaceId, id, encryption }: Row): string {
  const json = JSON.stringify({ ...content, text: content.text.toWellFormed() });
  return encryption.encrypt(json, additionalDataOf('inbound_message', workspaceId, id));
}

export function toReplyThread(
  row: Selectable<ReplyTables['reply_thread']>,
  encryption: Encryption,
): ReplyThread {
  const { workspace_id: workspaceId, id, message_channel: channel, message_ts: ts } = row;
  const json: unknown = JSON.parse(
    encryption.decrypt(row.content, additionalDataOf('reply_thread', workspaceId, id)),
  );
  return {
    workspaceId,
    id,
    ...threadContentSchema.parse(json),
    state: row.state,
    assignedTo: row.assigned_to ?? undefined,
    lastBy: row.last_by || undefined,
    lastAt: new Date(row.last_at),
    headId: row.head_id ?? undefined,
    message: channel === null || ts === null ? undefined : { channel, ts },
    version: row.version,
  };
}

export function toInboundMessage(
  row: Selectable<ReplyTables['inbound_message']>,
  encryption: Encryption,
): InboundMessage {
  const { workspace_id: workspaceId, id } = row;
  const json: unknown = JSON.parse(
    encryption.decrypt(row.content, additionalDataOf('inbound_message', workspaceId, id)),
  );
  return {
    workspaceId,
    id,
    threadId: row.thread_id,
    receivedAt: new Date(row.created_at),
    ...messageContentSchema.parse(json),
  };
}
