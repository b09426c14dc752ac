import { Keyv, type KeyvStorageAdapter, keyvStorageCapability } from 'keyv';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Clock, machineTime } from '../../lib/time/clock.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';

/** Keyv's storage adapter without its events: every error is thrown by a call. */
type StorageAdapter = Pick<
  KeyvStorageAdapter,
  'get' | 'getMany' | 'has' | 'hasMany' | 'set' | 'setMany' | 'delete' | 'deleteMany' | 'clear' | 'iterator'
>;

type SingleKeyAdapter = Pick<StorageAdapter, 'get' | 'has' | 'set' | 'delete' | 'clear' | 'iterator'>;

interface KeyValueStoreOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
}

/** Instances that are kept for the next call. Others are made again. */
const maxInstances = 500;

/**
 * Returns the Keyv of a workspace and an area. It has no `error` listener, and must get none: with one, Keyv turns every
 * failure into "there is no value".
 */
export function createKeyValueStore(
  options: KeyValueStoreOptions,
): (workspaceId: string, area: string) => Keyv {
  const instances = new LRUCache<string, Keyv>({ max: maxInstances });
  return (workspaceId, area) => {
    if (workspaceId === '' || area === '') {
      throw new TypeError('A value belongs to a workspace and an area');
    }
    const name = JSON.stringify([workspaceId, area]);
    // Keyv's own check of the expiry would read, and then delete what may have been replaced meanwhile. The adapter checks.
    const keyv =
      instances.get(name) ??
      new Keyv({ store: createStorageAdapter(workspaceId, area, options), checkExpired: false });
    instances.set(name, keyv);
    return keyv;
  };
}

/**
 * Keyv's storage in the rows of one workspace and area. It encrypts here, and not in Keyv's own hook, because only here
 * the key and the expiry are known: as both are additional data, no value can be moved to another key or made to last.
 */
function createStorageAdapter(
  workspaceId: string,
  area: string,
  { db, encryption, clock }: KeyValueStoreOptions,
) {
  const selectLive = () =>
    db
      .selectFrom('keyv')
      .where('workspace_id', '=', workspaceId)
      .where('area', '=', area)
      .where(({ eb, or }) => or([eb('expires', 'is', null), eb('expires', '>', clock().getTime())]))
      .select(['key', 'value', 'expires']);
  const deleteOwn = () =>
    db.deleteFrom('keyv').where('workspace_id', '=', workspaceId).where('area', '=', area);
  const decrypt = (row: { key: string; value: string; expires: number | null }) =>
    encryption.decrypt(row.value, [workspaceId, area, row.key, row.expires]);

  const single: SingleKeyAdapter = {
    async get(key) {
      const row = await selectLive().where('key', '=', key).executeTakeFirst();
      return row && decrypt(row);
    },
    async set(key, text, machineExpiry) {
      if (typeof text !== 'string') {
        throw new TypeError('Keyv passes on what it has serialised');
      }
      const expires = machineExpiry === undefined ? null : toExpiry(machineExpiry, clock);
      const value = encryption.encrypt(text, [workspaceId, area, key, expires]);
      await db
        .insertInto('keyv')
        .values({ workspace_id: workspaceId, area, key, value, expires })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'area', 'key']).doUpdateSet({ value, expires }),
        )
        .execute();
      if (expires !== null) {
        // On write, so that no sweep timer is needed.
        await db.deleteFrom('keyv').where('expires', '<=', clock().getTime()).execute();
      }
      return true;
    },
    async delete(key) {
      const { numDeletedRows } = await deleteOwn().where('key', '=', key).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async clear() {
      await deleteOwn().execute();
    },
    async has(key) {
      return (await selectLive().where('key', '=', key).executeTakeFirst()) !== undefined;
    },
    async *iterator() {
      // Not streamed: an open query would hold the only connection while the reader does other things.
      for (const row of await selectLive().orderBy('key').execute()) {
        yield [row.key, decrypt(row)];
      }
    },
  };
  const adapter = { ...single, ...oneByOne(single) };
  return { ...adapter, capabilities: keyvStorageCapability(adapter) };
}

/** Keyv adds the time to live to the machine's own clock, which is not the one that the data goes by on PostgreSQL. */
function toExpiry(machineExpiry: number, clock: Clock): number {
  const timeToLive = machineExpiry - machineTime.now().getTime();
  return clock().getTime() + timeToLive;
}

/** The calls for several keys, each as calls for one. */
function oneByOne(single: SingleKeyAdapter): Omit<StorageAdapter, keyof SingleKeyAdapter> {
  return {
    async getMany<Value>(keys: string[]) {
      return Promise.all(keys.map((key) => single.get<Value>(key)));
    },
    async setMany(entries) {
      return Promise.all(entries.map(({ key, value, expires }) => single.set(key, value, expires)));
    },
    async deleteMany(keys) {
      return Promise.all(keys.map((key) => single.delete(key)));
    },
    async hasMany(keys) {
      return Promise.all(keys.map((key) => single.has(key)));
    },
  };
}
