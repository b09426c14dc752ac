import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createPostgresDatabase, onlyOn } from './databases.ts';
import { newEncryptionKey, temporaryStore } from './temporary-store.ts';

/** Skips a test on SQLite, whose folder one instance holds. */
export const severalInstances = onlyOn('postgres', 'several instances share it');

/** Opens the stores of two instances of the program on one PostgreSQL database, closed when the test ends. */
export async function twoStores(test: {
  after(end: () => void | Promise<void>): void;
}): Promise<[Store, Store]> {
  const postgres = await createPostgresDatabase();
  const encryptionKeys = [newEncryptionKey()];
  const stores: Store[] = [];
  test.after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await postgres.drop();
  });
  const open = async () => {
    const dataDir = temporaryFolder(test);
    const store = await temporaryStore({ after: () => {} }, { postgres, encryptionKeys, dataDir });
    stores.push(store);
    return store;
  };
  return [await open(), await open()];
}
