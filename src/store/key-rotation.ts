import { type DataDir, type DataDirOptions, openDataDir } from './data-dir/data-dir.ts';
import { StoreError } from './errors.ts';
import { type EncryptedValue, encryptedColumns, replaceValue, valuesNotUnder } from './encryption/encrypted-column.ts';

const atOnce = 500;

export interface Rotation {
  /** Values that lay under an old key and now lie under the first. */
  reencrypted: number;
  /** Where values lie that cannot be read under any key, as they lay before; one entry a value. */
  unreadable: { workspaceId: string; area: string }[];
}

/**
 * Encrypts everything anew under the first key, after which the other keys can be dropped, unless something could not
 * be read. Being cut off does no harm: the next run goes on with what is left.
 *
 * @throws StoreError `in_use` while the program runs, and its other faults
 */
export async function rotateKeys(options: DataDirOptions): Promise<Rotation> {
  const folder = await openDataDir(options);
  try {
    const rotation: Rotation = { reencrypted: 0, unreadable: [] };
    for (const column of encryptedColumns) {
      let last: EncryptedValue | undefined;
      do {
        last = await rotateBatch(folder, column, last, rotation);
      } while (last !== undefined);
    }
    return rotation;
  } finally {
    await folder.close();
  }
}

/** Gives the last value it looked at; undefined: there was none. */
async function rotateBatch(
  { db, encryption }: DataDir,
  column: (typeof encryptedColumns)[number],
  last: EncryptedValue | undefined,
  rotation: Rotation,
): Promise<EncryptedValue | undefined> {
  return db.transaction().execute(async (transaction) => {
    const position = { after: last?.key, limit: atOnce };
    const values = await valuesNotUnder(transaction, column, encryption.currentKeyId, position);
    for (const { key, value, place, workspaceId, area } of values) {
      try {
        const text = encryption.decrypt(value, place);
        await replaceValue(transaction, column, key, encryption.encrypt(text, place));
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

/** Whether it is the value's fault, and not the disk's. */
function isUnreadable(error: unknown): boolean {
  return error instanceof StoreError && (error.fault === 'unreadable' || error.fault === 'missing_key');
}
