import type { Kysely } from 'kysely';
import { StoreError } from '../errors.ts';
import type { Encryption } from './cipher.ts';
import {
  type EncryptedColumn,
  type EncryptedValue,
  replaceValue,
  valuesNotUnder,
} from './encrypted-column.ts';

/** Values of one transaction. */
const batchSize = 500;

export interface Rotation {
  /** Values that were encrypted under an old key and now are under the first. */
  reencrypted: number;
  /** Where values are that cannot be decrypted under any key. They are unchanged; one entry for each value. */
  unreadable: { workspaceId: string; area: string }[];
}

/**
 * Encrypts all values of the columns under the current key, after which the other keys can be dropped, unless something
 * could not be decrypted. Being cut off does no harm: the next run continues with the rest.
 */
export async function reencrypt<Tables>(
  db: Kysely<Tables>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
): Promise<Rotation> {
  const rotation: Rotation = { reencrypted: 0, unreadable: [] };
  for (const column of columns) {
    let last: EncryptedValue | undefined;
    do {
      last = await reencryptBatch(db, encryption, { column, after: last, rotation });
    } while (last !== undefined);
  }
  return rotation;
}

/** Returns the last value of the batch; undefined once there are no more. */
function reencryptBatch<Tables>(
  db: Kysely<Tables>,
  encryption: Encryption,
  {
    column,
    after,
    rotation,
  }: { column: EncryptedColumn; after: EncryptedValue | undefined; rotation: Rotation },
): Promise<EncryptedValue | undefined> {
  return db.transaction().execute(async (transaction) => {
    const position = { after: after?.key, limit: batchSize };
    const values = await valuesNotUnder(transaction, column, encryption.currentKeyId, position);
    for (const { key, value, additionalData, workspaceId, area } of values) {
      try {
        const text = encryption.decrypt(value, additionalData);
        await replaceValue(transaction, column, key, encryption.encrypt(text, additionalData));
        rotation.reencrypted += 1;
      } catch (error) {
        if (!isUnreadable(error)) {
          throw error;
        }
        rotation.unreadable.push({ workspaceId, area });
      }
    }
    return values.at(-1);
  });
}

/** Whether the value is at fault, and not the disk. */
function isUnreadable(error: unknown): boolean {
  return error instanceof StoreError && (error.fault === 'unreadable' || error.fault === 'missing_key');
}
