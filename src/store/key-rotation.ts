import { type Rotation, reencrypt } from './encryption/reencrypt.ts';
import { type DataOptions, encryptedColumns, openData } from './open-data.ts';

/**
 * Encrypts all stored values under the first of the keys, see `reencrypt`.
 *
 * @throws StoreError `in_use` while the program runs, and its other faults
 */
export async function rotateKeys(options: DataOptions): Promise<Rotation> {
  const { db, encryption, close } = await openData(options);
  try {
    return await reencrypt(db, encryption, encryptedColumns);
  } finally {
    await close();
  }
}
