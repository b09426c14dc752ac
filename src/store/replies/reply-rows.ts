import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';
import type { InboundMessage, ReplyThread } from './replies.ts';

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

export function toReplyThread(row: Selectable<Schema['reply_thread']>, encryption: Encryption): ReplyThread {
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
  row: Selectable<Schema['inbound_message']>,
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
