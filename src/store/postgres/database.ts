import { sql } from 'kysely';
import pg, { DatabaseError } from 'pg';
import type { Timers } from '../../lib/time/timers.ts';
import type { DatabaseEngine, OnStatement } from '../database.ts';
import type { StoreError } from '../errors.ts';
import { createRetryWrite } from '../retry-write.ts';
import { unlessUndone } from '../transaction.ts';
import { connectionConfig, type PostgresOptions } from './connection.ts';
import { toStoreError } from './errors.ts';
import { type ConnectionGuard, createGuardedPool } from './guarded-pool.ts';
import { createPostgresKysely } from './kysely-dialect.ts';

/**
 * Returns what performs a statement of its own, which each connection parses once. It is its own transaction, and takes one
 * round trip.
 */
export type PrepareQuery = <Row>(
  name: string,
  text: string,
) => (values: readonly unknown[]) => Promise<Row[]>;

export interface PostgresDatabase<Tables> extends DatabaseEngine<Tables> {
  engine: 'postgres';
  /** Looks at each connection that is made from now on. */
  guardConnections(guard: ConnectionGuard): void;
  /** From now on every statement throws this. */
  refuseAll(refusal: StoreError): void;
  /** For what Kysely has no part in. */
  pool: pg.Pool;
  /** What the pool connects with, for a connection of its own. The pool hides the password. */
  config: pg.ClientConfig;
  prepare: PrepareQuery;
}

/**
 * Connects to a PostgreSQL database. What a statement wrote is on the server's disk when it resolves. Statements throw a
 * StoreError `unreachable`, `disk_full`, `disk_fault`, `locked` or `conflict` where that is the cause.
 *
 * @throws StoreError `unreachable`
 */
export async function openPostgres<Tables>(
  options: PostgresOptions,
  { timers, onStatement = () => {} }: { timers: Timers; onStatement?: OnStatement | undefined },
): Promise<PostgresDatabase<Tables>> {
  const config = { ...connectionConfig(options), types: { getTypeParser } };
  const pool = new pg.Pool(config);
  // A connection that ends while nothing is asked of it is replaced by the next statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const guarded = createGuardedPool(pool);
  const db = createPostgresKysely<Tables>(guarded, onStatement);
  const closing = new AbortController();
  let closed: Promise<void> | undefined;
  const database: PostgresDatabase<Tables> = {
    engine: 'postgres',
    pool,
    config,
    db,
    guardConnections: guarded.guard,
    refuseAll: guarded.refuse,
    prepare:
      <Row>(name: string, text: string) =>
      (values: readonly unknown[]) =>
        unlessUndone(async () => {
          const client = await guarded.connect();
          try {
            const { rows } = await client.query({ name, text, values: [...values] });
            client.release();
            // The caller made the statement, and knows the type of its rows.
            return rows as Row[];
          } catch (error) {
            client.release(!(error instanceof DatabaseError));
            throw toStoreError(error);
          }
        }),
    async probe() {
      await sql`select pg_logical_emit_message(true, 'switchboard', 'probe')`.execute(db);
    },
    retryWrite: createRetryWrite(timers, closing.signal),
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    purge: async () => {},
    async close() {
      closing.abort();
      closed ??= pool.end();
      await closed;
    },
  };
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

const { INT8, NUMERIC } = pg.types.builtins;

/** Integers of 64 bits and sums are numbers, as they are in SQLite: none of ours comes near 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format);
}
