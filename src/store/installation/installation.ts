import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Transaction } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { DataDir } from '../data-dir/data-dir.ts';
import { clearing } from '../engine/values.ts';
import type { Row, Schema } from '../schema/schema.ts';
import { identityOf, isSameFile } from '../sqlite/file-identity.ts';
import { createMarker, type Marker, markerPaths, promoteMarker, readMarker } from '../sqlite/marker.ts';
import { inTransaction } from '../transaction.ts';
import type { Machine } from './machine.ts';
import { createTakeoverNotices, type InstallationState } from './state.ts';
import { type TakeoverReason, takeoverReason } from './takeover.ts';

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

const updateWrites = 'update installation set writes = ? where writes = ?';

/**
 * Claims the data for this run of the program. Where it was restored or copied since it ran last (a takeover), its
 * campaigns are held and a new epoch begins, in one transaction. From then on every transaction that writes is counted.
 */
export async function claimInstallation(
  { db, file, files, isLogOlder, countWrites }: DataDir<Schema>,
  { dataDir, machine, clock, isRestored, onTakeover }: ClaimOptions,
): Promise<InstallationState> {
  const row = await db.selectFrom('installation').selectAll().executeTakeFirst();
  const noticed = noticeTakeover({ row, file, isLogOlder, dataDir, machine });
  const { isCutOff, highestWrites } = findMarkers(dataDir, row);
  // What a start that was cut off had begun.
  if (isCutOff) {
    promoteMarker(dataDir);
  }
  const reason = isRestored ? 'declared' : noticed;

  const now = clock();
  const writes = highestWrites + 1;
  const next: InstallationRow = {
    number: 1,
    writes,
    markFile: createMarker(dataDir, writes).identity,
    databaseFile: identityOf(file) ?? '',
    machine: machine.id,
    boot: machine.boot,
    ...(reason === undefined
      ? {
          epoch: row?.epoch ?? '',
          restoredAt: row?.restoredAt,
          notifiedAt: row?.notifiedAt,
        }
      : beginEpoch(now)),
  };
  const heldCampaigns = await inTransaction(db, async (transaction) => {
    await transaction
      .insertInto('installation')
      .values(next)
      .onConflict((conflict) => conflict.column('number').doUpdateSet(clearing(next)))
      .execute();
    return reason === undefined ? 0 : onTakeover(transaction, now);
  });
  promoteMarker(dataDir);
  await countWrites({ marker: markerPaths(dataDir).current, files, writes, updateSql: updateWrites });

  return {
    epoch: next.epoch,
    takeover: reason && { reason, heldCampaigns },
    restoredAt: next.restoredAt,
    ...createTakeoverNotices(db, clock, next.restoredAt !== undefined && next.notifiedAt === undefined),
  };
}

/** Decides whether the data of a folder was restored or copied since it ran last, and changes nothing. */
export function noticeTakeover({
  row,
  file,
  isLogOlder,
  dataDir,
  machine,
}: Pick<DataDir<Schema>, 'file' | 'isLogOlder'> &
  Pick<ClaimOptions, 'dataDir' | 'machine'> & { row: InstallationRow | undefined }):
  | TakeoverReason
  | undefined {
  const { ownMarker, hasMarker } = findMarkers(dataDir, row);
  return takeoverReason({ row, ownMarker, hasMarker, databaseFile: identityOf(file), isLogOlder, machine });
}

/** Returns the columns of data that was restored or copied: nothing from before may be asked for once more. */
export function beginEpoch(now: Date): Pick<InstallationRow, 'epoch' | 'restoredAt' | 'notifiedAt'> {
  return { epoch: randomUUID().slice(0, 8), restoredAt: now, notifiedAt: undefined };
}

interface FoundMarkers {
  ownMarker: Marker | undefined;
  hasMarker: boolean;
  /** Whether the marker that the data knows is not in its place yet. */
  isCutOff: boolean;
  highestWrites: number;
}

function findMarkers(dataDir: string, row: InstallationRow | undefined): FoundMarkers {
  const paths = markerPaths(dataDir);
  const current = readMarker(paths.current);
  const pending = readMarker(paths.pending);
  const isOwn = (marker: Marker | undefined) => isSameFile(row?.markFile ?? '', marker?.identity);
  return {
    ownMarker: [pending, current].find(isOwn),
    hasMarker: existsSync(paths.current),
    isCutOff: isOwn(pending),
    highestWrites: Math.max(row?.writes ?? 0, current?.writes ?? 0, pending?.writes ?? 0),
  };
}
