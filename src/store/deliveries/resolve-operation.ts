import type { Transaction } from 'kysely';
import type { AppendAudit } from '../audit/audit-trail.ts';
import { lookAgainForCosts } from '../costs/count-costs.ts';
import { auditEntryOf } from '../operations/audit-entry.ts';
import { noticeOf, type OperationRow } from '../operations/operation-row.ts';
import { isFree } from '../outbox/notice-leases.ts';
import { addNotices, hasKey } from '../outbox/notice-rows.ts';
import type { Schema } from '../schema.ts';
import { orRollBack } from '../transaction.ts';
import { findCandidates, hasOtherMessage, isAnswerUnderway, mayBeOfCampaign } from './candidates.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import type { FollowOptions } from './follow-deliveries.ts';
import { knownProviderIds } from './known-messages.ts';

/**
 * - `resolved`: the message is that of an operation whose answer was lost;
 * - `settled`: it is of another one, or it cannot be told of which;
 * - `waits`: an answer that is under way may name it.
 */
export type Resolution = 'resolved' | 'settled' | 'waits';

/**
 * Finds the one unconfirmed operation that a message is of: the same number, sender and text, about the same time. Where
 * two operations may have sent it, or the provider has two such messages, nothing is decided. What the data has forgotten
 * since it was restored may have sent it too, so operations from before then stay as they are.
 */
export async function resolveOperation(options: FollowOptions, row: DeliveryRow): Promise<Resolution> {
  const { db, encryption, phoneHashes, audit, restoredAt } = options;
  const { workspace_id, provider_id, content } = row;
  if (content === null || row.reported_at === 0) {
    return 'settled';
  }
  const hash = await phoneHashes.hasher(workspace_id);
  // In this order: an answer that comes in between is known below.
  if (await isAnswerUnderway(db, row)) {
    return 'waits';
  }
  if ((await knownProviderIds(db, workspace_id, [provider_id])).size > 0) {
    return 'settled';
  }
  const message = { ...row, content };
  const [candidate, ...others] = await findCandidates({ db, encryption, hash }, message);
  if (candidate === undefined || others.length > 0 || !candidate.isSameContent) {
    return 'settled';
  }
  const { operation, senderId } = candidate;
  const isForgotten = restoredAt !== undefined && operation.created_at < restoredAt.getTime();
  if (
    operation.state !== 'unconfirmed' ||
    isForgotten ||
    (await hasOtherMessage(db, message, operation)) ||
    (await mayBeOfCampaign(db, row, senderId))
  ) {
    return 'settled';
  }
  const appendAudit = await audit.prepare();
  return orRollBack(
    db,
    (transaction) => claim(transaction, { row, operation, appendAudit, databaseNow: options.databaseNow }),
    (resolution) => resolution === 'resolved',
  );
}

async function claim(
  transaction: Transaction<Schema>,
  {
    row,
    operation: { id },
    appendAudit,
    databaseNow,
  }: {
    row: DeliveryRow;
    operation: OperationRow;
    appendAudit: AppendAudit;
    databaseNow: FollowOptions['databaseNow'];
  },
): Promise<Resolution> {
  const { workspace_id, provider_id, source, received_at } = row;
  const claimed = await transaction
    .insertInto('delivery_claim')
    .values({ workspace_id, provider_id, operation_id: id, claimed_at: received_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const operation = await transaction
    .updateTable('operation')
    .set({ state: 'accepted', provider_id, error: null, resolved_from: source })
    .where('id', '=', id)
    .where('state', '=', 'unconfirmed')
    .returningAll()
    .executeTakeFirst();
  if (claimed.numInsertedOrUpdatedRows !== 1n || operation === undefined) {
    return 'settled';
  }
  const notice = transaction
    .selectFrom('outbox')
    .select('subject_id')
    .where(hasKey({ workspaceId: workspace_id, subject: 'operation', subjectId: id }));
  const isWaiting = (await notice.forUpdate().executeTakeFirst()) !== undefined;
  if (isWaiting && (await notice.where(isFree(databaseNow())).executeTakeFirst()) === undefined) {
    // Just now its user is told that it is unconfirmed.
    return 'waits';
  }
  await lookAgainForCosts(transaction, workspace_id, [provider_id]);
  const about = noticeOf(operation);
  const notices = [
    ...(isWaiting ? [] : [{ ...about, subject: 'operation_resolved' as const, channelId: undefined }]),
    ...(operation.message_ts === null ? [] : [{ ...about, subject: 'delivery' as const }]),
  ];
  await addNotices(transaction, notices, received_at);
  await appendAudit(transaction, [resolvedEntryOf(operation)]);
  return 'resolved';
}

function resolvedEntryOf(operation: OperationRow) {
  const entry = auditEntryOf(operation);
  return { ...entry, details: { ...entry.details, resolvedFrom: String(operation.resolved_from) } };
}
