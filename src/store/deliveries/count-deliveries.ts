import { type Kysely, sql, type Transaction } from 'kysely';
import { outcomeOf } from '../../domain/deliveries/delivery-status.ts';
import { addToDeliveryCounts, type DeliveryChanges } from '../campaigns/delivery-counts.ts';
import { isOneOf } from '../row-list.ts';
import type { Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import { type MessageToNumber, messageName } from './known-messages.ts';

/** A message of a recipient of a campaign. */
export interface CountedMessage extends MessageToNumber {
  /** The sequence of the campaign. */
  campaign: number;
}

/**
 * Counts what became of recipients of campaigns. What each delivery is counted as lies in its row: it counts once, however
 * often and by however many this is called, and moves from one outcome to the next. Returns how many campaigns have other
 * counts than before.
 */
export async function countDeliveries(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly CountedMessage[],
): Promise<number> {
  if (messages.length === 0) {
    return 0;
  }
  const campaigns = new Map(messages.map((message) => [messageName(message), message.campaign]));
  return inTransaction(db, async (transaction) => {
    const rows = await lockDeliveries(transaction, workspaceId, messages);
    const changes: DeliveryChanges = new Map();
    const moved = new Map<string, { campaign: number; outcome: string; messages: MessageToNumber[] }>();
    for (const row of rows) {
      // Once it is counted, it stays in its campaign.
      const campaign = row.campaign ?? campaigns.get(messageName(row));
      const outcome = outcomeOf(row.status);
      if (campaign === undefined || outcome === row.countedAs) {
        continue;
      }
      add(changes, { campaign, outcome }, 1);
      if (row.countedAs !== undefined) {
        add(changes, { campaign, outcome: row.countedAs }, -1);
      }
      const name = JSON.stringify([campaign, outcome]);
      const group = moved.get(name) ?? { campaign, outcome, messages: [] };
      group.messages.push(row);
      moved.set(name, group);
    }
    for (const { campaign, outcome, messages: own } of moved.values()) {
      await transaction
        .updateTable('delivery')
        .set({ campaign, countedAs: outcome })
        .where('workspaceId', '=', workspaceId)
        .where(isMessage(transaction, own))
        .execute();
    }
    await addToDeliveryCounts(transaction, changes);
    return changes.size;
  });
}

/** In the order in which reports are written, so that the two wait for each other once. */
async function lockDeliveries(
  transaction: Transaction<Schema>,
  workspaceId: string,
  messages: readonly MessageToNumber[],
) {
  return transaction
    .selectFrom('delivery')
    .select(['providerId', 'hash', 'status', 'campaign', 'countedAs'])
    .where('workspaceId', '=', workspaceId)
    .where(isMessage(transaction, messages))
    .orderBy('providerId')
    .orderBy('hash')
    .forUpdate()
    .execute();
}

function isMessage(transaction: Transaction<Schema>, messages: readonly MessageToNumber[]) {
  return isOneOf(
    transaction,
    [sql.ref('providerId'), sql.ref('hash')],
    messages.map(({ providerId, hash }) => [providerId, hash]),
  );
}

function add(
  changes: DeliveryChanges,
  { campaign, outcome }: { campaign: number; outcome: string },
  recipients: number,
): void {
  const outcomes = changes.get(campaign) ?? new Map<string, number>();
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + recipients);
  changes.set(campaign, outcomes);
}
