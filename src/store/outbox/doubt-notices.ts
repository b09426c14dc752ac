import type { Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { type DeliveryState, unconfirmedDelivery } from './outbox.ts';

/**
 * Marks all notices as possibly delivered before: for data that may have forgotten what was delivered. A campaign whose
 * message stands already keeps its channel, as that message is updated and not posted again.
 */
export async function doubtNotices(transaction: Transaction<Schema>): Promise<void> {
  await transaction.updateTable('outbox').set({ repeated: 1 }).execute();
  await transaction
    .updateTable('outbox')
    .set({ channel_error: unconfirmedDelivery })
    .where('channel_id', 'is not', null)
    .where('channel_error', 'is', null)
    .where((eb) =>
      eb.or([
        eb('subject', '<>', 'campaign'),
        eb.not(
          eb.exists(
            eb
              .selectFrom('campaign')
              .select('sequence')
              .whereRef('campaign.workspace_id', '=', 'outbox.workspace_id')
              .whereRef('campaign.id', '=', 'outbox.subject_id')
              .where('campaign.message_ts', 'is not', null),
          ),
        ),
      ]),
    )
    .execute();
}

/** Returns the delivery state of what began before the data was restored: it may have ended since, with a notice. */
export function doubtful(begunAt: number, restoredAt: Date | undefined): DeliveryState | undefined {
  const isDoubtful = restoredAt !== undefined && begunAt < restoredAt.getTime();
  return isDoubtful ? { repeated: true, channelError: unconfirmedDelivery } : undefined;
}
