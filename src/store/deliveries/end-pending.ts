import { type Kysely, sql, type Transaction } from 'kysely';
import type { StoreContext } from '../context.ts';
import { messageKinds, noticeOf } from '../operations/operation.ts';
import { addNotices } from '../outbox/notices.ts';
import { isFree } from '../outbox/outbox.ts';
import { isOneOf } from '../row-list.ts';
import type { Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import type { DeliveryRow } from './delivery-rows.ts';

/**
 * Ends what was to be done for these rows, and has the messages of Slack changed that show their operations. Returns how
 * many those are. A row stays pending of which something new was reported meanwhile, and one whose message of Slack is being
 * changed just now: what that shows may have been read before.
 */
export function endPending(
  { db, databaseNow, clock }: StoreContext,
  workspaceId: string,
  rows: readonly DeliveryRow[],
): Promise<number> {
  if (rows.length === 0) {
    return Promise.resolve(0);
  }
  const providerIds = [...new Set(rows.map((row) => row.providerId))];
  return inTransaction(db, async (transaction) => {
    const claimedBy = await operationsOfClaims(transaction, workspaceId, providerIds);
    const operations = transaction
      .selectFrom('operation')
      .select(['id', 'workspaceId', 'userId', 'channelId', 'providerId'])
      .where('workspaceId', '=', workspaceId)
      .where('kind', 'in', messageKinds)
      .where((eb) =>
        claimedBy.length === 0
          ? eb('providerId', 'in', providerIds)
          : eb.or([eb('providerId', 'in', providerIds), eb('id', 'in', claimedBy)]),
      );
    const found = await operations.execute();
    const busy = await beingChanged(transaction, found, databaseNow);
    const busyMessages = new Set(
      found.flatMap(({ id, providerId }) => (busy.has(id) ? (providerId ?? []) : [])),
    );
    const done = rows.filter((row) => !busyMessages.has(row.providerId));
    // Before it is read which operations are shown: one that is shown after that sets its rows pending again.
    await clearPending(transaction, workspaceId, done);
    const isShown = operations.where((eb) =>
      eb.or([eb('messageTs', 'is not', null), eb('resolvedTs', 'is not', null)]),
    );
    const shown = (await isShown.execute()).filter(({ id }) => !busy.has(id));
    const notices = shown.map((row) => ({ ...noticeOf(row), subject: 'delivery' as const }));
    await addNotices(transaction, notices, clock());
    return notices.length;
  });
}

/** Returns the ids of the operations with several numbers that have one of these messages. */
async function operationsOfClaims(
  db: Kysely<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<string[]> {
  const claims = await db
    .selectFrom('messageClaim')
    .select('operationId')
    .distinct()
    .where('workspaceId', '=', workspaceId)
    .where('providerId', 'in', providerIds)
    .execute();
  return claims.flatMap(({ operationId }) => operationId ?? []);
}

/** Returns the ids of those whose message of Slack is being changed. */
async function beingChanged(
  transaction: Transaction<Schema>,
  operations: readonly { id: string; workspaceId: string }[],
  databaseNow: StoreContext['databaseNow'],
): Promise<Set<string>> {
  const [first] = operations;
  if (first === undefined) {
    return new Set();
  }
  const waiting = transaction
    .selectFrom('outbox')
    .select('subjectId')
    .where('workspaceId', '=', first.workspaceId)
    .where('subject', '=', 'delivery')
    .where(
      'subjectId',
      'in',
      operations.map(({ id }) => id),
    );
  const locked = await waiting.forUpdate().execute();
  const free = new Set((await waiting.where(isFree(databaseNow())).execute()).map((row) => row.subjectId));
  return new Set(locked.map((row) => row.subjectId).filter((id) => !free.has(id)));
}

async function clearPending(
  db: Kysely<Schema>,
  workspaceId: string,
  rows: readonly DeliveryRow[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const columns = [
    sql.ref('providerId'),
    sql.ref('hash'),
    sql.ref('status'),
    sql.ref('reportedAt'),
    sql`coalesce(first_reported_at, 0)`,
    sql`coalesce(content_hash, '')`,
    sql`coalesce(cost, '')`,
  ];
  const seen = rows.map((row) => [
    row.providerId,
    row.hash,
    row.status,
    row.reportedAt,
    row.firstReportedAt ?? 0,
    row.contentHash ?? '',
    row.cost ?? '',
  ]);
  await db
    .updateTable('delivery')
    .set({ pending: false })
    .where('workspaceId', '=', workspaceId)
    .where(isOneOf(db, columns, seen))
    .execute();
}
