import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { messageKinds, noticeOf } from '../operations/operation.ts';
import { isFree } from '../outbox/notice-leases.ts';
import { addNotices } from '../outbox/notices.ts';
import { isOneOf } from '../row-list.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import type { FollowOptions } from './follow-deliveries.ts';

/**
 * Ends what was to be done for these rows, and has the messages of Slack changed that show their operations. Returns how
 * many those are. A row stays pending of which something new was reported meanwhile, and one whose message of Slack is being
 * changed just now: what that shows may have been read before.
 */
export function endPending(
  { db, databaseNow, clock }: FollowOptions,
  workspaceId: string,
  rows: readonly DeliveryRow[],
): Promise<number> {
  if (rows.length === 0) {
    return Promise.resolve(0);
  }
  const providerIds = [...new Set(rows.map((row) => row.provider_id))];
  return inTransaction(db, async (transaction) => {
    const claimedBy = await operationsOfClaims(transaction, workspaceId, providerIds);
    const operations = transaction
      .selectFrom('operation')
      .select(['id', 'workspace_id', 'user_id', 'channel_id', 'provider_id', 'message_ts'])
      .where('workspace_id', '=', workspaceId)
      .where('kind', 'in', messageKinds)
      .where((eb) =>
        claimedBy.length === 0
          ? eb('provider_id', 'in', providerIds)
          : eb.or([eb('provider_id', 'in', providerIds), eb('id', 'in', claimedBy)]),
      );
    const found = await operations.execute();
    const busy = await beingChanged(transaction, found, databaseNow);
    const busyMessages = new Set(found.flatMap(({ id, provider_id }) => (busy.has(id) ? provider_id : [])));
    const done = rows.filter((row) => !busyMessages.has(row.provider_id));
    // Before it is read which operations are shown: one that is shown after that sets its rows pending again.
    await clearPending(transaction, workspaceId, done);
    const isShown = (eb: ExpressionBuilder<Schema, 'operation'>) =>
      eb.or([eb('message_ts', 'is not', null), eb('resolved_ts', 'is not', null)]);
    const shown = (await operations.where(isShown).execute()).filter(({ id }) => !busy.has(id));
    const notices = shown.map((row) => ({ ...noticeOf(row), subject: 'delivery' as const }));
    await addNotices(transaction, notices, clock().getTime());
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
    .selectFrom('message_claim')
    .select('operation_id')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', 'in', providerIds)
    .execute();
  return claims.flatMap(({ operation_id }) => operation_id ?? []);
}

/** Returns the ids of those whose message of Slack is being changed. */
async function beingChanged(
  transaction: Transaction<Schema>,
  operations: readonly { id: string; workspace_id: string }[],
  databaseNow: FollowOptions['databaseNow'],
): Promise<Set<string>> {
  const [first] = operations;
  if (first === undefined) {
    return new Set();
  }
  const waiting = transaction
    .selectFrom('outbox')
    .select('subject_id')
    .where('workspace_id', '=', first.workspace_id)
    .where('subject', '=', 'delivery')
    .where(
      'subject_id',
      'in',
      operations.map(({ id }) => id),
    );
  const locked = await waiting.forUpdate().execute();
  const free = new Set((await waiting.where(isFree(databaseNow())).execute()).map((row) => row.subject_id));
  return new Set(locked.map((row) => row.subject_id).filter((id) => !free.has(id)));
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
    sql.ref('provider_id'),
    sql.ref('hash'),
    sql.ref('status'),
    sql.ref('reported_at'),
    sql`coalesce(first_reported_at, 0)`,
    sql`coalesce(content_hash, '')`,
    sql`coalesce(cost, '')`,
  ];
  const seen = rows.map((row) => [
    row.provider_id,
    row.hash,
    row.status,
    row.reported_at,
    row.first_reported_at ?? 0,
    row.content_hash ?? '',
    row.cost ?? '',
  ]);
  await db
    .updateTable('delivery')
    .set({ pending: 0 })
    .where('workspace_id', '=', workspaceId)
    .where(isOneOf(db, columns, seen))
    .execute();
}
