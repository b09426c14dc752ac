import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely';
import type { NoticeSubject } from '../schema/approvals.ts';
import type { Schema } from '../schema.ts';

/** Names a notice: there is at most one for each. */
export interface NoticeKey {
  workspaceId: string;
  subject: NoticeSubject;
  /** The id of the operation, campaign, request or message; for `restored` the user's. */
  subjectId: string;
}

/** What is known of earlier attempts. Stored before each attempt, in the form that is true if the attempt is cut off. */
export interface DeliveryState {
  /** Why it is not in its channel: Slack's error, or `unconfirmed` where it may or may not have been posted. */
  channelError?: string | undefined;
  /** Whether the user may have been notified before. */
  repeated: boolean;
}

export interface NewNotice extends NoticeKey {
  /** The user to notify: a Slack user id. */
  userId: string;
  /** Where: a Slack channel id. Without one, in a message to the user. */
  channelId?: string | undefined;
  /** What users call the subject, where nothing else stores it. Lies in the clear. */
  title?: string | undefined;
}

export interface Notice extends NewNotice, DeliveryState {
  /** How many attempts failed. */
  attempts: number;
}

/** The `channelError` of a notice that may or may not have been posted in its channel. */
export const unconfirmedDelivery = 'unconfirmed';

export function noticeName({ workspaceId, subject, subjectId }: NoticeKey): string {
  return JSON.stringify([workspaceId, subject, subjectId]);
}

export type NoticeRow = Selectable<Schema['outbox']>;

export function toNotice(row: NoticeRow): Notice {
  return {
    workspaceId: row.workspace_id,
    subject: row.subject,
    subjectId: row.subject_id,
    userId: row.user_id,
    channelId: row.channel_id ?? undefined,
    channelError: row.channel_error ?? undefined,
    repeated: row.repeated === 1,
    title: row.title ?? undefined,
    attempts: row.attempts,
  };
}

export function hasKey({ workspaceId, subject, subjectId }: NoticeKey) {
  return (eb: ExpressionBuilder<Schema, 'outbox'>) =>
    eb.and({ workspace_id: workspaceId, subject, subject_id: subjectId });
}

/**
 * Adds notices that are due at a time. A notice is ignored when there is one of its key.
 *
 * @param options.renew whether the one that is there is delivered once more where it is being delivered: what that shows may
 * have been read before
 */
export async function addNotices(
  db: Kysely<Schema>,
  notices: readonly (NewNotice & Partial<DeliveryState>)[],
  dueAt: number,
  { renew = false } = {},
): Promise<void> {
  for (let start = 0; start < notices.length; start += batchSize) {
    await insertNotices(db, notices.slice(start, start + batchSize), dueAt)
      .onConflict((conflict) =>
        renew
          ? conflict
              .columns(['workspace_id', 'subject', 'subject_id'])
              .doUpdateSet((eb) => ({ version: eb('outbox.version', '+', 1) }))
          : conflict.doNothing(),
      )
      .execute();
  }
}

/** Rows of one statement: a database takes a limited number of parameters. */
const batchSize = 1_000;

function insertNotices(
  db: Kysely<Schema>,
  notices: readonly (NewNotice & Partial<DeliveryState>)[],
  dueAt: number,
) {
  const values = notices.map((notice) => ({
    workspace_id: notice.workspaceId,
    subject: notice.subject,
    subject_id: notice.subjectId,
    user_id: notice.userId,
    channel_id: notice.channelId ?? null,
    channel_error: notice.channelError ?? null,
    repeated: notice.repeated ? (1 as const) : (0 as const),
    title: notice.title ?? null,
    next_attempt_at: dueAt,
  }));
  return db.insertInto('outbox').values(values);
}

/**
 * Marks all notices as possibly delivered before: for data that may have forgotten what was delivered. A campaign whose
 * message stands already keeps its channel, as that message is updated and not posted again.
 */
export async function doubtNotices(transaction: Transaction<Schema>): Promise<void> {
  await transaction.updateTable('outbox').set({ repeated: 1 }).execute();
  await transaction
    .updateTable('outbox')
    .set({ channel_error: unconfirmedDelivery })
    .where('channel_id', 'is not', null)
    .where('channel_error', 'is', null)
    .where((eb) =>
      eb.or([
        eb('subject', '<>', 'campaign'),
        eb.not(
          eb.exists(
            eb
              .selectFrom('campaign')
              .select('sequence')
              .whereRef('campaign.workspace_id', '=', 'outbox.workspace_id')
              .whereRef('campaign.id', '=', 'outbox.subject_id')
              .where('campaign.message_ts', 'is not', null),
          ),
        ),
      ]),
    )
    .execute();
}

/** Returns the delivery state of what began before the data was restored: it may have ended since, with a notice. */
export function doubtful(begunAt: number, restoredAt: Date | undefined): DeliveryState | undefined {
  const isDoubtful = restoredAt !== undefined && begunAt < restoredAt.getTime();
  return isDoubtful ? { repeated: true, channelError: unconfirmedDelivery } : undefined;
}
