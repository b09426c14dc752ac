import { chmodSync } from 'node:fs';
import { type MessagePort, parentPort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { Secret } from '../secret.ts';
import type { Turn, Turned, TurnStatements } from './campaign-turn.ts';
import { createEncryption } from './encryption.ts';
import { StoreError, type StoreFault } from './errors.ts';
import { type Query, takeTurn } from './turn-taking.ts';

/** A database to open. Between threads goes nothing but plain data: secrets go in the clear. */
export interface OpenQuestion {
  kind: 'open';
  file: string;
  encryptionKeys: readonly string[];
  turnStatements: TurnStatements;
}

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
  /** Whether a transaction begins with it. */
  begins: boolean;
}

/** What the thread is asked of one of its databases. All is answered in the order in which it was asked. */
export interface Asked {
  database: number;
  question: Question;
}

export type Question =
  | OpenQuestion
  | ({ kind: 'statement' } & Statement)
  /**
   * The one transaction that speed hangs on: it is made here, rather than statement by statement from afar. A `Turn` as
   * JSON, which takes a fraction of the time that copying objects does.
   */
  | { kind: 'turn'; turn: string }
  | { kind: 'close' };

export type Answer = Done | Failed;

export interface Done<Row = unknown> {
  kind: 'done';
  rows?: Row[];
  changes?: number;
  lastId?: number | bigint;
  turned?: Turned | undefined;
}

/** `code` is SQLite's, `fault` the store's. */
export interface Failed {
  kind: 'failed';
  message: string;
  code?: string;
  fault?: StoreFault;
}

/** Milliseconds that a statement waits for another program's lock; all others wait with it. */
const patience = 1_000;
const mostPrepared = 200;

/**
 * The thread in which SQLite works: its calls block, and a disk can take long to confirm what was written. Meanwhile
 * people are answered in the main thread.
 */
function serve(port: MessagePort): void {
  const databases = new Map<number, (question: Question) => Done>();

  function answer({ database, question }: Asked): Done {
    if (question.kind === 'open') {
      databases.set(database, opened(question));
      return { kind: 'done' };
    }
    const ask = databases.get(database);
    if (ask === undefined) throw new StoreError('closed', 'The database is closed');
    if (question.kind === 'close') databases.delete(database);
    return ask(question);
  }

  port.on('message', (asked: Asked) => {
    let answered: Answer;
    try {
      answered = answer(asked);
    } catch (error) {
      answered = failure(error);
    }
    port.postMessage(answered);
  });
}

/** Opens a database; gives what answers every other question about it. */
function opened({ file, encryptionKeys, turnStatements }: OpenQuestion): (question: Question) => Done {
  const sqlite = open(file);
  const run = runnerOf(sqlite);
  const query: Query = <Row>(sql: string, parameters: readonly unknown[]) =>
    run<Row>({ sql, parameters, begins: false }).rows ?? [];
  const encryption = createEncryption(encryptionKeys.map((key) => new Secret(key)));
  const turnOf = sqlite.transaction((text: string) => {
    const turn: Turn = JSON.parse(text);
    return takeTurn(turn, turnStatements, { query, encryption });
  });
  return (question) => {
    if (question.kind === 'statement') return run(question);
    if (question.kind === 'turn') return { kind: 'done', turned: turnOf(question.turn) };
    sqlite.close();
    return { kind: 'done' };
  };
}

function open(file: string): Database.Database {
  const sqlite = new Database(file, { timeout: patience });
  try {
    // Before the write-ahead log exists: SQLite gives it the mode of the database.
    chmodSync(file, 0o600);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Runs a statement. Throws what SQLite throws. */
type Run = <Row>(statement: Statement) => Done<Row>;

function runnerOf(sqlite: Database.Database): Run {
  const prepare = preparedFor(sqlite);
  return <Row>({ sql, parameters, begins }: Statement): Done<Row> => {
    if (begins) prepare('begin').run();
    // When the disk is full, SQLite takes the transaction back by itself; a second time is an error, which would hide
    // the first.
    if (sql === 'rollback' && !sqlite.inTransaction) return { kind: 'done' };
    const statement = prepare(sql);
    // What a row holds follows from the statement, and who made it knows that by its types.
    if (statement.reader) return { kind: 'done', rows: statement.all(parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { kind: 'done', changes, lastId: lastInsertRowid };
  };
}

/** Statements are kept: the same ones come again and again, and one let go of keeps its memory until it is collected. */
function preparedFor(sqlite: Database.Database): (sql: string) => Database.Statement<unknown[]> {
  const prepared = new Map<string, Database.Statement<unknown[]>>();
  return (sql) => {
    const statement = prepared.get(sql) ?? sqlite.prepare<unknown[]>(sql);
    prepared.delete(sql);
    prepared.set(sql, statement);
    for (const longestUnused of prepared.keys()) {
      if (prepared.size <= mostPrepared) break;
      prepared.delete(longestUnused);
    }
    return statement;
  };
}

function failure(error: unknown): Failed {
  return {
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof Database.SqliteError && { code: error.code }),
    ...(error instanceof StoreError && { fault: error.fault }),
  };
}

if (parentPort !== null) serve(parentPort);
