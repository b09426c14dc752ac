import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { StoreError } from '../errors.ts';
import type { Done, Failed, Question, WorkerRequest, WorkerResponse } from './worker.ts';

/** Asks the thread about one database. */
type Ask = (question: Question) => Promise<Done>;

let started: (() => Ask) | undefined;

/**
 * Gives what asks about one more database, in the thread in which all of this program's databases work. It keeps the
 * program alive while an answer is awaited, and no longer; a fault that ends it ends the program, like any that nobody
 * catches.
 */
export function askDatabase(): Ask {
  started ??= startThread();
  return started();
}

function startThread(): () => Ask {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  /** Who waits for an answer, the first one for the first. */
  const waiting: PromiseWithResolvers<WorkerResponse>[] = [];
  worker.on('message', (answer: WorkerResponse) => {
    waiting.shift()?.resolve(answer);
    if (waiting.length === 0) {
      worker.unref();
    }
  });
  worker.unref();
  let databases = 0;
  return () => {
    databases += 1;
    const database = databases;
    return async (question) => {
      const asked: WorkerRequest = { database, question };
      worker.postMessage(asked);
      // Only now: what cannot be sent is not answered either.
      const answering = Promise.withResolvers<WorkerResponse>();
      waiting.push(answering);
      worker.ref();
      const answer = await answering.promise;
      if (answer.kind === 'failed') {
        throw errorOf(answer);
      }
      return answer;
    };
  };
}

/** What was thrown in the thread. What can be wrong with the disk is put into the store's own words. */
function errorOf({ message, code, fault }: Failed): Error {
  if (fault !== undefined) {
    return new StoreError(fault, message);
  }
  if (code === undefined) {
    return new Error(message);
  }
  const cause = code.startsWith('SQLITE_') ? new Database.SqliteError(message, code) : new Error(message);
  if (full.has(code)) {
    return new StoreError('disk_full', 'The disk with the data folder is full. Make room on it.', { cause });
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_IOERR')) {
    const told = `The disk with the data folder is read-only, or fails (${code}). Look at it.`;
    return new StoreError('disk_fault', told, { cause });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    const told = 'Another program holds the database in the data folder. Close that program.';
    return new StoreError('locked', told, { cause });
  }
  return cause;
}

/** SQLite's own, and those of the operating system. */
const full: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT']);
