import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { OnStatement } from '../database.ts';
import { StoreError } from '../errors.ts';
import { openDatabase, type SqliteDatabase } from '../sqlite/database.ts';
import { markerPaths } from '../sqlite/marker.ts';
import { syncFolder } from '../sync-folder.ts';

export const databasePath = (folder: string) => join(folder, 'switchboard.db');

export interface DataDir<Tables> extends SqliteDatabase<Tables> {
  /** The path of the database. */
  file: string;
  /** Whether a group of this process can use the folder too. */
  isShared: boolean;
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
  const isShared = preparePrivateDir(dataDir, basename(file));
  const lock = lockDataDir(dataDir, clock);
  try {
    if (!isRestored) {
      refuseMoved(dataDir);
    }
    const { current } = markerPaths(dataDir);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    // Opening would create an empty database, which would hide that the data is lost.
    if (existsSync(current) && (size === undefined || size === 0)) {
      throw new StoreError(
        'missing_data',
        `The database ${file} is ${size === undefined ? 'missing' : 'empty'}, but Switchboard has run with one here. ` +
          `Restore it from a backup. To start without data, remove ${current} as well.`,
      );
    }
    const isLogOlder = isLogOlderThan(file, clock());
    const database = await openDatabase<Tables>(file, options);
    return {
      ...database,
      file,
      isShared,
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
 * Locks the folder of an instance whose data is elsewhere, for this process alone. A temporary folder that others can use
 * will do: it gets a lock and a number. Returns what releases it.
 *
 * @throws StoreError `bad_folder` or `in_use`
 */
export function openInstanceDir(dataDir: string, clock: Clock): { release(): void } {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw badFolder(dataDir, error);
  }
  return lockDataDir(dataDir, clock);
}

const holderSchema = z.object({ pid: z.number(), host: z.string(), since: z.string() });

// A database that is garbage-collected releases its lock, so a held one stays reachable whatever its owner does.
const held = new Set<Database.Database>();

const lockPath = (folder: string) => join(folder, 'lock.db');

/**
 * Locks a folder for this process alone, until `release` or the end of the process: the lock is the operating system's,
 * on a separate file, so a process that was killed leaves nothing to clean up. The holder's name is written beside it,
 * for the error message only. Releasing again is ignored.
 *
 * @throws StoreError `in_use`, naming the process; `bad_folder` when it cannot be written
 */
export function lockDataDir(folder: string, clock: Clock): { release(): void } {
  const lockFile = lockPath(folder);
  // Not in the lock file itself: closing any other handle on that would release the lock (POSIX).
  const holderFile = join(folder, 'lock.json');

  let lock: Database.Database | undefined;
  try {
    // With the timeout, one of two processes that start at the same instant wins, instead of neither.
    lock = new Database(lockFile, { timeout: 200 });
    chmodSync(lockFile, 0o600);
    lock.exec('begin exclusive');
    const holder = { pid: process.pid, host: hostname(), since: clock().toISOString() };
    writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 });
  } catch (error) {
    lock?.close();
    throw error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY'
      ? new StoreError(
          'in_use',
          `The data folder ${folder} is in use by ${describeHolder(holderFile)}. ` +
            'Stop that process first, or set DATA_DIR to another folder.',
          { cause: error },
        )
      : new StoreError(
          'bad_folder',
          `The data folder ${folder} cannot be locked: ${error instanceof Error ? error.message : String(error)}.`,
          { cause: error },
        );
  }
  held.add(lock);

  return {
    release() {
      if (!held.delete(lock)) {
        return;
      }
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function describeHolder(holderFile: string): string {
  try {
    const holder = holderSchema.parse(JSON.parse(readFileSync(holderFile, 'utf8')));
    return `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  } catch {
    // It has the lock, and has not written its name yet.
    return 'another process';
  }
}

/**
 * Makes sure that the folder exists and only its owner has access. Where others have access, it is taken from them if
 * the folder is empty or already Switchboard's; any other folder is refused, because it may not be ours to close.
 *
 * A folder of another owner cannot be closed. It serves if it belongs to a group of this process and others can't write to
 * it, like a volume that Kubernetes made for `fsGroup`: all files in it are private, so others can only see their names.
 *
 * @param ownFile a file whose presence proves that the folder is Switchboard's
 * @returns whether that group has access
 * @throws StoreError `bad_folder`
 */
export function preparePrivateDir(folder: string, ownFile: string): boolean {
  let isOurs: boolean;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, gid } = statSync(folder);
    if ((mode & 0o077) === 0) {
      return false;
    }
    // A new disk has a folder `lost+found`, which only root can use.
    const entries = readdirSync(folder).filter((name) => name !== 'lost+found');
    isOurs = entries.length === 0 || entries.includes(ownFile);
    // Every program writes to a sticky folder, such as /tmp: it must stay open.
    if (isOurs && (mode & 0o1000) === 0 && canClose(folder)) {
      return false;
    }
    if (isOurs && (mode & 0o002) === 0 && process.getgroups?.().includes(gid)) {
      return true;
    }
  } catch (error) {
    throw badFolder(folder, error);
  }
  throw new StoreError(
    'bad_folder',
    `The data folder ${folder} can be read by others and ${isOurs ? 'cannot be closed to them by this user' : "holds files that are not Switchboard's"}. ` +
      `Set DATA_DIR to a folder inside it, such as ${join(folder, 'switchboard')} (it is created private)` +
      `${isOurs ? '.' : `, or close it to others: chmod 700 ${folder}`}`,
  );
}

function canClose(folder: string): boolean {
  try {
    chmodSync(folder, 0o700);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') {
      return false;
    }
    throw error;
  }
}

function badFolder(folder: string, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(
    'bad_folder',
    `The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to a folder that this user owns.`,
    { cause: error },
  );
}

/**
 * Says that a folder's data was moved to PostgreSQL. It replaces the folder's marker: using the data again counts as a
 * restore.
 */
export type MovedMark = z.infer<typeof markSchema>;

const markSchema = z.object({
  /** Names the move: in PostgreSQL, `mark_file` of the installation is the same. */
  move: z.string(),
  /** With `moving` it is not known whether the data is in PostgreSQL: the folder is not used either way. */
  state: z.enum(['moving', 'moved']),
  /** ISO 8601. */
  at: z.string(),
});

const explanation =
  'The data of this folder was moved to PostgreSQL. See "Move to PostgreSQL" in docs/operating.md.';

/** Returns undefined where the data was not moved. */
export function readMovedMark(folder: string): MovedMark | undefined {
  try {
    return markSchema.parse(JSON.parse(readFileSync(markerPaths(folder).current, 'utf8')));
  } catch {
    return undefined;
  }
}

/** The mark is on the disk when this returns. */
export function writeMovedMark(folder: string, mark: MovedMark): void {
  const { current, pending } = markerPaths(folder);
  // The data knows the pending marker of a start that was cut off, and would take it for its own.
  rmSync(pending, { force: true });
  writeDurably(current, `${JSON.stringify({ ...mark, explanation }, undefined, 2)}\n`);
}

/**
 * Refuses a folder whose data was moved.
 *
 * @throws StoreError `moved`
 */
export function refuseMoved(folder: string): void {
  const mark = readMovedMark(folder);
  if (mark === undefined) {
    return;
  }
  const goBack =
    'To keep using the data in the folder anyway, stop every instance that uses PostgreSQL and run ' +
    '`npm run restored` without DATABASE_URL. The data then counts as restored, because it may be missing what was sent since.';
  throw new StoreError(
    'moved',
    mark.state === 'moved'
      ? `The data of ${folder} was moved to PostgreSQL at ${mark.at}. Set DATABASE_URL to that database. ${goBack}`
      : `The move of the data of ${folder} to PostgreSQL, at ${mark.at}, was interrupted at its last step. Set DATABASE_URL to ` +
          `that database and run \`npm run migrate-store\` again, which completes it. ${goBack}`,
  );
}

/** Replaces a private file by a new one with this content, which is on the disk under its name when this returns. */
export function writeDurably(path: string, content: string): void {
  const unfinished = `${path}.unfinished`;
  const file = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  syncFolder(dirname(path));
}
