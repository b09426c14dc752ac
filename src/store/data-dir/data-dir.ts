import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Secret } from '../../lib/secret.ts';
import { createEncryption, type Encryption } from '../encryption/cipher.ts';
import { checkEncryptionKeys } from '../encryption/key-check.ts';
import { StoreError } from '../errors.ts';
import { markerPaths } from '../sqlite/marker.ts';
import { type OpenDatabase, openDatabase } from '../sqlite/database.ts';
import { migrate } from '../migrations/migrate.ts';
import { lockDataDir, lockPath } from './lock.ts';
import { preparePrivateDir } from './private-dir.ts';

const fileName = 'switchboard.db';

export interface DataDirOptions {
  dataDir: string;
  /** Base64 of 32 bytes each: the first encrypts, all decrypt. */
  encryptionKeys: readonly Secret[];
}

export interface DataDir extends OpenDatabase {
  encryption: Encryption;
  /** The path of the database. */
  file: string;
  /** Whether the database was written to, other than by SQLite, since its write-ahead log was left behind. */
  isLogOlder: boolean;
  /** Of all files that must stay where they are while the program runs. */
  files: readonly string[];
}

/**
 * Opens the folder for this process alone: private, its tables up to date, all of its data readable.
 *
 * @throws StoreError with any of its faults
 */
export async function openDataDir(options: DataDirOptions): Promise<DataDir> {
  const encryption = createEncryption(options.encryptionKeys);
  const { dataDir } = options;
  const file = join(dataDir, fileName);
  preparePrivateDir(dataDir, fileName);
  const lock = lockDataDir(dataDir);
  let database: OpenDatabase | undefined;
  const close = async () => {
    await database?.close();
    lock.release();
  };
  try {
    refuseMissingData(dataDir, file);
    const log = `${file}-wal`;
    const isLogOlder = isOlder(log, file);
    database = await openDatabase(file, options.encryptionKeys);
    await migrate(database.db);
    await checkEncryptionKeys(database.db, encryption);
    const files = [file, log, lockPath(dataDir)];
    return { ...database, encryption, file, isLogOlder, files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A database would be made where there is none: not where there has been one. */
function refuseMissingData(dataDir: string, file: string): void {
  const { settled } = markerPaths(dataDir);
  if (!existsSync(settled)) {
    return;
  }
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size > 0) {
    return;
  }
  throw new StoreError(
    'missing_data',
    `The database ${file} is ${size === undefined ? 'missing' : 'empty'}, but Switchboard has run with one here. ` +
      `Put it back from a back-up. To begin with no data, remove ${settled} as well.`,
  );
}

/**
 * SQLite writes to the database, out of the log, no later than moments after it wrote the log. In milliseconds: longer
 * than that takes.
 */
const moments = 10_000;

function isOlder(log: string, file: string): boolean {
  const logStat = statSync(log, { throwIfNoEntry: false });
  const fileStat = statSync(file, { throwIfNoEntry: false });
  if (logStat === undefined || logStat.size === 0 || fileStat === undefined) {
    return false;
  }
  // A time that is still to come was told by a clock that was ahead, and says nothing.
  return fileStat.mtimeMs > logStat.mtimeMs + moments && fileStat.mtimeMs <= Date.now();
}
