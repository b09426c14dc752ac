import type { CompiledQuery } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { StoreError } from '../errors.ts';
import { toStoreError } from './errors.ts';

/** Looks where a new connection leads to, before anything else is asked of it. Throws where it must not be used. */
export type ConnectionGuard = (run: (query: CompiledQuery) => Promise<readonly unknown[]>) => Promise<void>;

export type GuardedPool = ReturnType<typeof createGuardedPool>;

/** The connections of a pool, while the database is the one that it was. */
export function createGuardedPool(pool: Pool) {
  const known = new WeakSet<PoolClient>();
  let guard: ConnectionGuard = async () => {};
  let refusal: StoreError | undefined;

  async function check(client: PoolClient): Promise<void> {
    try {
      await guard(async ({ sql, parameters }) => (await client.query(sql, [...parameters])).rows);
    } catch (error) {
      client.release(true);
      throw toStoreError(error);
    }
    known.add(client);
  }

  return {
    /** Returns a connection, which is to be released. Throws a StoreError. */
    async connect(): Promise<PoolClient> {
      if (refusal !== undefined) {
        throw refusal;
      }
      const client = await pool.connect().catch((error: unknown) => {
        throw toStoreError(error);
      });
      if (!known.has(client)) {
        await check(client);
      }
      return client;
    },
    /** Looks at each connection that is made from now on. */
    guard(chosen: ConnectionGuard): void {
      guard = chosen;
    },
    /** From now on no connection is given, and this is thrown. */
    refuse(error: StoreError): void {
      refusal = error;
    },
  };
}
