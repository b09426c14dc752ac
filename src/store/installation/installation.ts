import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { epochOf } from '../../domain/access/request-keys.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { StoreError } from '../engine/errors.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices, type NewNotice } from '../outbox/notices.ts';
import type { Row, Schema } from '../schema/schema.ts';
import type { Machine } from './machine.ts';

export type InstallationRow = Row<'installation'>;

export interface ClaimOptions {
  dataDir: string;
  machine: Machine;
  clock: Clock;
  /** Whether a person says that the data was restored. */
  isRestored: boolean;
  /** Called in the transaction of a takeover. Returns how many campaigns it paused. */
  onTakeover(transaction: Transaction<Schema>, now: Date): Promise<number>;
}

/**
 * How the data differs from what ran here last:
 * - `older`: the marker is ahead of the database;
 * - `no_mark`: there is no marker beside the database;
 * - `other_files`: the database or its marker is a copy, or belongs to another database;
 * - `other_machine`: it ran on another machine before;
 * - `other_database`: it is in another PostgreSQL database than before, or recovered there from a backup;
 * - `declared`: a person says so.
 */
export type TakeoverReason =
  | 'older'
  | 'no_mark'
  | 'other_files'
  | 'other_machine'
  | 'other_database'
  | 'declared';

/** Returns the columns of data that was restored or copied: nothing from before may be asked for once more. */
export function beginEpoch(now: Date): Pick<InstallationRow, 'epoch' | 'restoredAt' | 'notifiedAt'> {
  return { epoch: randomUUID().slice(0, 8), restoredAt: now, notifiedAt: undefined };
}

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
      const now = clock();
      const notices = users.map(({ workspaceId, userId }) => ({
        workspaceId,
        subject: 'restored' as const,
        subjectId: userId,
        userId,
      }));
      await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('installation')
          .set({ notifiedAt: now })
          .where('notifiedAt', 'is', null)
          .executeTakeFirst();
        // Not where another instance has: its notices may be delivered by now.
        await (numUpdatedRows > 0n ? addNotices(transaction, notices, now) : undefined);
      });
      mustNotify = false;
    },
  };
}

/** Throws a StoreError `outdated` for a key of another epoch. */
export type RefuseOutdated = (key: string) => void;

export function createEpochCheck(epoch: string): RefuseOutdated {
  return (key) => {
    if (epochOf(key) === epoch) {
      return;
    }
    throw new StoreError(
      'outdated',
      'This was open before Switchboard’s data was restored or copied. Nothing was sent now, but it may have been ' +
        'sent before. Look in the provider’s dashboard, then start again with the command.',
    );
  };
}
