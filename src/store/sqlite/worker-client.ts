import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { StoreError } from '../errors.ts';
import type { WorkerFailure, WorkerMessage, WorkerRequest, WorkerResponse, WorkerResult } from './worker.ts';

/** Sends a request about one database to the thread. Throws what was thrown there. */
export type SendToWorker = (request: WorkerRequest) => Promise<WorkerResult>;

/** By the file that they run. */
const threads = new Map<string, () => SendToWorker>();

/**
 * Returns what sends requests about one more database to the thread that runs `entry`; all databases of this process
 * share the thread. It keeps the process running while a response is awaited, and no longer. An error that ends the
 * thread ends the process, as any uncaught error does.
 *
 * @param entry a module that calls `serveDatabases`
 */
export function connectDatabase(entry: URL): SendToWorker {
  const connect = threads.get(entry.href) ?? startThread(entry);
  threads.set(entry.href, connect);
  return connect();
}

function startThread(entry: URL): () => SendToWorker {
  const worker = new Worker(entry);
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

/** Returns what was thrown in the thread. What is wrong with the disk becomes a StoreError. */
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
