import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { OnStatement } from '../database.ts';
import { StoreError } from '../errors.ts';
import { openDatabase, type SqliteDatabase } from '../sqlite/database.ts';
import { markerPaths } from '../sqlite/marker.ts';
import { lockDataDir, lockPath } from './lock.ts';
import { refuseMoved } from './moved-mark.ts';
import { preparePrivateDir } from './private-dir.ts';

export const databasePath = (folder: string) => join(folder, 'switchboard.db');

export interface DataDir<Tables> extends SqliteDatabase<Tables> {
  /** The path of the database. */
  file: string;
  /** Whether the database was written to, other than by SQLite, since its write-ahead log was left behind. */
  isLogOlder: boolean;
  /** The paths of all files that must stay where they are while the program runs. */
  files: readonly string[];
}

/**
 * Opens the folder for this process alone: private, locked, with its database.
 *
 * @param options.worker the module of the database's thread, see `openDatabase`
 * @param options.clock the machine's own, which the times of files are set by
 * @param options.isRestored whether a person says that the data is to be used though it was moved to PostgreSQL
 * @throws StoreError `bad_folder`, `in_use`, `moved` or `missing_data`
 */
export async function openDataDir<Tables>(
  dataDir: string,
  options: {
    worker: URL;
    clock: Clock;
    timers: Timers;
    isRestored: boolean;
    onStatement?: OnStatement | undefined;
  },
): Promise<DataDir<Tables>> {
  const { clock, isRestored } = options;
  const file = databasePath(dataDir);
  preparePrivateDir(dataDir, basename(file));
  const lock = lockDataDir(dataDir, clock);
  try {
    if (!isRestored) {
      refuseMoved(dataDir);
    }
    refuseMissingData(dataDir, file);
    const isLogOlder = isLogOlderThan(file, clock());
    const database = await openDatabase<Tables>(file, options);
    return {
      ...database,
      file,
      isLogOlder,
      files: [file, logPath(file), lockPath(dataDir)],
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The path of a database's write-ahead log. */
const logPath = (file: string) => `${file}-wal`;

/** Opening would create a database where there is none: it must not where there has been one. */
function refuseMissingData(dataDir: string, file: string): void {
  const { current } = markerPaths(dataDir);
  if (!existsSync(current)) {
    return;
  }
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size > 0) {
    return;
  }
  throw new StoreError(
    'missing_data',
    `The database ${file} is ${size === undefined ? 'missing' : 'empty'}, but Switchboard has run with one here. ` +
      `Put it back from a back-up. To begin with no data, remove ${current} as well.`,
  );
}

/**
 * In milliseconds: longer than SQLite takes from its last write to the log until it copies the log into the database.
 */
const checkpointDelay = 10_000;

/** Whether a database was written to, other than by SQLite, since its write-ahead log was left behind. */
export function isLogOlderThan(file: string, now: Date): boolean {
  const logStat = statSync(logPath(file), { throwIfNoEntry: false });
  const fileStat = statSync(file, { throwIfNoEntry: false });
  if (logStat === undefined || logStat.size === 0 || fileStat === undefined) {
    return false;
  }
  // A time in the future was set by a clock that was ahead, and proves nothing.
  return fileStat.mtimeMs > logStat.mtimeMs + checkpointDelay && fileStat.mtimeMs <= now.getTime();
}

/**
 * Locks the folder of an instance whose data is elsewhere, for this process alone. Returns what releases it.
 *
 * @throws StoreError `bad_folder` or `in_use`
 */
export function openInstanceDir(dataDir: string, clock: Clock): { release(): void } {
  preparePrivateDir(dataDir, basename(lockPath(dataDir)));
  return lockDataDir(dataDir, clock);
}
