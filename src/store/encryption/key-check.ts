import type { Kysely } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { StoreError } from '../errors.ts';
import type { Encryption } from './cipher.ts';
import { type EncryptedColumn, isKeyInUse } from './encrypted-column.ts';

/** Each encryption key that values may be encrypted under, with a canary to try it on. Holds no key. */
export interface EncryptionKeyTables {
  encryption_key: {
    id: string;
    canary: string;
  };
}

const canaryAdditionalData = ['canary'];

/**
 * Makes sure that all values can be decrypted: each key in use has a canary, a value encrypted under it. Adds one for
 * the current key.
 *
 * @throws StoreError `missing_key`, naming the ids of the keys that are needed; `unreadable`
 */
export async function checkEncryptionKeys(
  db: Kysely<EncryptionKeyTables>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
): Promise<void> {
  const unused = await findUnusedKeys(db, encryption, columns);
  // In PostgreSQL another instance may be about to use one.
  if (unused.length > 0 && !isPostgres(db)) {
    await db.deleteFrom('encryption_key').where('id', 'in', unused).execute();
  }
  await db
    .insertInto('encryption_key')
    .values({ id: encryption.currentKeyId, canary: encryption.encrypt('canary', canaryAdditionalData) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Makes sure of the same, and writes nothing. Returns the ids of keys that were not given and that nothing is encrypted
 * under: they were rotated away, or given by mistake and never used.
 *
 * @throws StoreError `missing_key`, `unreadable`
 */
async function findUnusedKeys(
  db: Kysely<EncryptionKeyTables>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
): Promise<string[]> {
  const missing: string[] = [];
  const unused: string[] = [];
  for (const { id, canary } of await db.selectFrom('encryption_key').selectAll().execute()) {
    if (encryption.keyIds.includes(id)) {
      checkCanary(encryption, id, canary);
    } else {
      ((await isInUse(db, columns, id)) ? missing : unused).push(id);
    }
  }
  if (missing.length > 0) {
    throw new StoreError(
      'missing_key',
      `The stored data lies under encryption key ${missing.join(' and ')}, but ENCRYPTION_KEYS holds ` +
        `${encryption.keyIds.join(', ')}. Put the missing key back, after the others if they are new; ` +
        'once `npm run rotate-keys` has run, it can be dropped.',
    );
  }
  return unused;
}

function checkCanary(encryption: Encryption, id: string, canary: string): void {
  try {
    encryption.decrypt(canary, canaryAdditionalData);
  } catch (cause) {
    throw new StoreError(
      'unreadable',
      `The check value of encryption key ${id} is damaged, and so may be other values. ` +
        'Put the database back from a back-up.',
      { cause },
    );
  }
}

/** Forgets all keys but the current one, once nothing is encrypted under them. */
export async function dropUnusedKeys(
  db: Kysely<EncryptionKeyTables>,
  { currentKeyId }: Encryption,
): Promise<void> {
  await db.deleteFrom('encryption_key').where('id', '!=', currentKeyId).execute();
}

async function isInUse(
  db: Kysely<EncryptionKeyTables>,
  columns: readonly EncryptedColumn[],
  keyId: string,
): Promise<boolean> {
  for (const column of columns) {
    if (await isKeyInUse(db, column, keyId)) {
      return true;
    }
  }
  return false;
}
