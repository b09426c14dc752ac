import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type E164, type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import type { NewAuditEntry } from '../audit/audit-trail.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import type { NewNotice } from '../outbox/notices.ts';
import { encryptedColumn, type Row, type Schema } from '../schema/schema.ts';

export type OperationRow = Row<'operation'>;

/** What a user is about to do, stored before the provider is called. Times are set by the ledger. */
export interface Intent {
  workspaceId: string;
  /** The idempotency key: the same key in the same workspace is the same operation. Opaque, but for its user (`ownId`). */
  key: string;
  /** As `subject.verb`: `sms.send`. */
  kind: string;
  /** A Slack user id. */
  userId: string;
  /** Where the user asked for it, and where the outcome may be posted: a Slack channel id. */
  channelId?: string | undefined;
  /** What history and notices show of it. Not encrypted, so it has masked numbers only, no message text and no codes. */
  summary: Readonly<Record<string, OperationRow['summary'][string] | PhoneNumber | readonly PhoneNumber[]>>;
  /**
   * The numbers it goes to, in E.164, for the history's search. They are stored as keyed hashes, for the retention time,
   * and are in no `Operation` that the ledger returns.
   */
  numbers?: readonly E164[] | undefined;
  /**
   * What is sent, for who may read it in the history. It is stored encrypted, with the numbers, for the retention time,
   * and is in no `Operation`. Never a code or a key.
   */
  text?: string | undefined;
  /** When the one-time code that it sends expires. */
  expiresAt?: Date | undefined;
}

/** How an operation ended. `unconfirmed`: the provider may have done it, nobody knows. */
export interface Ending {
  state: 'accepted' | 'rejected' | 'not_sent' | 'unconfirmed';
  /** The provider's own id of the result. */
  providerId?: string | undefined;
  /** The id of a message that an unclear answer names; it may be another request's. */
  receiptId?: string | undefined;
  /** Message pages of all recipients together. */
  pages?: number | undefined;
  /** The balance after it, exactly as the provider wrote it. */
  balance?: string | undefined;
  error?: OperationError | undefined;
}

/** The position of a message of Slack. */
export interface ShownMessage {
  channel: string;
  ts: string;
}

/** What a user found out about their own unconfirmed operation. */
export type OperationMark = NonNullable<OperationRow['mark']>;

/** One row of the ledger. */
export interface Operation extends Omit<Intent, 'numbers' | 'text'>, Omit<Ending, 'state'> {
  id: string;
  state: 'underway' | Ending['state'];
  /** Where the answer to its request was lost: what showed that the provider had accepted it. */
  resolvedFrom?: 'report' | 'history' | undefined;
  /** The message of Slack that shows its outcome, where that can change. */
  message?: ShownMessage | undefined;
  /** The message that told its user how it ended, where that was unconfirmed before: it shows the outcome too. */
  resolvedMessage?: ShownMessage | undefined;
  /** What its user found out while it was unconfirmed. */
  mark?: OperationMark | undefined;
  createdAt: Date;
  endedAt?: Date | undefined;
  /** How often a wrong code was read back. */
  wrongGuesses?: number | undefined;
  /** What became of its one-time code; undefined while the code is live. */
  codeOutcome?: OperationRow['codeOutcome'];
  /** When the program last learned that one of its messages was not delivered, if ever. */
  notDeliveredAt?: Date | undefined;
}

/** Why something was not accepted. It lies in the clear at rest: no numbers, no message text. */
export type OperationError = NonNullable<OperationRow['error']>;

/** Why what an earlier run of the program left in progress is unconfirmed. */
export const stoppedMidway: OperationError = { reason: 'stopped_midway' };

export const failedMidway: OperationError = { reason: 'failed_midway' };

/** Nothing was sent, since no answer said that it was recorded. */
export const notRecorded: OperationError = { reason: 'not_recorded' };

/** The kinds whose provider id names a message. Other ids name contacts or eSIMs, and may have the same value. */
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

export function toOperation({
  run,
  messageChannel,
  messageTs,
  resolvedChannel,
  resolvedTs,
  ...operation
}: OperationRow): Operation {
  return {
    ...operation,
    message: shownMessage(messageChannel, messageTs),
    resolvedMessage: shownMessage(resolvedChannel, resolvedTs),
  };
}

/** Returns the position of a message; undefined where either part of it is not known. */
export function shownMessage(channel: string | undefined, ts: string | undefined): ShownMessage | undefined {
  return channel === undefined || ts === undefined ? undefined : { channel, ts };
}

export function noticeOf({
  workspaceId,
  id,
  userId,
  channelId,
}: Pick<OperationRow, 'workspaceId' | 'id' | 'userId' | 'channelId'>): NewNotice {
  return { workspaceId, subject: 'operation', subjectId: id, userId, channelId };
}

/** How a summary may refer to the subject of an operation. */
const subjectSchema = z.object({
  to: z.union([z.string(), z.array(z.string())]).optional(),
  number: z.string().optional(),
  iccid: z.string().optional(),
  senderId: z.string().optional(),
});

/** Returns the audit entry of an ended operation. Its summary is already masked. */
export function auditEntryOf(row: OperationRow): NewAuditEntry {
  const { summary } = row;
  const { to, number, iccid, senderId } = subjectSchema.safeParse(summary).data ?? {};
  const [first, ...others] = Array.isArray(to) ? to : [to ?? number ?? iccid ?? senderId];
  return {
    workspaceId: row.workspaceId,
    userId: row.userId,
    action: row.kind,
    subject: others.length > 0 ? `${first} …` : first,
    outcome: row.state === 'underway' ? 'unconfirmed' : row.state,
    details: {
      ...summary,
      operation: row.id,
      ...(row.channelId !== undefined && { channel: row.channelId }),
      ...(row.pages !== undefined && { pages: row.pages }),
      ...(row.error !== undefined && { reason: row.error.reason }),
    },
  };
}

const column = encryptedColumn('operationText', 'value');
const operationTextSchema = z.object({ text: z.string(), to: z.array(phoneNumberSchema) });

/** What was sent, and the numbers it went to, in E.164. */
export type OperationText = Readonly<z.infer<typeof operationTextSchema>>;

export function writeOperationText(
  { text, to }: { text: string; to: readonly E164[] },
  row: { workspaceId: string; operationId: string },
  encryption: Encryption,
): string {
  const value = JSON.stringify({ text: text.toWellFormed(), to });
  return encryption.encrypt(value, additionalDataOf(column, row));
}

/** Returns the texts of the operations that had one, by their ids, while they are kept. */
export async function readOperationTexts(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<Map<string, OperationText>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await db
    .selectFrom('operationText')
    .select(['operationId', 'value'])
    .where('workspaceId', '=', workspaceId)
    .where('operationId', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ operationId, value }) => {
      const text = encryption.decrypt(value, additionalDataOf(column, { workspaceId, operationId }));
      return [operationId, operationTextSchema.parse(JSON.parse(text))];
    }),
  );
}
