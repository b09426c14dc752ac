import type { ExpressionBuilder, Generated, Kysely, Selectable } from 'kysely';
import type { Schema } from '../schema.ts';
import type { DeliveryState, NewNotice, Notice, NoticeKey, NoticeSubject } from './outbox.ts';

export interface OutboxTables {
  /** See `Notice`. A row is deleted once it is delivered. */
  outbox: {
    workspace_id: string;
    subject: NoticeSubject;
    subject_id: string;
    user_id: string;
    channel_id: string | null;
    channel_error: string | null;
    repeated: Generated<0 | 1>;
    title: string | null;
    attempts: Generated<number>;
    /** Milliseconds since 1970. */
    next_attempt_at: number;
    /** Names the delivery that is in progress, see `NoticeLeases`. */
    lease: string | null;
    /** Milliseconds since 1970, by the database's clock where instances share it. */
    lease_until: number | null;
    /** Counts its renewals: a delivery does not show what came after it began. */
    version: Generated<number>;
  };
}

export type NoticeRow = Selectable<OutboxTables['outbox']>;

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
