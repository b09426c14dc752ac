import type { Keyv } from 'keyv';
import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';

/** What becomes of a value: it is set, for `ttl` milliseconds where that is given, or it is deleted, or nothing changes. */
export type ValueChange = { set: unknown; ttl?: number | undefined } | 'delete' | 'keep';

/**
 * Changes a value in one step, however many instances change it: `change` is called with the value as it is, `undefined`
 * where there is none, and once more where somebody else was quicker. What it returned last is what happened.
 */
export type UpdateValue = (
  place: { workspaceId: string; area: string; key: string },
  change: (value: unknown) => ValueChange,
) => Promise<void>;

/** A value is written over only while its ciphertext is the one that was read: no two ciphertexts are the same. */
export function createValueUpdate(options: {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
  keyv: (workspaceId: string, area: string) => Keyv;
}): UpdateValue {
  const { db, encryption, clock, keyv } = options;

  return async ({ workspaceId, area, key }, change) => {
    const place = { workspace_id: workspaceId, area, key };
    const serializer = keyv(workspaceId, area);

    async function tryOnce(): Promise<boolean> {
      const row = await db
        .selectFrom('keyv')
        .select(['value', 'expires'])
        .where((eb) => eb.and(place))
        .executeTakeFirst();
      const isLive = row !== undefined && (row.expires === null || row.expires > clock().getTime());
      const known = isLive
        ? await serializer.decode(encryption.decrypt(row.value, [workspaceId, area, key, row.expires]))
        : undefined;
      const next = change(known?.value);
      if (next === 'keep' || (next === 'delete' && row === undefined)) {
        return true;
      }
      if (next === 'delete') {
        const { numDeletedRows } = await db
          .deleteFrom('keyv')
          .where((eb) => eb.and({ ...place, value: row?.value ?? '' }))
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }
      const columns = await encrypt(next);
      if (row === undefined) {
        const { numInsertedOrUpdatedRows = 0n } = await db
          .insertInto('keyv')
          .values({ ...place, ...columns })
          .onConflict((conflict) => conflict.columns(['workspace_id', 'area', 'key']).doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows > 0n;
      }
      const { numUpdatedRows } = await db
        .updateTable('keyv')
        .set(columns)
        .where((eb) => eb.and({ ...place, value: row.value }))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    }

    async function encrypt({ set: value, ttl }: Exclude<ValueChange, string>) {
      const text = String(await serializer.encode({ value }));
      const expires = ttl === undefined ? null : clock().getTime() + ttl;
      return { value: encryption.encrypt(text, [workspaceId, area, key, expires]), expires };
    }

    while (!(await tryOnce())) {
      // Somebody else was quicker.
    }
  };
}
