import type { Transaction } from 'kysely';
import type { StoreContext } from '../context.ts';
import { addNotices, hasKey } from '../outbox/notices.ts';
import { isFree } from '../outbox/outbox.ts';
import type { Schema } from '../schema/schema.ts';
import { noticeOf, type OperationRow } from './operation.ts';

/**
 * Tells the user of an operation that was unconfirmed how it ended. Returns false while they are being told that
 * it is unconfirmed.
 */
export async function addResolvedNotices(
  transaction: Transaction<Schema>,
  operation: OperationRow,
  { databaseNow, dueAt }: Pick<StoreContext, 'databaseNow'> & { dueAt: Date },
): Promise<boolean> {
  const { id, workspaceId } = operation;
  const notice = transaction
    .selectFrom('outbox')
    .select('subjectId')
    .where(hasKey({ workspaceId, subject: 'operation', subjectId: id }));
  const isWaiting = (await notice.forUpdate().executeTakeFirst()) !== undefined;
  const isUntold = isWaiting && (await notice.where(isFree(databaseNow())).executeTakeFirst()) !== undefined;
  const about = noticeOf(operation);
  const notices = [
    ...(isUntold ? [] : [{ ...about, subject: 'operation_resolved' as const, channelId: undefined }]),
    ...(operation.messageTs === undefined ? [] : [{ ...about, subject: 'delivery' as const }]),
  ];
  await addNotices(transaction, notices, dueAt);
  return isUntold || !isWaiting;
}
