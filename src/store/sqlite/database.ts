import { type Kysely, sql } from 'kysely';
import type { Timers } from '../../lib/time/timers.ts';
import type { DatabaseEngine, OnStatement } from '../database.ts';
import { StoreError } from '../errors.ts';
import { createRetryWrite, type RetryWrite } from '../retry-write.ts';
import { createKysely } from './kysely-dialect.ts';
import type { Procedure } from './procedure.ts';
import type { WorkerRequest } from './worker.ts';
import { connectDatabase } from './worker-client.ts';
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
 * Opens the SQLite database, creating it where there is none; it works in another thread. What a statement wrote is on
 * the disk when it resolves (`synchronous = FULL`), and what it deleted is overwritten there. Statements throw a
 * StoreError `disk_full`, `disk_fault` or `locked` where that is the cause.
 *
 * @param options.worker the module of the thread, see `connectDatabase`
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
  const send = connectDatabase(worker);
  const db = createKysely<Tables>((statement) => send({ kind: 'statement', ...statement }), onStatement);
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
  const truncate = () => db.connection().execute(truncateLog);
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

/** Does not wait for a reader: all other statements would wait with it. */
async function truncateLog<Tables>(connection: Kysely<Tables>): Promise<void> {
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
}
