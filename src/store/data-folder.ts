import { join } from 'node:path';
import type { Secret } from '../secret.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { createEncryption, type Encryption } from './encryption.ts';
import { checkEncryptionKeys } from './encryption-keys.ts';
import { preparePrivateFolder } from './folder.ts';
import { lockFolder } from './lock.ts';
import { migrate } from './migrations/migrate.ts';

const fileName = 'switchboard.db';

export interface DataFolderOptions {
  dataDir: string;
  /** Base64 of 32 bytes each: the first encrypts, all decrypt. */
  encryptionKeys: readonly Secret[];
}

export interface DataFolder extends OpenDatabase {
  encryption: Encryption;
}

/**
 * Opens the folder for this process alone: private, its tables up to date, all of its data readable.
 *
 * @throws StoreError with any of its faults
 */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const encryption = createEncryption(options.encryptionKeys);
  preparePrivateFolder(options.dataDir, fileName);
  const lock = lockFolder(options.dataDir);
  let database: OpenDatabase | undefined;
  const close = async () => {
    await database?.close();
    lock.release();
  };
  try {
    database = await openDatabase(join(options.dataDir, fileName), options.encryptionKeys);
    await migrate(database.db);
    await checkEncryptionKeys(database.db, encryption);
    return { ...database, encryption, close };
  } catch (error) {
    await close();
    throw error;
  }
}
