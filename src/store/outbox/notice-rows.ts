import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { Schema } from '../schema.ts';
import type { DeliveryState, NewNotice, Notice, NoticeKey } from './outbox.ts';

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
