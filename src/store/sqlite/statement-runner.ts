import type Database from 'better-sqlite3';
import type { WriteCounter } from './write-counter.ts';
import type { Done, Statement } from './worker.ts';

interface Runner {
  /** Runs a statement. Throws what SQLite throws. */
  run<Row>(statement: Statement): Done<Row>;
  /** Runs statements as one transaction. */
  whole<Result>(work: () => Result): Result;
  /** From now on, every transaction that writes is counted. */
  countWith(counter: WriteCounter): void;
}

export function runnerOf(sqlite: Database.Database): Runner {
  const prepare = preparedFor(sqlite);
  let counter: WriteCounter | undefined;
  /** Whether the transaction that is under way has written something. */
  let wrote = false;

  const counted = sqlite.transaction((work: () => void) => {
    work();
    if (wrote) {
      counter?.count();
    }
  });

  function whole<Result>(work: () => Result): Result {
    let result: { value: Result } | undefined;
    wrote = false;
    counted(() => {
      result = { value: work() };
    });
    if (wrote) {
      counter?.mark();
    }
    if (result === undefined) {
      throw new TypeError('A transaction was committed without its work');
    }
    return result.value;
  }

  function execute<Row>(statement: Database.Statement<unknown[]>, parameters: readonly unknown[]): Done<Row> {
    // What a row holds follows from the statement, and who made it knows that by its types.
    if (statement.reader) {
      return { kind: 'done', rows: statement.all(parameters) as Row[] };
    }
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { kind: 'done', changes, lastId: lastInsertRowid };
  }

  function run<Row>({ sql, parameters, begins }: Statement): Done<Row> {
    if (begins) {
      wrote = false;
      prepare('begin').run();
    }
    // When the disk is full, SQLite takes the transaction back by itself; a second time is an error, which would hide
    // the first.
    if (sql === 'rollback' && !sqlite.inTransaction) {
      return { kind: 'done' };
    }
    const statement = prepare(sql);
    if (sql === 'commit') {
      if (wrote) {
        counter?.count();
      }
      const done = execute<Row>(statement, parameters);
      if (wrote) {
        counter?.mark();
      }
      return done;
    }
    if (!changesRows.test(sql)) {
      return execute(statement, parameters);
    }
    const change = () => {
      const done = execute<Row>(statement, parameters);
      wrote ||= (done.rows?.length ?? done.changes ?? 0) > 0;
      return done;
    };
    return sqlite.inTransaction ? change() : whole(change);
  }

  return {
    run,
    whole,
    countWith(chosen) {
      counter = chosen;
    },
  };
}

/** As Kysely writes them. What changes the tables themselves is not counted. */
const changesRows = /^\s*(?:insert|update|delete)\b/;

const mostPrepared = 200;

/** Statements are kept: the same ones come again and again, and one let go of keeps its memory until it is collected. */
function preparedFor(sqlite: Database.Database): (sql: string) => Database.Statement<unknown[]> {
  const prepared = new Map<string, Database.Statement<unknown[]>>();
  return (sql) => {
    const statement = prepared.get(sql) ?? sqlite.prepare<unknown[]>(sql);
    prepared.delete(sql);
    prepared.set(sql, statement);
    for (const longestUnused of prepared.keys()) {
      if (prepared.size <= mostPrepared) {
        break;
      }
      prepared.delete(longestUnused);
    }
    return statement;
  };
}
