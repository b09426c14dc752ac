import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { WriteCounter } from './write-counter.ts';

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
  /** Whether a transaction begins with it. */
  begins: boolean;
}

export interface StatementResult<Row = unknown> {
  rows?: Row[] | undefined;
  changes?: number | undefined;
  lastId?: number | bigint | undefined;
}

export function createStatementRunner(sqlite: Database.Database) {
  // The same statements recur, and a dropped one keeps its memory until it is collected.
  const prepared = new LRUCache<string, Database.Statement<unknown[]>>({ max: maxPrepared });
  function prepare(text: string): Database.Statement<unknown[]> {
    const known = prepared.get(text);
    if (known !== undefined) {
      return known;
    }
    const statement = sqlite.prepare<unknown[]>(text);
    prepared.set(text, statement);
    return statement;
  }
  let counter: WriteCounter | undefined;
  /** Whether the current transaction has written something. */
  let wrote = false;

  /** Calls `commit`, and counts the transaction if it wrote something. */
  function countedCommit<Result>(commit: () => Result): Result {
    if (wrote) {
      counter?.beforeCommit();
    }
    const result = commit();
    if (wrote) {
      counter?.afterCommit();
    }
    return result;
  }

  /** Runs the statements of `work` as one transaction. */
  function transaction<Result>(work: () => Result): Result {
    prepare('begin').run();
    wrote = false;
    try {
      const result = work();
      countedCommit(() => prepare('commit').run());
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  /** On a full disk SQLite has rolled back already; doing it again is an error, which would hide the first. */
  function rollBack(): void {
    if (sqlite.inTransaction) {
      prepare('rollback').run();
    }
  }

  function execute<Row>({ sql, parameters }: Statement): StatementResult<Row> {
    const statement = prepare(sql);
    if (statement.reader) {
      // The caller made the statement, and knows the type of its rows.
      return { rows: statement.all(parameters) as Row[] };
    }
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { changes, lastId: lastInsertRowid };
  }

  function write<Row>(statement: Statement): StatementResult<Row> {
    const result = execute<Row>(statement);
    wrote ||= (result.rows?.length ?? result.changes ?? 0) > 0;
    return result;
  }

  return {
    /** Runs a statement. Throws what SQLite throws. */
    run<Row>(statement: Statement): StatementResult<Row> {
      if (statement.begins) {
        wrote = false;
        prepare('begin').run();
      }
      if (statement.sql === 'rollback') {
        rollBack();
        return {};
      }
      if (statement.sql === 'commit') {
        return countedCommit(() => execute(statement));
      }
      if (!changesRows.test(statement.sql)) {
        return execute(statement);
      }
      return sqlite.inTransaction ? write(statement) : transaction(() => write<Row>(statement));
    },
    transaction,
    /** From now on, every transaction that writes is counted. */
    countWith(chosen: WriteCounter): void {
      counter = chosen;
    },
  };
}

/** As Kysely writes them. Changes of the tables themselves are not counted. */
const changesRows = /^\s*(?:insert|update|delete)\b/;

const maxPrepared = 200;
