import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import type { Secret } from '../secret.ts';
import { type Turn, type Turned, turnStatements } from './campaign-turn.ts';
import { databaseOver } from './database-driver.ts';
import type { Answer, DatabaseThreadData, Done, Failed, Question } from './database-thread.ts';
import { StoreError } from './errors.ts';
import type { Schema } from './schema.ts';

export interface OpenDatabase {
  db: Kysely<Schema>;
  /** See `Campaigns.turn`. */
  takeTurn(turn: Turn): Promise<Turned | undefined>;
  /** Again is fine. */
  close(): Promise<void>;
}

/**
 * Opens the SQLite database in a thread of its own, creating it where there is none. What a statement wrote is on the
 * disk when it resolves (`synchronous = FULL`), and what it deleted is overwritten there. Statements throw a StoreError
 * `disk_full` or `locked` where that is what is wrong. A fault that ends the thread ends the program.
 *
 * @param encryptionKeys what turns decrypt with
 * @throws StoreError `bad_folder` when the file is not a database or cannot be written
 */
export async function openDatabase(file: string, encryptionKeys: readonly Secret[]): Promise<OpenDatabase> {
  const db = databaseOver({ run: (statement) => ask({ kind: 'statement', ...statement }), close });
  const data: DatabaseThreadData = {
    file,
    encryptionKeys: encryptionKeys.map((key) => key.reveal()),
    turnStatements: turnStatements(db),
  };
  const worker = new Worker(new URL('./database-thread.ts', import.meta.url), { workerData: data });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const [opened]: Answer[] = await once(worker, 'message');
  if (opened?.kind !== 'done') {
    await ended;
    throw new StoreError('bad_folder', `The database ${file} cannot be opened: ${opened?.message}.`, {
      cause: opened && errorOf(opened),
    });
  }

  /** Who waits for an answer, the first one for the first. */
  const waiting: PromiseWithResolvers<Answer>[] = [];
  let closed = false;
  worker.on('message', (answer: Answer) => waiting.shift()?.resolve(answer));
  worker.once('exit', () => {
    for (const { reject } of waiting.splice(0)) reject(isClosed());
  });

  async function ask(question: Question): Promise<Done> {
    if (closed) throw isClosed();
    const asked = Promise.withResolvers<Answer>();
    waiting.push(asked);
    worker.postMessage(question);
    const answer = await asked.promise;
    if (answer.kind === 'failed') throw errorOf(answer);
    return answer;
  }

  function close(): Promise<void> {
    const question: Question = { kind: 'close' };
    if (!closed) worker.postMessage(question);
    closed = true;
    return ended;
  }

  return {
    db,
    async takeTurn(turn) {
      const question: Question = { kind: 'turn', turn: JSON.stringify(turn) };
      // As whoever has the connection: a transaction of someone else's ends before.
      const { turned } = await db.connection().execute(() => ask(question));
      return turned;
    },
    close,
  };
}

/**
 * Takes what was deleted out of the write-ahead log as well, which else keeps it until it is written over. Where another
 * program is reading, it stays until the next time.
 */
export async function emptyLog(db: Kysely<Schema>): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

const isClosed = () => new Error('The database is closed');

/** What was thrown in the thread. What can be wrong with the disk is put into the store's own words. */
function errorOf({ message, code, fault }: Failed): Error {
  if (fault !== undefined) return new StoreError(fault, message);
  if (code === undefined) return new Error(message);
  const cause = new Database.SqliteError(message, code);
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') {
    return new StoreError('disk_full', 'The disk with the data folder is full. Make room on it.', { cause });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    const told = 'Another program holds the database in the data folder. Close that program.';
    return new StoreError('locked', told, { cause });
  }
  return cause;
}
