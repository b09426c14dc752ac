import { Keyv, type KeyvStorageAdapter, keyvStorageCapability } from 'keyv';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { machineTime } from '../../../lib/time/clock.ts';
import type { StoreContext } from '../../context.ts';
import { encryptedColumn, type Schema } from '../../schema/schema.ts';
import { additionalDataOf } from '../encryption/encrypted-column.ts';

const column = encryptedColumn('keyv', 'value');

/** Keyv's storage adapter without its events: every error is thrown by a call. */
type StorageAdapter = Pick<
  KeyvStorageAdapter,
  'get' | 'getMany' | 'has' | 'hasMany' | 'set' | 'setMany' | 'delete' | 'deleteMany' | 'clear' | 'iterator'
>;

type SingleKeyAdapter = Pick<StorageAdapter, 'get' | 'has' | 'set' | 'delete' | 'clear' | 'iterator'>;

type ValueContext = Pick<StoreContext, 'db' | 'encryption' | 'clock'>;

/** Returns the Keyv of a workspace and an area. */
export type KeyedValues = ReturnType<typeof createKeyValueStore>;

/** Instances that are kept for the next call. Others are made again. */
const maxInstances = 500;

/**
 * Returns the Keyv of a workspace and an area. It has no `error` listener, and must get none: with one, Keyv turns every
 * failure into "there is no value".
 */
export function createKeyValueStore(context: ValueContext) {
  const instances = new LRUCache<string, Keyv>({ max: maxInstances });
  return (workspaceId: string, area: string): Keyv => {
    if (workspaceId === '' || area === '') {
      throw new TypeError('A value belongs to a workspace and an area');
    }
    const name = JSON.stringify([workspaceId, area]);
    // Keyv's own check of the expiry would read, and then delete what may have been replaced meanwhile. The adapter checks.
    const keyv =
      instances.get(name) ??
      new Keyv({ store: createStorageAdapter(workspaceId, area, context), checkExpired: false });
    instances.set(name, keyv);
    return keyv;
  };
}

/**
 * Keyv's storage in the rows of one workspace and area. It encrypts here, and not in Keyv's own hook, because only here
 * the key and the expiry are known: as both are additional data, no value can be moved to another key or made to last.
 */
function createStorageAdapter(workspaceId: string, area: string, { db, encryption, clock }: ValueContext) {
  const selectLive = () =>
    db
      .selectFrom('keyv')
      .where('workspaceId', '=', workspaceId)
      .where('area', '=', area)
      .where(({ eb, or }) => or([eb('expires', 'is', null), eb('expires', '>', clock())]))
      .select(['key', 'value', 'expires']);
  const deleteOwn = () =>
    db.deleteFrom('keyv').where('workspaceId', '=', workspaceId).where('area', '=', area);
  const bindingOf = (key: string, expires: Date | undefined) =>
    additionalDataOf(column, { workspaceId, area, key, expires });

  const single: SingleKeyAdapter = {
    async get(key) {
      const row = await selectLive().where('key', '=', key).executeTakeFirst();
      return row && encryption.decrypt(row.value, bindingOf(key, row.expires));
    },
    async set(key, text, machineExpiry) {
      if (typeof text !== 'string') {
        throw new TypeError('Keyv passes on what it has serialised');
      }
      // Keyv uses the machine's clock; on PostgreSQL the data goes by the database's.
      const expires =
        machineExpiry === undefined
          ? undefined
          : new Date(clock().getTime() + machineExpiry - machineTime.now().getTime());
      const value = encryption.encrypt(text, bindingOf(key, expires));
      await db
        .insertInto('keyv')
        .values({ workspaceId, area, key, value, expires })
        .onConflict((conflict) =>
          conflict.columns(['workspaceId', 'area', 'key']).doUpdateSet({ value, expires: expires ?? null }),
        )
        .execute();
      if (expires !== undefined) {
        // On write, so that no sweep timer is needed.
        await db.deleteFrom('keyv').where('expires', '<=', clock()).execute();
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
      for (const { key, value, expires } of await selectLive().orderBy('key').execute()) {
        yield [key, encryption.decrypt(value, bindingOf(key, expires))];
      }
    },
  };
  const adapter: StorageAdapter = {
    ...single,
    getMany: <Value>(keys: string[]) => Promise.all(keys.map((key) => single.get<Value>(key))),
    setMany: (entries) =>
      Promise.all(entries.map(({ key, value, expires }) => single.set(key, value, expires))),
    deleteMany: (keys) => Promise.all(keys.map((key) => single.delete(key))),
    hasMany: (keys) => Promise.all(keys.map((key) => single.has(key))),
  };
  return { ...adapter, capabilities: keyvStorageCapability(adapter) };
}

/** Where a value is. */
interface ValueKey {
  workspaceId: string;
  area: string;
  key: string;
}

/** A change of a value. `ttl` is in milliseconds. */
type ValueChange = { set: unknown; ttl?: number | undefined } | 'delete' | 'keep';

/**
 * Updates a value atomically, across instances. `change` gets the current value, or `undefined`, and is
 * called again if another instance was faster. Its last result is stored. Concurrent changes are detected by
 * the ciphertext, which is unique to each write. `db` may be a transaction to take part in.
 */
export function createValueUpdate(context: ValueContext, keyv: KeyedValues) {
  return async (
    { workspaceId, area, key }: ValueKey,
    change: (value: unknown) => ValueChange,
    db: Kysely<Schema> = context.db,
  ): Promise<void> => {
    const serializer = keyv(workspaceId, area);
    while (!(await tryUpdate({ workspaceId, area, key }, change, serializer, { ...context, db }))) {
      // Somebody else was quicker.
    }
  };
}

/** Resolves with false where the value was changed since it was read. */
async function tryUpdate(
  valueKey: ValueKey,
  change: (value: unknown) => ValueChange,
  serializer: Keyv,
  { db, encryption, clock }: ValueContext,
): Promise<boolean> {
  const row = await db
    .selectFrom('keyv')
    .select(['value', 'expires'])
    .where((eb) => eb.and(valueKey))
    .executeTakeFirst();
  const isLive = row !== undefined && (row.expires === undefined || row.expires > clock());
  const known = isLive
    ? await serializer.decode(
        encryption.decrypt(row.value, additionalDataOf(column, { ...valueKey, expires: row.expires })),
      )
    : undefined;
  const next = change(known?.value);
  if (next === 'keep' || (next === 'delete' && row === undefined)) {
    return true;
  }
  if (next === 'delete') {
    const { numDeletedRows } = await db
      .deleteFrom('keyv')
      .where((eb) => eb.and({ ...valueKey, value: row?.value ?? '' }))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const text = String(await serializer.encode({ value: next.set }));
  const expires = next.ttl === undefined ? undefined : new Date(clock().getTime() + next.ttl);
  const value = encryption.encrypt(text, additionalDataOf(column, { ...valueKey, expires }));
  if (row === undefined) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('keyv')
      .values({ ...valueKey, value, expires })
      .onConflict((conflict) => conflict.columns(['workspaceId', 'area', 'key']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  const { numUpdatedRows } = await db
    .updateTable('keyv')
    .set({ value, expires: expires ?? null })
    .where((eb) => eb.and({ ...valueKey, value: row.value }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
