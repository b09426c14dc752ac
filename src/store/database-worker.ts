import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { Answer, Asked, Done, Failed, Question } from './database-thread.ts';
import { StoreError } from './errors.ts';

export interface DatabaseThread {
  /** For one more database: gives what asks about it. */
  enter(): (question: Question) => Promise<Done>;
  /** Of a database that is closed. Without any, the thread keeps the program alive no longer. */
  leave(): void;
}

let started: DatabaseThread | undefined;

/**
 * The thread in which this program's databases work. A fault that ends it ends the program, like any that nobody
 * catches.
 */
export function databaseThread(): DatabaseThread {
  started ??= startThread();
  return started;
}

function startThread(): DatabaseThread {
  const worker = new Worker(new URL('./database-thread.ts', import.meta.url));
  /** Who waits for an answer, the first one for the first. */
  const waiting: PromiseWithResolvers<Answer>[] = [];
  worker.on('message', (answer: Answer) => waiting.shift()?.resolve(answer));
  let databases = 0;
  let open = 0;
  return {
    enter() {
      databases += 1;
      open += 1;
      worker.ref();
      const database = databases;
      return async (question) => {
        const asked: Asked = { database, question };
        const answering = Promise.withResolvers<Answer>();
        waiting.push(answering);
        worker.postMessage(asked);
        const answer = await answering.promise;
        if (answer.kind === 'failed') throw errorOf(answer);
        return answer;
      };
    },
    leave() {
      open -= 1;
      if (open === 0) worker.unref();
    },
  };
}

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
