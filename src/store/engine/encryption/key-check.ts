import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { EncryptedColumn, Schema } from '../../schema/schema.ts';
import { snakeCase } from '../create-tables.ts';
import { isPostgres } from '../dialect.ts';
import { StoreError } from '../errors.ts';
import type { Encryption } from './cipher.ts';
import { countValues } from './encrypted-column.ts';

export type EncryptionKeyRow = Selectable<Schema['encryptionKey']>;

const canaryAdditionalData = ['canary'];

/**
 * Makes sure that all values can be decrypted: each key in use has a canary, a value encrypted under it. Adds one for
 * the first key.
 *
 * @throws StoreError `missing_key`, naming the keys that are needed and how many values they encrypt; `unreadable`
 */
export async function checkEncryptionKeys(
  db: Kysely<Schema>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
): Promise<void> {
  for (const { id, starts } of await findUnusedKeys(db, encryption, columns)) {
    const release = db.updateTable('encryptionKey').set({ inUse: false }).where('id', '=', id);
    // In PostgreSQL another instance may encrypt with it, or be about to.
    const users = db.selectFrom('instance').select('run').where('instance.keyId', '=', id);
    await (isPostgres(db)
      ? release.where('starts', '=', starts).where(({ not, exists }) => not(exists(users)))
      : release
    ).execute();
  }
  await db
    .insertInto('encryptionKey')
    .values({
      id: encryption.currentKeyId,
      canary: encryption.encrypt('canary', canaryAdditionalData),
      position: sql<number>`(select coalesce(max(position), 0) + 1 from encryption_key)`,
      inUse: true,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Makes sure of the same, and writes nothing. Returns the keys in use that were not given and that nothing is encrypted
 * under: they were given by mistake.
 *
 * @throws StoreError `missing_key`, `unreadable`
 */
async function findUnusedKeys(
  db: Kysely<Schema>,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
): Promise<EncryptionKeyRow[]> {
  const absent: EncryptionKeyRow[] = [];
  for (const row of await db.selectFrom('encryptionKey').selectAll().execute()) {
    if (encryption.keyIds.includes(row.id)) {
      try {
        encryption.decrypt(row.canary, canaryAdditionalData);
      } catch (cause) {
        throw new StoreError(
          'unreadable',
          `The check value of encryption key ${row.id} is damaged. Other values may be damaged too. ` +
            'Restore the database from a backup.',
          { cause },
        );
      }
    } else if (row.inUse) {
      absent.push(row);
    }
  }
  if (absent.length === 0) {
    return [];
  }
  const counts = await countValues(db, columns);
  const missing = absent.filter(({ id }) => counts.has(id));
  if (missing.length > 0) {
    const stillEncrypt = missing.map(({ id }) => {
      const byTable = [...(counts.get(id) ?? [])];
      const all = byTable.reduce((sum, [, values]) => sum + values, 0);
      const tables = byTable.map(([table, values]) => `${snakeCase(table)} ${values.toLocaleString('en')}`);
      const values = all === 1 ? '1 stored value is' : `${all.toLocaleString('en')} stored values are`;
      return `Encryption key ${id} is missing, and ${values} encrypted with it (${tables.join(', ')}).`;
    });
    throw new StoreError(
      'missing_key',
      `${stillEncrypt.join(' ')} ENCRYPTION_KEYS holds ${encryption.keyIds.join(', ')}. Put the missing key back, after the first. ` +
        'Home tells admins when a key can be removed.',
    );
  }
  return absent;
}

/** Notes that a run of the program encrypts with the key from now on. */
export async function beginKeyUse(transaction: Transaction<Schema>, keyId: string): Promise<void> {
  await transaction
    .updateTable('encryptionKey')
    .set(({ eb }) => ({ inUse: true, starts: eb('starts', '+', 1), valuesLeft: null, unreadable: 0 }))
    .where('id', '=', keyId)
    .execute();
}
