import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type OnStatement, statementLogger } from '../database.ts';
import type { Statement, StatementResult } from './statement-runner.ts';

/** Runs a statement in the database's thread. */
type RunStatementRemotely = (statement: Statement) => Promise<StatementResult>;

export function createKysely<Tables>(run: RunStatementRemotely, onStatement: OnStatement): Kysely<Tables> {
  return new Kysely<Tables>({
    log: statementLogger(onStatement),
    dialect: {
      createAdapter: () => new MigratableAdapter(),
      createDriver: () => createDriver(run),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new LocklessCompiler(),
    },
  });
}

/**
 * Kysely migrates SQLite without a transaction, though SQLite can change tables in one. With it, a start that is cut off
 * in the middle of a migration leaves the tables as they were.
 */
class MigratableAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Leaves the locks of rows out: a transaction has the database for itself. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !rowLocks.has(node.modifier)) {
      super.visitSelectModifier(node);
    }
  }
}

const rowLocks: ReadonlySet<string> = new Set(['ForUpdate', 'SkipLocked']);

function createDriver(run: RunStatementRemotely): Driver {
  /** Whether the next statement begins a transaction: `begin` is not sent separately. */
  let begins = false;

  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const statement = { sql, parameters, begins };
      begins = false;
      const { rows = [], changes, lastId } = await run(statement);
      return {
        // Kysely knows the type of the rows from the statement.
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
