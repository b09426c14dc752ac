import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StoreError, type StoreFault } from '../errors.ts';
import type { PreparedStatement } from './prepared-statement.ts';
import { fillSlots, type Procedure, type RunStatement, type SlotValues } from './procedure.ts';
import { createStatementRunner, type Statement, type StatementResult } from './statement-runner.ts';
import { createWriteCounter, type WriteCounter, type WriteCounting } from './write-counter.ts';

/** What the main thread sends about one of its databases. Requests are answered in the order in which they arrive. */
export interface WorkerMessage {
  database: number;
  request: WorkerRequest;
}

export type WorkerRequest =
  | { kind: 'open'; file: string }
  | ({ kind: 'statement' } & Statement)
  /** `setup` and `argument` are JSON, see `Procedure`. */
  | { kind: 'create_procedure'; name: string; setup: string }
  | { kind: 'call_procedure'; name: string; argument: string }
  /** From now on every transaction that writes is counted, and refused where the data was taken away. */
  | ({ kind: 'count_writes' } & WriteCounting)
  /** Checks whether something could be written: it writes, and changes nothing. */
  | { kind: 'probe' }
  | { kind: 'close' };

export type WorkerResponse = WorkerResult | WorkerFailure;

export interface WorkerResult extends StatementResult {
  kind: 'done';
  /** What a procedure returned, as JSON. */
  returned?: string | undefined;
}

/** `code` is SQLite's or the operating system's, `fault` the store's. */
export interface WorkerFailure {
  kind: 'failed';
  message: string;
  code?: string | undefined;
  fault?: StoreFault | undefined;
}

/** Where requests come from, and responses go to. */
export interface DatabasePort {
  on(event: 'message', listener: (message: WorkerMessage) => void): unknown;
  postMessage(response: WorkerResponse): void;
}

type Procedures = readonly Procedure<unknown, unknown, unknown>[];

/** How long a statement waits for another program's lock. All other statements wait meanwhile. */
const lockTimeoutMs = 1_000;

/**
 * Serves databases in a thread of their own: SQLite's calls block, and a disk can take long to confirm a write. The main
 * thread goes on answering users meanwhile.
 */
export function serveDatabases(port: DatabasePort, procedures: Procedures): void {
  const databases = new Map<number, (request: WorkerRequest) => WorkerResult>();

  function handle({ database, request }: WorkerMessage): WorkerResult {
    if (request.kind === 'open') {
      databases.set(database, openDatabaseFile(request.file, procedures));
      return { kind: 'done' };
    }
    const handleRequest = databases.get(database);
    if (handleRequest === undefined) {
      throw new StoreError('closed', 'The database is closed');
    }
    if (request.kind === 'close') {
      databases.delete(database);
    }
    return handleRequest(request);
  }

  port.on('message', (message: WorkerMessage) => {
    let response: WorkerResponse;
    try {
      response = handle(message);
    } catch (error) {
      response = toFailure(error);
    }
    port.postMessage(response);
  });
}

/** Opens a database. Returns the handler of every later request about it. */
function openDatabaseFile(file: string, procedures: Procedures): (request: WorkerRequest) => WorkerResult {
  const sqlite = openSqlite(file);
  const { run, transaction, countWith } = createStatementRunner(sqlite);
  const created = new Map<string, (argument: string) => string>();
  let counter: WriteCounter | undefined;

  const runPrepared: RunStatement = <Row>(statement: PreparedStatement<Row>, values: SlotValues) =>
    run<Row>({ sql: statement.sql, parameters: fillSlots(statement, values), begins: false }).rows ?? [];

  function callProcedure(name: string, argument: string): WorkerResult {
    const call = created.get(name);
    if (call === undefined) {
      throw new TypeError(`The procedure ${name} was not created`);
    }
    return { kind: 'done', returned: transaction(() => call(argument)) };
  }

  return (request) => {
    switch (request.kind) {
      case 'statement':
        return { kind: 'done', ...run(request) };
      case 'call_procedure':
        return callProcedure(request.name, request.argument);
      case 'create_procedure':
        for (const { name, create } of procedures) {
          if (name === request.name) {
            created.set(name, create(request.setup, runPrepared));
          }
        }
        return { kind: 'done' };
      case 'count_writes':
        counter = createWriteCounter(sqlite, request);
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

/**
 * After this many pages of the write-ahead log (16 MB), they are copied into the database, which the commit waits for: rows at
 * random places are copied once for several changes, and fewer commits wait.
 */
const pagesOfLog = 4_000;

function openSqlite(file: string): Database.Database {
  const sqlite = new Database(file, { timeout: lockTimeoutMs });
  try {
    // Before the write-ahead log exists: SQLite gives it the mode of the database.
    chmodSync(file, 0o600);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma(`wal_autocheckpoint = ${pagesOfLog}`);
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function toFailure(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) {
    return { kind: 'failed', message: String(error) };
  }
  return {
    kind: 'failed',
    message: error.message,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    fault: error instanceof StoreError ? error.fault : undefined,
  };
}

/** Enough to occupy a block of the disk. */
const bytes = Buffer.alloc(4096);

/**
 * Writes a file and removes it. Throws the operating system's error where the disk is full: the database has free pages
 * left, and would report it later.
 */
function probeDisk(folder: string): void {
  const file = join(folder, 'switchboard.probe');
  try {
    writeFileSync(file, bytes, { mode: 0o600, flush: true });
  } finally {
    rmSync(file, { force: true });
  }
}
