import type { Kysely, Transaction } from 'kysely';
import { createYield } from '../../lib/yield-to-event-loop.ts';
import { StoreError } from '../errors.ts';
import type { EncryptedColumn, Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import { type Encryption, keyIdIn } from './cipher.ts';
import { type EncryptedValue, readEncryptedPage, replaceValue } from './encrypted-column.ts';

/** Rows that are looked at, and values that are replaced in a transaction: other work waits no longer than for one. */
const pageSize = 100;

export interface Reencryption {
  /** Values that were encrypted under another key and now are under the first. */
  reencrypted: number;
  /** Where values are that cannot be decrypted under any key. They are unchanged; one entry for each value. */
  unreadable: { workspaceId: string; area: string; keyId: string | undefined }[];
  /** Whether all values were looked at, rather than the signal aborted. */
  isComplete: boolean;
}

export interface ReencryptOptions {
  /** Aborted to stop after the current transaction. */
  signal: AbortSignal;
  /** Called at the end of each transaction, with how many values it replaced by the id of their former key. */
  onReplaced(transaction: Transaction<Schema>, replaced: ReadonlyMap<string, number>): Promise<void>;
  /** Called after each transaction, with the values so far. */
  onProgress(reencrypted: number): Promise<void>;
}

/**
 * Encrypts all values of the columns under the current key, unless something could not be decrypted. Others may read,
 * write and re-encrypt meanwhile: a value that was replaced since it was read stays as it is, being under the current key
 * by then. Being cut off does no harm: the next run continues with the rest.
 */
export async function reencrypt(
  db: Kysely<Schema>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
  { signal, onReplaced, onProgress }: ReencryptOptions,
): Promise<Reencryption> {
  const done: Reencryption = { reencrypted: 0, unreadable: [], isComplete: false };
  const keyId = encryption.currentKeyId;
  for (const column of columns) {
    let after: readonly unknown[] | undefined;
    do {
      if (signal.aborted) {
        return done;
      }
      const page = await readEncryptedPage(db, column, { keyId, after, limit: pageSize });
      const replacements = await encryptValues(encryption, page.values, done);
      if (replacements.length > 0) {
        done.reencrypted += await replaceValues(db, column, replacements, onReplaced);
        await onProgress(done.reencrypted);
      }
      after = page.last;
    } while (after !== undefined);
  }
  return { ...done, isComplete: true };
}

async function encryptValues(
  encryption: Encryption,
  values: readonly EncryptedValue[],
  { unreadable }: Pick<Reencryption, 'unreadable'>,
): Promise<[EncryptedValue, string][]> {
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
      unreadable.push({ workspaceId, area, keyId: keyIdIn(value.value) });
    }
  }
  return replacements;
}

/** Returns how many were replaced. */
function replaceValues(
  db: Kysely<Schema>,
  column: EncryptedColumn,
  replacements: readonly [EncryptedValue, string][],
  onReplaced: ReencryptOptions['onReplaced'],
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    let count = 0;
    const byKey = new Map<string, number>();
    for (const [value, replacement] of replacements) {
      if (await replaceValue(transaction, column, value, replacement)) {
        const keyId = keyIdIn(value.value) ?? '';
        byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1);
        count += 1;
      }
    }
    await onReplaced(transaction, byKey);
    return count;
  });
}

/** Whether the value is at fault, and not the disk. */
function isUnreadable(error: unknown): boolean {
  return error instanceof StoreError && (error.fault === 'unreadable' || error.fault === 'missing_key');
}
