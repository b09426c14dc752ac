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
import { DatabaseError, type PoolClient } from 'pg';
import { type OnStatement, statementLogger } from '../database.ts';
import { unlessUndone } from '../transaction.ts';
import { toStoreError } from './errors.ts';
import type { GuardedPool } from './guarded-pool.ts';

export function createPostgresKysely<Tables>(
  pool: Pick<GuardedPool, 'connect'>,
  onStatement: OnStatement,
): Kysely<Tables> {
  return new Kysely<Tables>({
    log: statementLogger(onStatement),
    dialect: {
      createAdapter: () => new PatientAdapter(),
      createDriver: () => createDriver(pool),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    // SQLite takes an empty list for what it is.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
}

/** Lets a start wait for the migration of another instance, and a migration take as long as it takes. */
class PatientAdapter extends PostgresAdapter {
  override async acquireMigrationLock(...[db, options]: Parameters<PostgresAdapter['acquireMigrationLock']>) {
    await sql`set statement_timeout = 0`.execute(db);
    await super.acquireMigrationLock(db, options);
  }

  override async releaseMigrationLock(...[db, options]: Parameters<PostgresAdapter['releaseMigrationLock']>) {
    await super.releaseMigrationLock(db, options);
    await sql`reset statement_timeout`.execute(db);
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
      return rethrow(error);
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

function rethrow(error: unknown): never {
  throw toStoreError(error);
}
