import { existsSync } from 'node:fs';
import type { DataDir } from '../engine/data-dir/data-dir.ts';
import {
  createMarker,
  identityOf,
  isSameFile,
  type Marker,
  markerPaths,
  promoteMarker,
  readMarker,
} from '../engine/sqlite/marker.ts';
import { inTransaction } from '../engine/transaction.ts';
import { clearing } from '../engine/values.ts';
import type { Schema } from '../schema/schema.ts';
import {
  beginEpoch,
  type ClaimOptions,
  createTakeoverNotices,
  type InstallationRow,
  type InstallationState,
  type Machine,
  type TakeoverReason,
} from './installation.ts';

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

interface FoundData {
  row: InstallationRow | undefined;
  /** The marker that belongs to the row. */
  ownMarker: Marker | undefined;
  /** Whether there is a marker in its place, readable or not, of this database or not. */
  hasMarker: boolean;
  /** See `identityOf`. */
  databaseFile: string | undefined;
  isLogOlder: boolean;
  machine: Machine;
}

/**
 * Decides whether the data was restored or copied since it ran last. Returns undefined for data that is as this
 * installation left it, or that is new.
 */
function takeoverReason(found: FoundData): TakeoverReason | undefined {
  const { row, ownMarker, hasMarker, databaseFile, isLogOlder, machine } = found;
  if (row === undefined) {
    return hasMarker ? 'other_files' : undefined;
  }
  if (ownMarker === undefined) {
    return hasMarker ? 'other_files' : 'no_mark';
  }
  if (ownMarker.writes > row.writes) {
    return 'older';
  }
  if (!isSameFile(row.databaseFile, databaseFile) || isLogOlder) {
    return 'other_files';
  }
  if (row.machine !== undefined && machine.id !== undefined && row.machine !== machine.id) {
    return 'other_machine';
  }
  // Without a power cut in between, a marker is never further behind: it was put back, beside a log that was not.
  return machine.boot !== undefined && row.boot === machine.boot && ownMarker.writes < row.writes - 1
    ? 'other_files'
    : undefined;
}
