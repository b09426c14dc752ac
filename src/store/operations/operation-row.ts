import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { NewNotice } from '../outbox/outbox.ts';
import { operationErrorSchema } from '../schema/operations.ts';
import type { Schema } from '../schema.ts';
import type { Operation, ShownMessage } from './ledger.ts';
import type { OperationError } from './operation-error.ts';

export type OperationRow = Selectable<Schema['operation']>;

/** The kinds whose provider’s id is that of a message. That of the others is of a contact or an eSIM, and may be the same. */
export const messageKinds: readonly string[] = [
  'sms.send',
  'sms.confirm_stop',
  'campaign.test',
  'otp.sms',
  'otp.voice',
  'otp.chat',
  'otp.sms_token',
];

/** Returns the provider’s id of the message that an operation sent; undefined where it sent none, or the id is not known. */
export function messageIdOf({
  kind,
  providerId,
}: Pick<Operation, 'kind' | 'providerId'>): string | undefined {
  return messageKinds.includes(kind) ? providerId : undefined;
}

/** Made once: making it costs many times what reading a row costs. */
const summarySchema = z.json();

export function toOperation(row: OperationRow): Operation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    key: row.key,
    kind: row.kind,
    userId: row.user_id,
    channelId: row.channel_id ?? undefined,
    summary: summarySchema.parse(JSON.parse(row.summary)),
    state: row.state,
    providerId: row.provider_id ?? undefined,
    receiptId: row.receipt_id ?? undefined,
    pages: row.pages ?? undefined,
    balance: row.balance ?? undefined,
    error: readOperationError(row.error),
    resolvedFrom: row.resolved_from ?? undefined,
    message: toMessage(row.message_channel, row.message_ts),
    resolvedMessage: toMessage(row.resolved_channel, row.resolved_ts),
    createdAt: new Date(row.created_at),
    endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
  };
}

export function readOperationError(json: string | null): OperationError | undefined {
  return json === null ? undefined : operationErrorSchema.parse(JSON.parse(json));
}

function toMessage(channel: string | null, ts: string | null): ShownMessage | undefined {
  return channel === null || ts === null ? undefined : { channel, ts };
}

export function noticeOf(
  row: Pick<OperationRow, 'workspace_id' | 'id' | 'user_id' | 'channel_id'>,
): NewNotice {
  return {
    workspaceId: row.workspace_id,
    subject: 'operation',
    subjectId: row.id,
    userId: row.user_id,
    channelId: row.channel_id ?? undefined,
  };
}
