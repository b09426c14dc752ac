import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Selectable } from 'kysely';
import { holdCampaigns } from '../campaigns/hold-campaigns.ts';
import type { DataDir } from '../data-dir/data-dir.ts';
import { addNotices, doubtNotices, type NewNotice } from '../outbox/outbox.ts';
import type { Schema } from '../schema.ts';
import { identityOf, isSameFile } from '../sqlite/file-identity.ts';
import type { Machine } from './machine.ts';
import { type Marker, createMarker, markerPaths, readMarker, promoteMarker } from '../sqlite/marker.ts';

/**
 * How it was noticed that the data is not the one that ran here last:
 * - `older`: the mark is ahead of the database;
 * - `no_mark`: there is no mark beside the database;
 * - `other_files`: the database or its mark is a copy, or belongs to another database;
 * - `other_machine`: it ran on another machine before.
 */
export type TakeoverReason = 'older' | 'no_mark' | 'other_files' | 'other_machine';

/** Whose data it is, and whether it was restored or copied. */
export interface InstallationState {
  /** See `keyIn`. */
  epoch: string;
  /** What was noticed at this start, with how many campaigns were held for it. */
  takeover?: { reason: TakeoverReason; heldCampaigns: number } | undefined;
  /** When something was last noticed, at this start or an earlier one. */
  restoredAt?: Date | undefined;
  /** Whether notices of that are still to be put into the outbox. */
  mustNotify(): boolean;
  /** Puts notices of that into the outbox, once: to each of these users. */
  notify(users: readonly Pick<NewNotice, 'workspaceId' | 'userId'>[]): Promise<void>;
}

type Row = Selectable<Schema['installation']>;

/**
 * Takes the data for this run of the program. Where it was restored or copied since it ran last, running and scheduled
 * campaigns are held and a new epoch begins, in one transaction. What is written from here on is counted.
 */
export async function claimInstallation(
  { db, file, files, isLogOlder, count }: DataDir,
  { dataDir, machine, clock }: { dataDir: string; machine: Machine; clock: () => Date },
): Promise<InstallationState> {
  const row = await db.selectFrom('installation').selectAll().executeTakeFirst();
  const { settled, fresh } = markerPaths(dataDir);
  const marks = { settled: readMarker(settled), fresh: readMarker(fresh) };
  const isOwn = (mark: Marker | undefined) => isSameFile(row?.mark_file ?? '', mark?.identity);
  // A start that was cut off left its mark so.
  if (isOwn(marks.fresh)) {
    promoteMarker(dataDir);
  }
  const own = isOwn(marks.fresh) ? marks.fresh : isOwn(marks.settled) ? marks.settled : undefined;
  const why = reasonToHold({ row, own, isMarked: existsSync(settled), file, isLogOlder, machine });

  const now = clock();
  const writes = Math.max(row?.writes ?? 0, marks.settled?.writes ?? 0, marks.fresh?.writes ?? 0) + 1;
  const next: Row = {
    id: 1,
    epoch: why === undefined ? (row?.epoch ?? '') : randomUUID().slice(0, 8),
    writes,
    mark_file: createMarker(dataDir, writes).identity,
    database_file: identityOf(file) ?? '',
    machine: machine.id ?? null,
    boot: machine.boot ?? null,
    restored_at: why === undefined ? (row?.restored_at ?? null) : now.getTime(),
    notified_at: why === undefined ? (row?.notified_at ?? null) : null,
  };
  const held = await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('installation')
      .values(next)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(next))
      .execute();
    if (why === undefined) {
      return 0;
    }
    await doubtNotices(transaction);
    return holdCampaigns(transaction, now);
  });
  promoteMarker(dataDir);
  await count({ mark: settled, files, writes });

  let mustNotify = next.restored_at !== null && next.notified_at === null;
  return {
    epoch: next.epoch,
    takeover: why && { reason: why, heldCampaigns: held },
    restoredAt: next.restored_at === null ? undefined : new Date(next.restored_at),
    mustNotify: () => mustNotify,
    async notify(users) {
      const at = clock().getTime();
      await db.transaction().execute(async (transaction) => {
        const notices = users.map(({ workspaceId, userId }) => ({
          workspaceId,
          subject: 'restored' as const,
          subjectId: userId,
          userId,
        }));
        await addNotices(transaction, notices, at);
        await transaction.updateTable('installation').set({ notified_at: at }).execute();
      });
      mustNotify = false;
    },
  };
}

/** Undefined for data that is as this installation left it, that is new, or that comes from before there were marks. */
function reasonToHold({
  row,
  own,
  isMarked,
  file,
  isLogOlder,
  machine,
}: {
  row: Row | undefined;
  /** The mark that belongs to the row. */
  own: Marker | undefined;
  /** Whether a mark is in its place, be it readable and its own or not. */
  isMarked: boolean;
  file: string;
  isLogOlder: boolean;
  machine: Machine;
}): TakeoverReason | undefined {
  if (row === undefined) {
    return isMarked ? 'other_files' : undefined;
  }
  if (own === undefined) {
    return isMarked ? 'other_files' : 'no_mark';
  }
  if (own.writes > row.writes) {
    return 'older';
  }
  if (!isSameFile(row.database_file, identityOf(file)) || isLogOlder) {
    return 'other_files';
  }
  if (row.machine !== null && machine.id !== undefined && row.machine !== machine.id) {
    return 'other_machine';
  }
  // Without a power cut in between, a mark is never further behind: it was put back, under a log that was not.
  return machine.boot !== undefined && row.boot === machine.boot && own.writes < row.writes - 1
    ? 'other_files'
    : undefined;
}
