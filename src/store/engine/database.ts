import type { Kysely, LogEvent } from 'kysely';
import { retryDelays } from '../../lib/time/retry-delays.ts';
import type { Timers } from '../../lib/time/timers.ts';

/** Called with each statement that ended. */
export type OnStatement = (statement: { took: number; failed: boolean }) => void;

/** Kysely's events, as they are counted. */
export function statementLogger(onStatement: OnStatement): (event: LogEvent) => void {
  return ({ level, queryDurationMillis }) =>
    onStatement({ took: queryDurationMillis, failed: level === 'error' });
}

/** What both databases can do. Statements throw a StoreError where the database, not the statement, is the cause. */
export interface DatabaseEngine<Tables> {
  db: Kysely<Tables>;
  /** Resolves when something could be written; throws what a statement throws. */
  probe(): Promise<void>;
  retryWrite: RetryWrite;
  /** The connections to PostgreSQL, and how many statements wait for one. Undefined on SQLite. */
  connections?: (() => { busy: number; idle: number; waiting: number }) | undefined;
  /**
   * Removes deleted and replaced values from SQLite's files: at once, or as soon as no other program is reading.
   * PostgreSQL does that in its own time, so there it does nothing.
   */
  purge(): Promise<void>;
  /** Waits for statements in progress. May be called twice. */
  close(): Promise<void>;
}

/**
 * Makes a write whose content is known to this process alone, such as the outcome of a request. Throws the error of the
 * first attempt; the write is then retried every second in the background, until it succeeds or the database is closed.
 */
export type RetryWrite = (write: () => Promise<unknown>) => Promise<void>;

/** @param closing aborted when the database is closed */
export function createRetryWrite(timers: Timers, closing: AbortSignal): RetryWrite {
  async function retry(write: () => Promise<unknown>): Promise<void> {
    while (!closing.aborted) {
      await timers.sleep(retryDelays.write.firstMs, closing);
      try {
        await write();
        return;
      } catch {
        // Retried.
      }
    }
  }

  return async (write) => {
    try {
      await write();
    } catch (error) {
      void retry(write);
      throw error;
    }
  };
}
