import type { Kysely } from 'kysely';
import { createYield } from '../../lib/yield-to-event-loop.ts';
import { StoreError } from '../errors.ts';
import { inTransaction } from '../transaction.ts';
import { type Encryption, keyIdIn } from './cipher.ts';
import {
  type EncryptedColumn,
  type EncryptedValue,
  readEncryptedPage,
  replaceValue,
} from './encrypted-column.ts';

/** Rows that are looked at, and values that are replaced in a transaction: other work waits no longer than for one. */
const pageSize = 100;

export interface Rotation {
  /** Values that were encrypted under another key and now are under the first. */
  reencrypted: number;
  /** All values that are now encrypted under the first key. */
  current: number;
  /** Where values are that cannot be decrypted under any key. They are unchanged; one entry for each value. */
  unreadable: { workspaceId: string; area: string; keyId: string | undefined }[];
  /** Whether all values were looked at, rather than the signal aborted. */
  isComplete: boolean;
}

export interface RotationOptions {
  /** Aborted to stop after the current transaction. */
  signal?: AbortSignal | undefined;
  /** Called after each transaction. */
  onProgress?: ((rotation: Readonly<Rotation>) => Promise<void> | void) | undefined;
}

/**
 * Encrypts all values of the columns under the current key, after which the other keys can be dropped, unless something
 * could not be decrypted. Others may read and write meanwhile: a value that was replaced since it was read stays as it
 * is, being under the current key by then. Being cut off does no harm: the next run continues with the rest.
 */
export async function reencrypt<Tables>(
  db: Kysely<Tables>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
  { signal, onProgress }: RotationOptions = {},
): Promise<Rotation> {
  const rotation: Rotation = { reencrypted: 0, current: 0, unreadable: [], isComplete: false };
  const keyId = encryption.currentKeyId;
  for (const column of columns) {
    let after: EncryptedValue['key'] | undefined;
    do {
      if (signal?.aborted) {
        return rotation;
      }
      const page = await readEncryptedPage(db, column, { keyId, after, limit: pageSize });
      rotation.current += page.current;
      await reencryptValues(db, encryption, { column, values: page.values, rotation });
      await onProgress?.(rotation);
      after = page.last;
    } while (after !== undefined);
  }
  return { ...rotation, isComplete: true };
}

async function reencryptValues<Tables>(
  db: Kysely<Tables>,
  encryption: Encryption,
  {
    column,
    values,
    rotation,
  }: { column: EncryptedColumn; values: readonly EncryptedValue[]; rotation: Rotation },
): Promise<void> {
  const replacements: [EncryptedValue, string][] = [];
  const giveWay = createYield();
  for (const value of values) {
    await giveWay();
    try {
      const text = encryption.decrypt(value.value, value.additionalData);
      replacements.push([value, encryption.encrypt(text, value.additionalData)]);
    } catch (error) {
      if (!isUnreadable(error)) {
        throw error;
      }
      const { workspaceId, area } = value;
      rotation.unreadable.push({ workspaceId, area, keyId: keyIdIn(value.value) });
    }
  }
  if (replacements.length === 0) {
    return;
  }
  const replaced = await inTransaction(db, async (transaction) => {
    let count = 0;
    for (const [value, replacement] of replacements) {
      if (await replaceValue(transaction, column, value, replacement)) {
        count += 1;
      }
    }
    return count;
  });
  rotation.reencrypted += replaced;
  // What was replaced meanwhile is under the current key as well, unless it was deleted.
  rotation.current += replaced;
}

/** Whether the value is at fault, and not the disk. */
function isUnreadable(error: unknown): boolean {
  return error instanceof StoreError && (error.fault === 'unreadable' || error.fault === 'missing_key');
}
