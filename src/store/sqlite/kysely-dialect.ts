import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Schema } from '../schema.ts';
import type { Done, Statement } from './worker.ts';

/** Runs a statement, wherever that is. */
type Run = (statement: Statement) => Promise<Done>;

/** The database as Kysely knows it. */
export function databaseOver(run: Run): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new MigratableAdapter(),
      createDriver: () => createDriver(run),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/**
 * Kysely migrates SQLite without a transaction; SQLite itself has no trouble changing tables in one. With it, a start
 * that is cut off in the middle of a migration leaves the tables as they were.
 */
class MigratableAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(run: Run): Driver {
  /** Whether a transaction is to begin, which is no question of its own: it goes with the first statement. */
  let begins = false;

  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const statement = { sql, parameters, begins };
      begins = false;
      const { rows = [], changes, lastId } = await run(statement);
      return {
        // What a row holds follows from the statement, and Kysely knows it by its types alone.
        rows: rows as Row[],
        ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
        ...(lastId === undefined ? {} : { insertId: BigInt(lastId) }),
      };
    },
    streamQuery() {
      throw new TypeError('Long lists are read page by page');
    },
  };

  async function end(command: 'commit' | 'rollback'): Promise<void> {
    if (begins) {
      begins = false;
    } else {
      await connection.executeQuery(CompiledQuery.raw(command));
    }
  }

  return {
    init: async () => {},
    acquireConnection: async () => connection,
    async beginTransaction() {
      begins = true;
    },
    commitTransaction: () => end('commit'),
    rollbackTransaction: () => end('rollback'),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}
