import type { Kysely } from 'kysely';
import { StoreError } from '../errors.ts';
import type { Schema } from '../schema.ts';
import type { Encryption } from './cipher.ts';
import { encryptedColumns, isUnder } from './encrypted-column.ts';

const canaryPlace = ['canary'];

/**
 * Makes sure that whatever is stored can be read: every key that data may lie under has a canary, a value encrypted
 * under it. From here on the current key has one too.
 *
 * @throws StoreError `missing_key`, naming the ids of the keys that are needed
 */
export async function checkEncryptionKeys(db: Kysely<Schema>, encryption: Encryption): Promise<void> {
  const missing: string[] = [];
  for (const { id, canary } of await db.selectFrom('encryption_key').selectAll().execute()) {
    if (encryption.keyIds.includes(id)) {
      encryption.decrypt(canary, canaryPlace);
    } else if (await isInUse(db, id)) {
      missing.push(id);
    }
    // Nothing lies under it: it was rotated away, or given by mistake and never used.
    else {
      await db.deleteFrom('encryption_key').where('id', '=', id).execute();
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
  await db
    .insertInto('encryption_key')
    .values({ id: encryption.currentKeyId, canary: encryption.encrypt('canary', canaryPlace) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

async function isInUse(db: Kysely<Schema>, keyId: string): Promise<boolean> {
  for (const column of encryptedColumns) {
    if (await isUnder(db, column, keyId)) {
      return true;
    }
  }
  return false;
}
