import type { Transaction } from 'kysely';
import { orRollBack } from '../engine/transaction.ts';
import { auditEntryOf, type OperationRow } from '../operations/operation.ts';
import { addResolvedNotices } from '../operations/resolved-notices.ts';
import type { Schema } from '../schema/schema.ts';
import { isAnswerUnderway, type OperationCandidate, type Search } from './candidates.ts';
import { lookAgainForCosts } from './costs/count-costs.ts';
import { type DeliveryRow, type IdentifiableMessage, identify } from './messages.ts';
import { findSoleCandidate } from './sole-candidate.ts';

type Claimed = 'resolved' | 'settled' | 'waits';

/** Makes an unconfirmed operation accepted by its message; with several numbers, once each has an unambiguous one. */
export async function claimOperation(
  search: Search,
  { operation, recipients }: OperationCandidate,
  row: IdentifiableMessage,
): Promise<Claimed> {
  const messages = recipients === 1 ? [row] : await messagesToAll(search, { operation, recipients }, row);
  if (typeof messages === 'string') {
    return messages;
  }
  const appendAudit = await search.audit.prepare();
  return orRollBack(
    search.db,
    async (transaction) => {
      if (!(await claimMessages(transaction, operation, messages))) {
        return 'settled';
      }
      // The operation is named after the first of its messages.
      const resolved = await transaction
        .updateTable('operation')
        .set({ state: 'accepted', providerId: row.providerId, error: null, resolvedFrom: row.source })
        .where('id', '=', operation.id)
        .where('state', '=', 'unconfirmed')
        .returningAll()
        .executeTakeFirst();
      if (resolved === undefined) {
        return 'settled';
      }
      if (!(await addResolvedNotices(transaction, resolved, { ...search, dueAt: row.receivedAt }))) {
        return 'waits';
      }
      await lookAgainForCosts(transaction, messages);
      const entry = auditEntryOf(resolved);
      const details = { ...entry.details, resolvedFrom: String(resolved.resolvedFrom) };
      await appendAudit(transaction, [{ ...entry, details }]);
      return 'resolved';
    },
    (result) => result === 'resolved',
  );
}

/** Returns the message to each number of an operation. */
async function messagesToAll(
  search: Search,
  { operation, recipients }: Pick<OperationCandidate, 'operation' | 'recipients'>,
  row: IdentifiableMessage,
): Promise<DeliveryRow[] | 'settled' | 'waits'> {
  const { db } = search;
  const numbers = await db
    .selectFrom('operationNumber')
    .select('hash')
    // By the time as well, which its index begins with.
    .where('createdAt', '=', operation.createdAt)
    .where('operationId', '=', operation.id)
    .execute();
  const hashes = numbers.map(({ hash }) => hash);
  const { workspaceId, contentHash } = row;
  const rows =
    hashes.length === recipients
      ? await db
          .selectFrom('delivery')
          .selectAll()
          .where('workspaceId', '=', workspaceId)
          .where('hash', 'in', hashes)
          .where('contentHash', '=', contentHash)
          .execute()
      : [];
  const byNumber = Map.groupBy(rows, ({ hash }) => hash);
  if (hashes.length !== recipients || hashes.some((hash) => !byNumber.has(hash))) {
    return 'settled';
  }
  const messages: DeliveryRow[] = [row];
  for (const hash of hashes.filter((each) => each !== row.hash)) {
    const ofOperation: DeliveryRow[] = [];
    for (const other of byNumber.get(hash) ?? []) {
      if (await isAnswerUnderway(db, other)) {
        return 'waits';
      }
      const message = identify(other);
      const candidate = message && (await findSoleCandidate(search, message));
      if (candidate === 'waits') {
        return 'waits';
      }
      if (candidate?.kind === 'operation' && candidate.operation.id === operation.id) {
        ofOperation.push(other);
      }
    }
    const [message, ...more] = ofOperation;
    if (message === undefined || more.length > 0) {
      return 'settled';
    }
    messages.push(message);
  }
  return messages;
}

/** Returns false if one of them is claimed already. */
async function claimMessages(
  transaction: Transaction<Schema>,
  { id }: Pick<OperationRow, 'id'>,
  messages: readonly DeliveryRow[],
): Promise<boolean> {
  const [first] = messages;
  if (first === undefined) {
    return false;
  }
  const { workspaceId, providerId, receivedAt: claimedAt } = first;
  const claimed = await transaction
    .insertInto('deliveryClaim')
    .values({ workspaceId, providerId, operationId: id, claimedAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('messageClaim')
    .values(
      messages.map(({ providerId, hash, source, receivedAt }) => ({
        workspaceId,
        providerId,
        hash,
        operationId: id,
        source,
        claimedAt: receivedAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return claimed.numInsertedOrUpdatedRows === 1n && numInsertedOrUpdatedRows === BigInt(messages.length);
}
