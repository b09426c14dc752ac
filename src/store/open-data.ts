import type { Secret } from '../lib/secret.ts';
import { type Clock, machineClocks } from '../lib/time/clock.ts';
import { systemTimers, type Timers } from '../lib/time/timers.ts';
import { campaignColumns } from './campaigns/encrypted-columns.ts';
import { type DataDir, openDataDir } from './data-dir/data-dir.ts';
import { createEncryption, type Encryption } from './encryption/cipher.ts';
import { checkEncryptionKeys } from './encryption/key-check.ts';
import { phoneKeyColumn } from './encryption/phone-hashes.ts';
import { keyValueColumn } from './key-value/key-value-store.ts';
import { migrate } from './migrations/migrate.ts';
import type { Schema } from './schema.ts';
import { suppressedNumberColumn } from './suppression-list/suppression-list.ts';

export interface DataOptions {
  dataDir: string;
  /** Base64 of 32 bytes each: the first encrypts, all decrypt. */
  encryptionKeys: readonly Secret[];
  /** The machine's own clock, which the times of files are set by. */
  fileClock?: Clock | undefined;
  timers?: Timers | undefined;
}

export interface OpenData extends DataDir<Schema> {
  encryption: Encryption;
}

/** Every column with encrypted values. */
export const encryptedColumns = [keyValueColumn, phoneKeyColumn, suppressedNumberColumn, ...campaignColumns];

const worker = new URL('./store-worker.ts', import.meta.url);

/**
 * Opens the data folder for this process alone, its tables up to date, all of its data readable.
 *
 * @throws StoreError with any of its faults
 */
export async function openData(options: DataOptions): Promise<OpenData> {
  const { dataDir, encryptionKeys, fileClock = machineClocks.wall, timers = systemTimers } = options;
  const encryption = createEncryption(encryptionKeys);
  const opened = await openDataDir<Schema>(dataDir, { worker, clock: fileClock, timers });
  try {
    await migrate(opened.db);
    await checkEncryptionKeys(opened.db.$pickTables<'encryption_key'>(), encryption, encryptedColumns);
    return { ...opened, encryption };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
