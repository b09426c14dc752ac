import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import type { NoticeSubject } from '../schema/approvals.ts';
import type { Row, Schema } from '../schema/schema.ts';

export type NoticeRow = Row<'outbox'>;

/** Names a notice: there is at most one for each. */
export interface NoticeKey {
  workspaceId: string;
  subject: NoticeSubject;
  /** The id of the operation, campaign, request or message; for `restored` the user's. */
  subjectId: string;
}

/** What is known of earlier attempts. Stored before each attempt, in the form that is true if the attempt is cut off. */
export interface DeliveryState {
  /** Why it isn't in its channel: Slack's error, or `unconfirmed` where it may or may not have been posted. */
  channelProblem?: string | undefined;
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

/** The `channelProblem` of a notice that may or may not have been posted in its channel. */
export const unconfirmedDelivery = 'unconfirmed';

export function noticeName({ workspaceId, subject, subjectId }: NoticeKey): string {
  return JSON.stringify([workspaceId, subject, subjectId]);
}

export function toNotice({ nextAttemptAt, lease, leaseUntil, version, ...notice }: NoticeRow): Notice {
  return notice;
}

export function hasKey({ workspaceId, subject, subjectId }: NoticeKey) {
  return (eb: ExpressionBuilder<Schema, 'outbox'>) => eb.and({ workspaceId, subject, subjectId });
}

/**
 * Adds notices that are due at a time. A notice with an existing key is ignored.
 *
 * @param options.renew whether an existing one is delivered again if its delivery is under way, since that may show old data
 */
export async function addNotices(
  db: Kysely<Schema>,
  notices: readonly (NewNotice & Partial<DeliveryState>)[],
  dueAt: Date,
  { renew = false } = {},
): Promise<void> {
  const rows = notices.map((notice) => ({
    workspaceId: notice.workspaceId,
    subject: notice.subject,
    subjectId: notice.subjectId,
    userId: notice.userId,
    channelId: notice.channelId,
    channelProblem: notice.channelProblem,
    repeated: notice.repeated ?? false,
    title: notice.title,
    nextAttemptAt: dueAt,
  }));
  for (let start = 0; start < rows.length; start += batchSize) {
    await db
      .insertInto('outbox')
      .values(rows.slice(start, start + batchSize))
      .onConflict((conflict) =>
        renew
          ? conflict
              .columns(['workspaceId', 'subject', 'subjectId'])
              .doUpdateSet((eb) => ({ version: eb('outbox.version', '+', 1) }))
          : conflict.doNothing(),
      )
      .execute();
  }
}

/** Rows of one statement: a database takes a limited number of parameters. */
const batchSize = 1_000;

/**
 * Marks all notices as possibly delivered before, after a restore. A campaign with a posted message keeps its channel: that
 * message is updated, not posted again.
 */
export async function doubtNotices(transaction: Transaction<Schema>): Promise<void> {
  await transaction.updateTable('outbox').set({ repeated: true }).execute();
  await transaction
    .updateTable('outbox')
    .set({ channelProblem: unconfirmedDelivery })
    .where('channelId', 'is not', null)
    .where('channelProblem', 'is', null)
    .where((eb) =>
      eb.or([
        eb('subject', '<>', 'campaign'),
        eb.not(
          eb.exists(
            eb
              .selectFrom('campaign')
              .select('sequence')
              .whereRef('campaign.workspaceId', '=', 'outbox.workspaceId')
              .whereRef('campaign.id', '=', 'outbox.subjectId')
              .where('campaign.messageTs', 'is not', null),
          ),
        ),
      ]),
    )
    .execute();
}

/** Work from before a restore may have ended already, with a delivered notice that the data has forgotten. */
export function deliveryStateAfterRestore(
  begunAt: Date,
  restoredAt: Date | undefined,
): DeliveryState | undefined {
  const mayBeDelivered = restoredAt !== undefined && begunAt < restoredAt;
  return mayBeDelivered ? { repeated: true, channelProblem: unconfirmedDelivery } : undefined;
}
