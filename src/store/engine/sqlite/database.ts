import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Timers } from '../../../lib/time/timers.ts';
import {
  createRetryWrite,
  type DatabaseEngine,
  type OnStatement,
  type RetryWrite,
  statementLogger,
} from '../database.ts';
import { StoreError } from '../errors.ts';
import { storedName, writeValue } from '../values.ts';
import type { Procedure } from './procedure.ts';
import type { Statement, StatementResult } from './statement-runner.ts';
import type { WorkerFailure, WorkerMessage, WorkerRequest, WorkerResponse, WorkerResult } from './worker.ts';
import type { WriteCounting } from './write-counter.ts';

export interface SqliteDatabase<Tables> extends DatabaseEngine<Tables> {
  engine: 'sqlite';
  /** Creates a procedure that the thread was given. Returns what calls it. */
  createProcedure<Setup, Argument, Result>(
    procedure: Procedure<Setup, Argument, Result>,
    setup: Setup,
  ): Promise<(argument: Argument) => Promise<Result>>;
  /** From now on every transaction that writes is counted and marked; it throws a StoreError `data_gone`. */
  countWrites(counting: WriteCounting): Promise<void>;
}

/**
 * Opens or creates the SQLite database, which works in another thread. What a statement wrote is on the disk when it resolves
 * (`synchronous = FULL`), and what it deleted is overwritten there. Statements may throw a StoreError `disk_full`,
 * `disk_fault` or `locked`.
 *
 * @param options.worker the module of the thread, which calls `serveDatabases`
 * @throws StoreError `bad_folder` when the file is not a database or cannot be written
 */
export async function openDatabase<Tables>(
  file: string,
  {
    worker,
    timers,
    onStatement = () => {},
  }: { worker: URL; timers: Timers; onStatement?: OnStatement | undefined },
): Promise<SqliteDatabase<Tables>> {
  const connect = threads.get(worker.href) ?? startThread(worker);
  threads.set(worker.href, connect);
  const send = connect();
  const db = new Kysely<Tables>({
    log: statementLogger(onStatement),
    dialect: {
      createAdapter: () => new MigratableAdapter(),
      createDriver: () => createDriver((statement) => send({ kind: 'statement', ...statement })),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new LocklessCompiler(),
    },
  });
  /** Takes the connection lock first, so that another caller's transaction finishes before this. */
  const sendAlone = (request: WorkerRequest) => db.connection().execute(() => send(request));
  const closing = new AbortController();
  const retryWrite = createRetryWrite(timers, closing.signal);
  let closed: Promise<unknown> | undefined;

  try {
    await send({ kind: 'open', file });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    throw new StoreError('bad_folder', `The database ${file} cannot be opened: ${reason}.`, { cause: error });
  }
  return {
    engine: 'sqlite',
    db,
    async createProcedure({ name }, setup) {
      await sendAlone({ kind: 'create_procedure', name, setup: JSON.stringify(setup) });
      return async (argument) => {
        const from = timers.elapsed();
        let failed = true;
        try {
          const { returned = 'null' } = await sendAlone({
            kind: 'call_procedure',
            name,
            argument: JSON.stringify(argument),
          });
          failed = false;
          return JSON.parse(returned);
        } finally {
          onStatement({ took: timers.elapsed() - from, failed });
        }
      };
    },
    async countWrites(counting) {
      await sendAlone({ kind: 'count_writes', ...counting });
    },
    async probe() {
      await sendAlone({ kind: 'probe' });
    },
    retryWrite,
    purge: createPurge(db, retryWrite),
    async close() {
      closing.abort();
      closed ??= sendAlone({ kind: 'close' });
      await closed;
    },
  };
}

/**
 * Returns what removes deleted and replaced values from the write-ahead log too, which otherwise keeps them until it is
 * overwritten. Where another program is reading, or the disk is full, this is retried until it is done or the database
 * is closed. Ignored while a retry is pending.
 */
function createPurge<Tables>(db: Kysely<Tables>, retryWrite: RetryWrite): () => Promise<void> {
  let retrying = false;
  // Does not wait for a reader: all other statements would wait with it.
  const truncate = () =>
    db.connection().execute(async (connection) => {
      const { rows: before } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
      await sql`pragma busy_timeout = 0`.execute(connection);
      try {
        const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection);
        if (rows[0]?.busy !== 0) {
          throw new StoreError('locked', 'Another program is reading the database.');
        }
      } finally {
        await sql`pragma busy_timeout = ${sql.lit(before[0]?.timeout ?? 0)}`.execute(connection);
      }
    });
  return async () => {
    if (retrying) {
      return;
    }
    try {
      await truncate();
    } catch {
      retrying = true;
      void retryWrite(async () => {
        await truncate();
        retrying = false;
      }).catch(() => {});
    }
  };
}

/** Runs a statement in the database's thread. */
type RunStatementRemotely = (statement: Statement) => Promise<StatementResult>;

/**
 * Kysely migrates SQLite without a transaction, though SQLite can change tables in one. With it, a start that is cut off
 * in the middle of a migration leaves the tables as they were.
 */
class MigratableAdapter extends SqliteAdapter {
  /** The driver has callers wait in line: Kysely would wake all of them for each. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Leaves the locks of rows out: a transaction has the database for itself. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(storedName(name));
  }

  protected override appendValue(value: unknown): void {
    super.appendValue(writeValue(value));
  }

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
  /** Resolves once the last caller in line has released the connection. */
  let free = Promise.resolve();
  let release = () => {};

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
    async acquireConnection() {
      const before = free;
      const turn = Promise.withResolvers<void>();
      free = turn.promise;
      await before;
      release = turn.resolve;
      return connection;
    },
    async beginTransaction() {
      begins = true;
    },
    commitTransaction: () => end('commit'),
    rollbackTransaction: () => end('rollback'),
    releaseConnection: async () => release(),
    destroy: async () => {},
  };
}

/** Sends a request about one database to the thread. Rethrows the thread's errors. */
type SendToWorker = (request: WorkerRequest) => Promise<WorkerResult>;

/** By the file that they run. */
const threads = new Map<string, () => SendToWorker>();

/**
 * Returns what sends requests about one more database to the thread that runs `entry`; all databases of this process
 * share the thread. It keeps the process running while a response is awaited, and no longer. An error that ends the
 * thread ends the process, as any uncaught error does.
 *
 * @param entry a module that calls `serveDatabases`
 */
function startThread(entry: URL): () => SendToWorker {
  const worker = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb: 12 } });
  /** Responses arrive in the order of the requests. */
  const waiting: PromiseWithResolvers<WorkerResponse>[] = [];
  worker.on('message', (response: WorkerResponse) => {
    waiting.shift()?.resolve(response);
    if (waiting.length === 0) {
      worker.unref();
    }
  });
  worker.unref();
  let databases = 0;
  return () => {
    databases += 1;
    const database = databases;
    return async (request) => {
      const message: WorkerMessage = { database, request };
      worker.postMessage(message);
      // Only now: what cannot be sent is not answered either.
      const response = Promise.withResolvers<WorkerResponse>();
      waiting.push(response);
      worker.ref();
      const result = await response.promise;
      if (result.kind === 'failed') {
        throw toError(result);
      }
      return result;
    };
  };
}

/** Returns the error of the thread. Faults of the disk become a StoreError. */
function toError({ message, code, fault }: WorkerFailure): Error {
  if (fault !== undefined) {
    return new StoreError(fault, message);
  }
  if (code === undefined) {
    return new Error(message);
  }
  const cause = code.startsWith('SQLITE_') ? new Database.SqliteError(message, code) : new Error(message);
  if (diskFullCodes.has(code)) {
    return new StoreError('disk_full', 'The disk with the data folder is full. Make room on it.', { cause });
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_IOERR')) {
    const explanation = `The disk with the data folder is read-only, or fails (${code}). Look at it.`;
    return new StoreError('disk_fault', explanation, { cause });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    const explanation = 'Another program holds the database in the data folder. Close that program.';
    return new StoreError('locked', explanation, { cause });
  }
  return cause;
}

/** SQLite's, and the operating system's. */
const diskFullCodes: ReadonlySet<string> = new Set([
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
  'ENOSPC',
  'EDQUOT',
]);
