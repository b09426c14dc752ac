import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';

import pg, { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { Timers } from '../../../lib/time/timers.ts';
import { createRetryWrite, type DatabaseEngine, type OnStatement, statementLogger } from '../database.ts';
import type { StoreError } from '../errors.ts';
import { unlessUndone } from '../transaction.ts';
import { storedName, writeValue } from '../values.ts';
import { checkServer } from './check-server.ts';
import { connectionConfig, type PostgresOptions, statementTimeoutMs } from './connection.ts';
import { toStoreError } from './errors.ts';
import { PatientPool } from './pool.ts';

/** Prepares a statement once per connection. Each call is its own transaction, in one round trip. */
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
 * @throws StoreError `unreachable`, or `bad_schema` where its encoding or the rights of its user do not suffice
 */
export async function openPostgres<Tables>(
  options: PostgresOptions,
  { timers, onStatement = () => {} }: { timers: Timers; onStatement?: OnStatement | undefined },
): Promise<PostgresDatabase<Tables>> {
  const config = { ...connectionConfig(options), types: { getTypeParser } };
  const pool = new PatientPool(config, timers);
  // A connection that ends while nothing is asked of it is replaced by the next statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const guarded = createGuardedPool(pool);
  const db = new Kysely<Tables>({
    log: statementLogger(onStatement),
    dialect: {
      createAdapter: () => new PatientAdapter(),
      createDriver: () => createDriver(guarded),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new StoredFormCompiler(),
    },
    // SQLite takes an empty list for what it is.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  const closing = new AbortController();
  let closed: Promise<void> | undefined;
  const database: PostgresDatabase<Tables> = {
    engine: 'postgres',
    pool,
    config,
    db,
    guardConnections: guarded.guard,
    refuseAll: guarded.refuse,
    prepare: preparer(guarded),
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
    await checkServer(pool, config);
  } catch (error) {
    await database.close();
    throw toStoreError(error);
  }
  return database;
}

class StoredFormCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(storedName(name));
  }

  protected override appendValue(value: unknown): void {
    super.appendValue(writeValue(value));
  }
}

function preparer(pool: Pick<GuardedPool, 'connect'>): PrepareQuery {
  return <Row>(name: string, text: string) =>
    (values) =>
      unlessUndone(async () => {
        const client = await pool.connect();
        try {
          const { rows } = await client.query({ name, text, values: [...values] });
          client.release();
          // The caller made the statement, and knows the type of its rows.
          return rows as Row[];
        } catch (error) {
          client.release(!(error instanceof DatabaseError));
          throw toStoreError(error);
        }
      });
}

const { INT8, NUMERIC } = pg.types.builtins;

/** Integers of 64 bits and sums are numbers, as they are in SQLite: none of ours comes near 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format);
}

/** Lets a start wait for the migration of another instance, and a migration take as long as it takes. */
class PatientAdapter extends PostgresAdapter {
  override async acquireMigrationLock(...[db, options]: Parameters<PostgresAdapter['acquireMigrationLock']>) {
    await sql`set statement_timeout = 0`.execute(db);
    await super.acquireMigrationLock(db, options);
  }

  override async releaseMigrationLock(...[db, options]: Parameters<PostgresAdapter['releaseMigrationLock']>) {
    await super.releaseMigrationLock(db, options);
    await sql`set statement_timeout = ${sql.lit(statementTimeoutMs)}`.execute(db);
  }
}

function createDriver(pool: Pick<GuardedPool, 'connect'>): Driver {
  const connections = new WeakMap<DatabaseConnection, PostgresConnection>();
  /** Returns what the driver itself gave to Kysely. */
  const own = (connection: DatabaseConnection): PostgresConnection => {
    const found = connections.get(connection);
    if (found === undefined) {
      throw new TypeError('The connection is of another database');
    }
    return found;
  };
  return {
    init: async () => {},
    async acquireConnection() {
      const connection = createConnection(await pool.connect());
      connections.set(connection, connection);
      return connection;
    },
    async beginTransaction(connection) {
      own(connection).begin();
    },
    commitTransaction: (connection) => own(connection).end('commit'),
    rollbackTransaction: (connection) => own(connection).end('rollback'),
    async releaseConnection(connection) {
      own(connection).release();
    },
    destroy: async () => {},
  };
}

interface PostgresConnection extends DatabaseConnection {
  begin(): void;
  end(command: 'commit' | 'rollback'): Promise<void>;
  release(): void;
}

function createConnection(client: PoolClient): PostgresConnection {
  /** `begin` leaves together with the first statement of its transaction: it takes no time of its own. */
  let begins = false;
  let isInTransaction = false;
  /** Whether the state of the connection is not known. */
  let isLost = false;

  async function query({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) {
    const statements = begins ? [client.query('begin')] : [];
    begins = false;
    try {
      const [result] = await Promise.all([client.query(text, [...parameters]), ...statements]);
      return result;
    } catch (error) {
      isLost ||= !(error instanceof DatabaseError);
      throw toStoreError(error);
    }
  }

  return {
    async executeQuery<Row>(compiled: CompiledQuery) {
      const { command, rowCount, rows } = isInTransaction
        ? await query(compiled)
        : await unlessUndone(() => query(compiled));
      return {
        // Kysely knows the type of the rows from the statement.
        rows: rows as Row[],
        ...(changing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
      };
    },
    streamQuery() {
      throw new TypeError('Long lists are read page by page');
    },
    begin() {
      begins = true;
      isInTransaction = true;
    },
    async end(command) {
      isInTransaction = false;
      if (begins) {
        begins = false;
        return;
      }
      const done = await query(CompiledQuery.raw(command));
      // PostgreSQL answers a commit after an error with a rollback.
      if (command === 'commit' && done.command !== 'COMMIT') {
        throw new Error('The transaction was rolled back');
      }
    },
    release: () => client.release(isLost),
  };
}

const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Checks where a new connection leads, before any other query. Throws if it must not be used. */
export type ConnectionGuard = (run: (query: CompiledQuery) => Promise<readonly unknown[]>) => Promise<void>;

export type GuardedPool = ReturnType<typeof createGuardedPool>;

/** Hands out connections only while the database is still the same. */
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
