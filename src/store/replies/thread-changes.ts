import { sql, type Transaction, type UpdateObject } from 'kysely';
import { addNotices, type NewNotice } from '../outbox/notices.ts';
import { type Schema, typed } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { ChangedThread, ReplyStoreOptions, ThreadChange, ThreadKey } from './replies.ts';
import { toReplyThread } from './reply-rows.ts';

/** The notice that a thread has changed. Each change has one of its own, so none is lost while another is delivered. */
export function threadNotice({ workspaceId, id }: ThreadKey, version: number, userId: string): NewNotice {
  return { workspaceId, subject: 'reply_thread', subjectId: `${id}:${version}`, userId };
}

/** Returns the id of the thread that such a notice is of. */
export function threadOfNotice(subjectId: string): string {
  const [id = ''] = subjectId.split(':');
  return id;
}

export async function changeThread(
  key: ThreadKey,
  { change, noticeFor }: { change: ThreadChange; noticeFor: string },
  { db, encryption, clock }: ReplyStoreOptions,
): Promise<ChangedThread | undefined> {
  return inTransaction(db, async (transaction) => {
    const row = await lock(transaction, key);
    if (row === undefined) {
      return undefined;
    }
    const before = toReplyThread(row, encryption);
    const isSo =
      'state' in change
        ? before.state === 'done'
        : before.state === 'open' && before.assignedTo === change.assignedTo;
    if (isSo) {
      return { thread: before, isChanged: false };
    }
    const changed = 'state' in change ? change : { state: 'open' as const, ...change };
    const columns = 'state' in change ? change : { state: 'open' as const, assigned_to: change.assignedTo };
    await update(transaction, key, columns);
    const version = before.version + 1;
    await addNotices(typed(transaction), [threadNotice(key, version, noticeFor)], clock());
    return { thread: { ...before, ...changed, version }, isChanged: true };
  });
}

export async function noteAnswer(
  key: ThreadKey,
  { userId, at }: { userId: string; at: Date },
  { db, clock }: ReplyStoreOptions,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const row = await lock(transaction, key);
    const isNoted = row?.last_by === userId && row.last_at === at.getTime();
    if (row === undefined || isNoted || row.last_at > at.getTime()) {
      return;
    }
    await update(transaction, key, { last_by: userId, last_at: at.getTime() });
    await addNotices(typed(transaction), [threadNotice(key, row.version + 1, userId)], clock());
  });
}

function lock(transaction: Transaction<Schema>, { workspaceId, id }: ThreadKey) {
  return transaction
    .selectFrom('reply_thread')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

async function update(
  transaction: Transaction<Schema>,
  { workspaceId, id }: ThreadKey,
  columns: UpdateObject<Schema, 'reply_thread'>,
): Promise<void> {
  await transaction
    .updateTable('reply_thread')
    .set({ ...columns, version: sql<number>`version + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
