import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { type DeliveryRow, findForeignMessages, messageName } from './messages.ts';

type FoundDelivery = Pick<
  DeliveryRow,
  'providerId' | 'hash' | 'state' | 'status' | 'receivedAt' | 'cost' | 'source'
>;

const found = [
  'delivery.hash',
  'delivery.state',
  'delivery.status',
  'delivery.receivedAt',
  'delivery.cost',
  'delivery.source',
] as const;

/**
 * Returns the known deliveries of these messages of a workspace, for each number. With the message that names an
 * unconfirmed operation come, under its id, the messages to the other numbers of that operation.
 */
export async function readDeliveriesOf(
  db: Kysely<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<FoundDelivery[]> {
  const { named, beside } = await readDeliveries(db, workspaceId, providerIds);
  // A report may have come before the answer that names its message.
  const foreign = await findForeignMessages(db, workspaceId, named);
  return [...named.filter((row) => !foreign.has(messageName(row))), ...beside];
}

/**
 * Returns `named`, the messages with these ids, and `beside`, the other messages of operations that these ids name, each under
 * the id of its operation.
 */
export async function readDeliveries(
  db: Kysely<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<Record<'named' | 'beside', FoundDelivery[]>> {
  if (providerIds.length === 0) {
    return { named: [], beside: [] };
  }
  const named = await db
    .selectFrom('delivery')
    .select(['delivery.providerId', ...found])
    .where('workspaceId', '=', workspaceId)
    .where('providerId', 'in', providerIds)
    .execute();
  const beside = await db
    .selectFrom('deliveryClaim')
    .innerJoin('messageClaim', 'messageClaim.operationId', 'deliveryClaim.operationId')
    .innerJoin('delivery', (join) =>
      join
        .onRef('delivery.workspaceId', '=', 'messageClaim.workspaceId')
        .onRef('delivery.providerId', '=', 'messageClaim.providerId')
        .onRef('delivery.hash', '=', 'messageClaim.hash'),
    )
    .select(['deliveryClaim.providerId', ...found])
    .where('deliveryClaim.workspaceId', '=', workspaceId)
    .where('deliveryClaim.providerId', 'in', providerIds)
    .whereRef('messageClaim.providerId', '<>', 'deliveryClaim.providerId')
    .execute();
  return { named, beside };
}
