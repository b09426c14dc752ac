import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { NewNotice } from '../outbox/outbox.ts';
import type { Operation, ShownMessage } from './ledger.ts';
import { readOperationError } from './operation-error-schema.ts';
import type { OperationTextTable } from './operation-text.ts';

export interface OperationTables {
  /** See `Operation`. Times are milliseconds since 1970; `summary` and `error` are JSON. */
  operation: {
    id: string;
    workspace_id: string;
    key: string;
    kind: string;
    user_id: string;
    channel_id: string | null;
    summary: string;
    state: 'underway' | 'accepted' | 'rejected' | 'not_sent' | 'unconfirmed';
    provider_id: string | null;
    /** The id of a message that an unclear answer to it names. */
    receipt_id: string | null;
    pages: number | null;
    balance: string | null;
    error: string | null;
    /** What its outcome is known from, where the answer to its request was lost. */
    resolved_from: 'report' | 'history' | null;
    /** The message of Slack that shows its outcome, where that can change. */
    message_channel: string | null;
    message_ts: string | null;
    /** The message to its user that what was unconfirmed is known: it shows the outcome too. */
    resolved_channel: string | null;
    resolved_ts: string | null;
    /** The run of the program that performs it. */
    run: string;
    created_at: number;
    ended_at: number | null;
  };
  /** The numbers that an operation goes to. */
  operation_number: {
    hash: string;
    operation_id: string;
    created_at: number;
  };
  operation_text: OperationTextTable;
}

export type OperationRow = Selectable<OperationTables['operation']>;

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
