import { randomBytes } from 'node:crypto';
import { Secret } from '../../../src/lib/secret.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export function newEncryptionKey(): Secret {
  return new Secret(randomBytes(32).toString('base64'));
}

/**
 * Opens a store that is closed and removed when the test ends.
 *
 * @param test the test's context; for all tests of a file: `{ after }` of node:test
 */
export async function temporaryStore(
  test: { after(end: () => void | Promise<void>): void },
  options: Partial<StoreOptions> = {},
): Promise<Store> {
  const store = await openStore({
    ...options,
    dataDir: options.dataDir ?? temporaryFolder(test),
    encryptionKeys: options.encryptionKeys ?? [newEncryptionKey()],
  });
  test.after(() => store.close());
  return store;
}
