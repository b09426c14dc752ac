import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Secret } from '../secret.ts';
import { openDatabase } from './database.ts';
import { createEncryption, type Encryption } from './encryption.ts';
import { checkEncryptionKeys } from './encryption-keys.ts';
import { preparePrivateFolder } from './folder.ts';
import { lockFolder } from './lock.ts';
import { migrate } from './migrations/migrate.ts';
import type { Schema } from './schema.ts';

const database = 'switchboard.db';

export interface DataFolderOptions {
  dataDir: string;
  /** Base64 of 32 bytes each: the first encrypts, all decrypt. */
  encryptionKeys: readonly Secret[];
}

export interface DataFolder {
  db: Kysely<Schema>;
  encryption: Encryption;
  close(): Promise<void>;
}

/**
 * Opens the folder for this process alone: private, its tables up to date, all of its data readable.
 *
 * @throws StoreError with any of its faults
 */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const encryption = createEncryption(options.encryptionKeys);
  preparePrivateFolder(options.dataDir, database);
  const lock = lockFolder(options.dataDir);
  let db: Kysely<Schema> | undefined;
  const close = async () => {
    await db?.destroy();
    lock.release();
  };
  try {
    db = openDatabase(join(options.dataDir, database));
    await migrate(db);
    await checkEncryptionKeys(db, encryption);
    return { db, encryption, close };
  } catch (error) {
    await close();
    throw error;
  }
}
