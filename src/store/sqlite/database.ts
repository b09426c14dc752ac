import { type Kysely, sql } from 'kysely';
import type { Secret } from '../../lib/secret.ts';
import {
  claimStatements,
  type SettleAndClaim,
  type SettledAndClaimed,
} from '../campaigns/sending/claim-statements.ts';
import { StoreError } from '../errors.ts';
import type { Counting } from './write-counter.ts';
import { databaseOver } from './kysely-dialect.ts';
import { retryWrite } from '../retry-write.ts';
import type { Schema } from '../schema.ts';
import { askDatabase } from './worker-client.ts';

export interface OpenDatabase {
  db: Kysely<Schema>;
  /** See `Campaigns.turn`. */
  takeTurn(turn: SettleAndClaim): Promise<SettledAndClaimed | undefined>;
  /** From now on every transaction that writes is counted and marked; it throws a StoreError `data_gone`. */
  count(counting: Counting): Promise<void>;
  /** Resolves when something could be written down; throws what a statement throws. */
  probe(): Promise<void>;
  /** Takes what was deleted or replaced out of the files as well: at once, or as soon as no other program is reading. */
  purge(): Promise<void>;
  /** Again is fine. */
  close(): Promise<void>;
}

/**
 * Opens the SQLite database, creating it where there is none; it works in another thread. What a statement wrote is on
 * the disk when it resolves (`synchronous = FULL`), and what it deleted is overwritten there. Statements throw a
 * StoreError `disk_full`, `disk_fault` or `locked` where that is what is wrong.
 *
 * @param encryptionKeys what turns decrypt with
 * @throws StoreError `bad_folder` when the file is not a database or cannot be written
 */
export async function openDatabase(file: string, encryptionKeys: readonly Secret[]): Promise<OpenDatabase> {
  const ask = askDatabase();
  const db = databaseOver((statement) => ask({ kind: 'statement', ...statement }));
  let closing: Promise<unknown> | undefined;

  try {
    await ask({
      kind: 'open',
      file,
      encryptionKeys: encryptionKeys.map((key) => key.reveal()),
      turnStatements: claimStatements(db),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    throw new StoreError('bad_folder', `The database ${file} cannot be opened: ${reason}.`, { cause: error });
  }
  return {
    db,
    async takeTurn(turn) {
      // As whoever has the connection: a transaction of someone else's ends before.
      const text = JSON.stringify(turn);
      const { turned } = await db.connection().execute(() => ask({ kind: 'turn', turn: text }));
      return turned;
    },
    async count(counting) {
      await db.connection().execute(() => ask({ kind: 'count', ...counting }));
    },
    async probe() {
      await db.connection().execute(() => ask({ kind: 'probe' }));
    },
    purge: createPurge(db),
    async close() {
      // As whoever has the connection: what is under way ends before.
      closing ??= db.connection().execute(() => ask({ kind: 'close' }));
      await closing;
    },
  };
}

/**
 * Returns what takes deleted and replaced values out of the write-ahead log as well, which else keeps them until it is
 * written over. Where another program is reading, or the disk is full, it is tried again until it is done, or the
 * database is closed: at most once at a time, however often it is asked for meanwhile.
 */
function createPurge(db: Kysely<Schema>): () => Promise<void> {
  let retrying = false;
  const empty = () => db.connection().execute(truncateLog);
  return async () => {
    if (retrying) {
      return;
    }
    try {
      await empty();
    } catch {
      retrying = true;
      void retryWrite(async () => {
        await empty();
        retrying = false;
      }).catch(() => {});
    }
  };
}

/** Does not wait for a reader: all other statements would wait with it. */
async function truncateLog(connection: Kysely<Schema>): Promise<void> {
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
