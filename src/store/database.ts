import type { Kysely } from 'kysely';
import type { RetryWrite } from './retry-write.ts';

/** What both databases can do. Statements throw a StoreError where the database, not the statement, is the cause. */
export interface DatabaseEngine<Tables> {
  db: Kysely<Tables>;
  /** Resolves when something could be written; throws what a statement throws. */
  probe(): Promise<void>;
  retryWrite: RetryWrite;
  /**
   * Removes deleted and replaced values from SQLite's files: at once, or as soon as no other program is reading.
   * PostgreSQL does that in its own time, so there it does nothing.
   */
  purge(): Promise<void>;
  /** Waits for what is in progress. May be called twice. */
  close(): Promise<void>;
}
