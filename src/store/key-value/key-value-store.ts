import { Keyv, type KeyvStorageAdapter, keyvStorageCapability } from 'keyv';
import type { Kysely } from 'kysely';
import type { Time } from '../../lib/time.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../sqlite/schema.ts';

/** Keyv's storage adapter without its events: there is nothing to hear of that a call does not throw. */
type Rows = Pick<
  KeyvStorageAdapter,
  'get' | 'getMany' | 'has' | 'hasMany' | 'set' | 'setMany' | 'delete' | 'deleteMany' | 'clear' | 'iterator'
>;

/** How many instances are kept for the next call. More cost only their making. */
const mostKept = 500;

/**
 * Gives the Keyv of a workspace and an area. It has no `error` listener, and must get none: with one, Keyv turns every
 * failure into "there is nothing".
 */
export function createKeyValueStore(
  db: Kysely<Schema>,
  encryption: Encryption,
  time: Time,
): (workspaceId: string, area: string) => Keyv {
  const kept = new Map<string, Keyv>();
  return (workspaceId, area) => {
    if (workspaceId === '' || area === '') {
      throw new TypeError('A value belongs to a workspace and an area');
    }
    const name = JSON.stringify([workspaceId, area]);
    // Keyv's own check would read, and then delete what may have been written anew meanwhile. The rows check.
    const keyv =
      kept.get(name) ??
      new Keyv({ store: encryptedRows(db, encryption, time, workspaceId, area), checkExpired: false });
    kept.delete(name);
    kept.set(name, keyv);
    for (const longestUnused of kept.keys()) {
      if (kept.size <= mostKept) {
        break;
      }
      kept.delete(longestUnused);
    }
    return keyv;
  };
}

/**
 * Keyv's storage over the rows of one workspace and area. It encrypts here, and not in Keyv's own hook, because only
 * here the key and the expiry are known: with them bound in, no value can be put under another key or made to last.
 */
function encryptedRows(
  db: Kysely<Schema>,
  encryption: Encryption,
  time: Time,
  workspaceId: string,
  area: string,
) {
  const live = () =>
    db
      .selectFrom('keyv')
      .where('workspace_id', '=', workspaceId)
      .where('area', '=', area)
      .where(({ eb, or }) => or([eb('expires', 'is', null), eb('expires', '>', time.now().getTime())]))
      .select(['key', 'value', 'expires']);
  const decrypt = (row: { key: string; value: string; expires: number | null }) =>
    encryption.decrypt(row.value, [workspaceId, area, row.key, row.expires]);
  const mine = () => db.deleteFrom('keyv').where('workspace_id', '=', workspaceId).where('area', '=', area);

  const rows: Rows = {
    async get(key) {
      const row = await live().where('key', '=', key).executeTakeFirst();
      return row && decrypt(row);
    },
    async set(key, text, expiry) {
      if (typeof text !== 'string') {
        throw new TypeError('Keyv hands over what it has serialised');
      }
      // Keyv has added the machine's own clock to what a value is kept for, and that clock may have leapt.
      const expires = expiry === undefined ? null : expiry - Date.now() + time.now().getTime();
      const value = encryption.encrypt(text, [workspaceId, area, key, expires]);
      await db
        .insertInto('keyv')
        .values({ workspace_id: workspaceId, area, key, value, expires })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'area', 'key']).doUpdateSet({ value, expires }),
        )
        .execute();
      // Whoever adds what expires sweeps out what has: nothing piles up, and it needs no timer.
      const now = expires === null ? undefined : time.trustedForDeletion();
      if (now !== undefined) {
        await db.deleteFrom('keyv').where('expires', '<=', now.getTime()).execute();
      }
      return true;
    },
    async delete(key) {
      const { numDeletedRows } = await mine().where('key', '=', key).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async clear() {
      await mine().execute();
    },
    async has(key) {
      return (await live().where('key', '=', key).executeTakeFirst()) !== undefined;
    },
    async *iterator() {
      // Not streamed: an open query would hold the one connection while the reader does other things.
      for (const row of await live().orderBy('key').execute()) {
        yield [row.key, decrypt(row)];
      }
    },
    async getMany<Value>(keys: string[]) {
      return Promise.all(keys.map((key) => rows.get<Value>(key)));
    },
    async setMany(entries) {
      return Promise.all(entries.map(({ key, value, expires }) => rows.set(key, value, expires)));
    },
    async deleteMany(keys) {
      return Promise.all(keys.map((key) => rows.delete(key)));
    },
    async hasMany(keys) {
      return Promise.all(keys.map((key) => rows.has(key)));
    },
  };
  return { ...rows, capabilities: keyvStorageCapability(rows) };
}
