import type { Secret } from '../../lib/secret.ts';
import { type Clock, machineTime, type Time } from '../../lib/time/clock.ts';
import { followDatabaseTime } from '../../lib/time/database-time.ts';
import { systemTimers, type Timers } from '../../lib/time/timers.ts';
import { encryptedColumns, type Schema } from '../schema/schema.ts';
import { type DataDir, openDataDir, openInstanceDir } from './data-dir/data-dir.ts';
import type { OnStatement } from './database.ts';
import { createEncryption, type Encryption } from './encryption/cipher.ts';
import { checkEncryptionKeys } from './encryption/key-check.ts';
import { readDatabaseClock } from './instances/database-now.ts';
import { migrate } from './migrate.ts';
import type { PostgresOptions } from './postgres/connection.ts';
import type { PostgresDatabase } from './postgres/database.ts';
import { valuesPlugin } from './values.ts';

export interface DataOptions {
  dataDir: string;
  /** Where the data is in PostgreSQL. Undefined: it is in SQLite, in the data folder. */
  postgres?: PostgresOptions | undefined;
  /** Base64 of 32 bytes each: the first encrypts, all decrypt. */
  encryptionKeys: readonly Secret[];
  /** The machine's own clock, which the times of files are set by. */
  fileClock?: Clock | undefined;
  timers?: Timers | undefined;
  /** Whether a person says that the data was restored, where nothing could notice it. */
  isRestored?: boolean | undefined;
  /** Whether instances may run on the data meanwhile: on PostgreSQL the data folder is left to them. */
  besideInstances?: boolean | undefined;
  /** Called with each statement that ended. */
  onStatement?: OnStatement | undefined;
}

export type OpenData = (DataDir<Schema> | PostgresDatabase<Schema>) & { encryption: Encryption };

const worker = new URL('../store-worker.ts', import.meta.url);

/**
 * Opens the data, its tables up to date, all of it readable. The data folder is for this process alone, if it uses it.
 *
 * @throws StoreError with any of its faults
 */
export async function openData(options: DataOptions): Promise<OpenData> {
  const encryption = createEncryption(options.encryptionKeys);
  const engine = await openEngine(options);
  const opened = { ...engine, db: engine.db.withPlugin(valuesPlugin) };
  try {
    await migrate(opened.db);
    await checkEncryptionKeys(opened.db, encryption, encryptedColumns);
    return { ...opened, encryption };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openEngine({
  dataDir,
  postgres,
  fileClock: clock = machineTime.now,
  timers = systemTimers,
  isRestored = false,
  besideInstances = false,
  onStatement,
}: DataOptions): Promise<DataDir<Schema> | PostgresDatabase<Schema>> {
  if (postgres === undefined) {
    return openDataDir<Schema>(dataDir, { worker, clock, timers, isRestored, onStatement });
  }
  const folder = besideInstances ? undefined : openInstanceDir(dataDir, clock);
  try {
    // Its driver is loaded only where it is used.
    const { openPostgres } = await import('./postgres/database.ts');
    const database = await openPostgres<Schema>(postgres, { timers, onStatement });
    return {
      ...database,
      async close() {
        await database.close();
        folder?.release();
      },
    };
  } catch (error) {
    folder?.release();
    throw error;
  }
}

/**
 * Returns the machine's time on SQLite, and the database's on PostgreSQL. `stop` is called before the data is closed.
 *
 * @param fixedTime replaces both
 */
export async function openTime(
  data: OpenData,
  fixedTime?: Time | undefined,
): Promise<{ time: Time; stop: () => Promise<void> }> {
  if (fixedTime !== undefined || data.engine === 'sqlite') {
    return { time: fixedTime ?? machineTime, stop: async () => {} };
  }
  return followDatabaseTime(() => readDatabaseClock(data.db), {
    elapsed: machineTime.elapsed,
    timers: systemTimers,
  });
}
