import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import { addNotices, type NewNotice } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import type { TakeoverReason } from './takeover.ts';

/** Whose data it is, and whether it was restored or copied. */
export interface InstallationState {
  /** See `withEpoch`. */
  epoch: string;
  /** Set where this start found that the data was restored or copied. */
  takeover?: { reason: TakeoverReason; heldCampaigns: number } | undefined;
  /** When a takeover last happened, at this start or an earlier one. */
  restoredAt?: Date | undefined;
  /** Whether notices of that are still to be put into the outbox. */
  mustNotify(): boolean;
  /** Puts notices of that into the outbox, once: to each of these users. */
  notify(users: readonly Pick<NewNotice, 'workspaceId' | 'userId'>[]): Promise<void>;
}

export function createTakeoverNotices(
  db: Kysely<Schema>,
  clock: Clock,
  isDue: boolean,
): Pick<InstallationState, 'mustNotify' | 'notify'> {
  let mustNotify = isDue;
  return {
    mustNotify: () => mustNotify,
    async notify(users) {
      const now = clock().getTime();
      const notices = users.map(({ workspaceId, userId }) => ({
        workspaceId,
        subject: 'restored' as const,
        subjectId: userId,
        userId,
      }));
      await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('installation')
          .set({ notifiedAt: new Date(now) })
          .where('notifiedAt', 'is', null)
          .executeTakeFirst();
        // Not where another instance has: its notices may be delivered by now.
        await (numUpdatedRows > 0n ? addNotices(transaction, notices, new Date(now)) : undefined);
      });
      mustNotify = false;
    },
  };
}
