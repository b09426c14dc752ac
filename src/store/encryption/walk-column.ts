import type { Kysely } from 'kysely';
import { createYield } from '../../lib/yield-to-event-loop.ts';
import type { EncryptedColumn, Schema } from '../schema/schema.ts';
import type { Encryption } from './cipher.ts';
import { type EncryptedValue, readEncryptedPage } from './encrypted-column.ts';

/** Rows of a page: other work waits no longer than for one. */
const pageSize = 100;

/** A value of a column, decrypted. */
export interface DecryptedValue extends EncryptedValue {
  text: string;
}

/**
 * Yields all values of a column for which `isWanted` is true, in the order of the primary key, giving way to other work.
 * What is written meanwhile may be among them or not.
 *
 * @throws StoreError `unreadable`
 */
export async function* walkColumn(
  db: Kysely<Schema>,
  encryption: Encryption,
  column: EncryptedColumn,
  { isWanted, signal }: { isWanted(value: EncryptedValue): boolean; signal?: AbortSignal | undefined },
): AsyncGenerator<DecryptedValue> {
  const giveWay = createYield();
  let after: readonly unknown[] | undefined;
  do {
    const page = await readEncryptedPage(db, column, { keyId: undefined, after, limit: pageSize });
    for (const value of page.values) {
      if (signal?.aborted) {
        return;
      }
      await giveWay();
      if (isWanted(value)) {
        yield { ...value, text: encryption.decrypt(value.value, value.additionalData) };
      }
    }
    after = page.last;
  } while (after !== undefined);
}
