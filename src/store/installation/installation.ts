import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Kysely, Transaction } from 'kysely';
import { epochOf } from '../../domain/access/request-keys.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { isPostgres } from '../engine/dialect.ts';
import { StoreError } from '../engine/errors.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices, type NewNotice } from '../outbox/notices.ts';
import type { Row, Schema } from '../schema/schema.ts';

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

/** Returns the columns after a restore or copy: keys from before are refused. */
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
        'sent before. Check the provider’s dashboard, then start again with the command.',
    );
  };
}

/** The machine that the program runs on. What cannot be read is `undefined`. */
export interface Machine {
  /** The same for each start of this machine. Hashed, as the id itself is confidential (machine-id(5)). */
  id: string | undefined;
  /** Another one for each start of the machine. */
  boot: string | undefined;
}

/** Reads the ids that most machines with Linux have. */
export function readMachine(): Machine {
  // In a container it is the id of the image, which changes with each version.
  const isContainer =
    process.env.KUBERNETES_SERVICE_HOST !== undefined ||
    ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
  const id = isContainer ? undefined : read('/etc/machine-id');
  return {
    id: id && createHash('sha256').update(`switchboard ${id}`).digest('hex').slice(0, 32),
    boot: read('/proc/sys/kernel/random/boot_id'),
  };
}

function read(file: string): string | undefined {
  try {
    return /^[0-9a-f-]{32,36}$/m.exec(readFileSync(file, 'latin1'))?.[0];
  } catch {
    return undefined;
  }
}

/** In milliseconds: how far a clock may be before the newest row. Clocks of several machines are never quite the same. */
const toleranceMs = 24 * 60 * 60_000;

/**
 * Refuses to start by a clock that is far behind: due jobs would wait for days, and limits, codes and retention would
 * be counted from a time that is over.
 *
 * @throws StoreError `wrong_clock`
 */
export async function refuseClockBehind(db: Kysely<Schema>, now: Date): Promise<void> {
  const newest = await readNewestTime(db);
  if (now.getTime() >= newest - toleranceMs) {
    return;
  }
  const clock = isPostgres(db) ? 'The clock of the PostgreSQL server' : 'The clock of this machine';
  throw new StoreError(
    'wrong_clock',
    `${clock} shows ${now.toISOString()}, but the newest row of the data is from ${new Date(newest).toISOString()}. ` +
      'Set the clock, and start Switchboard again. If the clock is right, the data was written while it was ahead: ' +
      'restore a backup from before that.',
  );
}

/** Returns the newest of the times that the program writes itself. No person chooses them, and all are found by an index. */
async function readNewestTime(db: Kysely<Schema>): Promise<number> {
  const { run, entry, text } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('instance')
        .select((row) => row.fn.max('heartbeatAt').as('at'))
        .as('run'),
      eb
        .selectFrom('auditChain')
        .innerJoin('auditEntry', (join) =>
          join
            .onRef('auditEntry.workspaceId', '=', 'auditChain.workspaceId')
            .onRef('auditEntry.sequence', '=', 'auditChain.last'),
        )
        .select((row) => row.fn.max('auditEntry.at').as('at'))
        .as('entry'),
      eb
        .selectFrom('operationText')
        .select((row) => row.fn.max('createdAt').as('at'))
        .as('text'),
    ])
    .executeTakeFirstOrThrow();
  return Math.max(...[run, entry, text].map((at) => Number(at ?? 0)));
}
