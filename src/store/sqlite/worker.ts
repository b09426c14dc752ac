import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { type MessagePort, parentPort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { Secret } from '../../lib/secret.ts';
import type { ClaimStatements, SettleAndClaim, SettledAndClaimed } from '../campaigns/sending/claim-statements.ts';
import { type Query, settleAndClaim } from '../campaigns/sending/claim-transaction.ts';
import { probeDisk } from './probe-disk.ts';
import { createEncryption } from '../encryption/cipher.ts';
import { StoreError, type StoreFault } from '../errors.ts';
import { type Counting, createWriteCounter, type WriteCounter } from './write-counter.ts';
import { runnerOf } from './statement-runner.ts';

/** A database to open. Between threads goes nothing but plain data: secrets go in the clear. */
export interface OpenQuestion {
  kind: 'open';
  file: string;
  encryptionKeys: readonly string[];
  turnStatements: ClaimStatements;
}

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
  /** Whether a transaction begins with it. */
  begins: boolean;
}

/** What the thread is asked of one of its databases. All is answered in the order in which it was asked. */
export interface WorkerRequest {
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
  /** From now on every transaction that writes is counted, and refused where the data was taken away. */
  | ({ kind: 'count' } & Counting)
  /** Whether something could be written down: it writes, and changes nothing. */
  | { kind: 'probe' }
  | { kind: 'close' };

export type WorkerResponse = Done | Failed;

export interface Done<Row = unknown> {
  kind: 'done';
  rows?: Row[];
  changes?: number;
  lastId?: number | bigint;
  turned?: SettledAndClaimed | undefined;
}

/** `code` is SQLite's or the operating system's, `fault` the store's. */
export interface Failed {
  kind: 'failed';
  message: string;
  code?: string;
  fault?: StoreFault;
}

/** Milliseconds that a statement waits for another program's lock; all others wait with it. */
const patience = 1_000;

/**
 * The thread in which SQLite works: its calls block, and a disk can take long to confirm what was written. Meanwhile
 * people are answered in the main thread.
 */
function serve(port: MessagePort): void {
  const databases = new Map<number, (question: Question) => Done>();

  function answer({ database, question }: WorkerRequest): Done {
    if (question.kind === 'open') {
      databases.set(database, opened(question));
      return { kind: 'done' };
    }
    const ask = databases.get(database);
    if (ask === undefined) {
      throw new StoreError('closed', 'The database is closed');
    }
    if (question.kind === 'close') {
      databases.delete(database);
    }
    return ask(question);
  }

  port.on('message', (asked: WorkerRequest) => {
    let answered: WorkerResponse;
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
  const { run, whole, countWith } = runnerOf(sqlite);
  const query: Query = <Row>(sql: string, parameters: readonly unknown[]) =>
    run<Row>({ sql, parameters, begins: false }).rows ?? [];
  const encryption = createEncryption(encryptionKeys.map((key) => new Secret(key)));

  function turnOf(text: string): SettledAndClaimed | undefined {
    const turn: SettleAndClaim = JSON.parse(text);
    return settleAndClaim(turn, turnStatements, { query, encryption });
  }

  let counter: WriteCounter | undefined;
  return (question) => {
    switch (question.kind) {
      case 'statement':
        return run(question);
      case 'turn':
        return { kind: 'done', turned: whole(() => turnOf(question.turn)) };
      case 'count':
        counter = createWriteCounter(sqlite, question);
        countWith(counter);
        return { kind: 'done' };
      case 'probe':
        counter?.probe();
        probeDisk(dirname(file));
        return { kind: 'done' };
      case 'open':
        throw new TypeError('A database is opened once');
      case 'close':
        sqlite.close();
        counter?.close();
        return { kind: 'done' };
    }
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

function failure(error: unknown): Failed {
  return {
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof Error && 'code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error instanceof StoreError && { fault: error.fault }),
  };
}

if (parentPort !== null) {
  serve(parentPort);
}
