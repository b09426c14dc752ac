import type { Kysely } from 'kysely';
import { type Clock, machineClocks } from '../../lib/time/clock.ts';
import { systemTimers } from '../../lib/time/timers.ts';
import { openInstanceDir } from '../data-dir/data-dir.ts';
import { type MovedMark, readMovedMark, writeMovedMark } from '../data-dir/moved-mark.ts';
import { createEncryption } from '../encryption/cipher.ts';
import { StoreError } from '../errors.ts';
import { type Machine, readMachine } from '../installation/machine.ts';
import type { StoreMoveRow } from '../installation/store-move.ts';
import { migrate } from '../migrations/migrate.ts';
import type { DataOptions } from '../open-data.ts';
import type { PostgresOptions } from '../postgres/connection.ts';
import { openPostgres } from '../postgres/database.ts';
import type { Schema } from '../schema.ts';
import { compareTable } from './compare-table.ts';
import { copyTable } from './copy-table.ts';
import { checkMoved, finishMove, moveSequences } from './finish-move.ts';
import { createMoveProgress, type MoveProgress } from './move-progress.ts';
import { type MoveSource, openMoveSource } from './move-source.ts';
import { beginMove, findMove, refuseOthers } from './move-target.ts';
import { countRows, createTableReader, type PageLimits } from './read-source.ts';
import { listMovedTables } from './tables.ts';

/** Told as a move goes on. Names tables and numbers of rows, and no value. */
export interface MoveReport {
  /** The data in the folder has changed since the move began: it begins once more. */
  again(): void;
  rows(work: 'copied' | 'compared', table: string, rows: number, of: number): void;
  /** The audit was checked: how many entries it has, and how many problems, which it had before the move. */
  audit(entries: number, problems: number): void;
}

export interface MoveResult {
  /** Whether it was complete before. */
  wasComplete: boolean;
  at: Date;
  /** How many rows were moved; undefined where that was done before. */
  rows?: number | undefined;
  /** How many campaigns were paused, as the data counts as restored or copied. */
  heldCampaigns?: number | undefined;
}

export interface MoveOptions extends Pick<DataOptions, 'dataDir' | 'encryptionKeys'> {
  postgres: PostgresOptions;
  report: MoveReport;
  clock?: Clock | undefined;
  /** Read from the system when left out. */
  machine?: Machine | undefined;
  /** How much is in memory at once. */
  pages?: PageLimits | undefined;
}

const usualPages = { rows: 2_000, bytes: 2 << 20 };

/**
 * Moves the data of a folder from SQLite to PostgreSQL. The program can start on neither of the two in the midst of its end,
 * and on PostgreSQL only once everything there was compared. Cut off anywhere, it goes on when it is called again; once it
 * is complete, it changes nothing.
 *
 * @throws StoreError that says what is in the way
 */
export async function moveStore(options: MoveOptions): Promise<MoveResult> {
  const { dataDir, postgres } = options;
  const { db, close } = await openPostgres<Schema>(postgres, { timers: systemTimers });
  try {
    const found = await findMove(db);
    const completed = refuseMovedElsewhere(dataDir, found.move);
    if (completed !== undefined) {
      noteCompletion(dataDir, completed, options.clock);
      return { wasComplete: true, at: new Date(completed.at) };
    }
    return await moveInto(db, found, options);
  } finally {
    await close();
  }
}

/**
 * Returns the mark of the folder where its data is in this database.
 *
 * @throws StoreError `moved` where it is in another one
 */
function refuseMovedElsewhere(dataDir: string, move: StoreMoveRow | undefined): MovedMark | undefined {
  const mark = readMovedMark(dataDir);
  if (mark !== undefined && mark.move !== move?.move) {
    throw new StoreError(
      'moved',
      `The data of ${dataDir} was moved to another PostgreSQL database at ${mark.at}. Set DATABASE_URL to that one. ` +
        'Where it is lost and nothing was sent from it, run `npm run restored` without DATABASE_URL, which makes the ' +
        'data of the folder usable again, and then this command.',
    );
  }
  return move?.finished_at === null ? undefined : mark;
}

/** What was cut off after the move was complete. Where an instance has the folder by now, it is left for later. */
function noteCompletion(dataDir: string, mark: MovedMark, clock: Clock = machineClocks.wall): void {
  if (mark.state === 'moved') {
    return;
  }
  let folder: ReturnType<typeof openInstanceDir>;
  try {
    folder = openInstanceDir(dataDir, clock);
  } catch {
    return;
  }
  try {
    writeMovedMark(dataDir, { ...mark, state: 'moved' });
  } finally {
    folder.release();
  }
}

async function moveInto(
  db: Kysely<Schema>,
  found: Awaited<ReturnType<typeof findMove>>,
  { dataDir, encryptionKeys, clock = machineClocks.wall, machine = readMachine(), ...options }: MoveOptions,
): Promise<MoveResult> {
  const encryption = createEncryption(encryptionKeys);
  const source = await openMoveSource(dataDir, { encryption, clock, machine });
  try {
    // Before anything is changed there, its tables included.
    await refuseOthers(db, found, source);
    // As it is now that nobody else uses the folder.
    const mark = readMovedMark(dataDir);
    await migrate(db);
    const tables = await listMovedTables(source.db, db);
    const { row, isAgain } = await beginMove(db, { source, tables, now: clock() });
    if (isAgain) {
      options.report.again();
    }
    const progress = createMoveProgress(db, row);
    const rows = await copyAndCompare(db, { source, tables, progress, ...options });
    await moveSequences(source.db, db);
    const { entries, problems } = await checkMoved(source, db, encryption);
    options.report.audit(entries, problems);
    const now = clock();
    const finished = await finishMove({ source, target: db, progress, dataDir, mark, now });
    return { wasComplete: false, at: now, rows, ...finished };
  } finally {
    source.close();
  }
}

/** Returns how many rows there are. */
async function copyAndCompare(
  db: Kysely<Schema>,
  {
    source,
    tables,
    progress,
    pages = usualPages,
    report,
  }: Pick<MoveOptions, 'pages' | 'report'> & {
    source: MoveSource;
    tables: Awaited<ReturnType<typeof listMovedTables>>;
    progress: MoveProgress;
  },
): Promise<number> {
  const all = tables.map((table) => ({
    table,
    read: createTableReader(source.sqlite, table, pages),
    count: countRows(source.sqlite, table),
  }));
  for (const { table, read, count } of all) {
    await copyTable(table, read, progress, (rows) => report.rows('copied', table.name, rows, count));
  }
  let total = 0;
  for (const { table, read, count } of all) {
    const { rows, difference } = await compareTable(table, read, db, (read) =>
      report.rows('compared', table.name, read, count),
    );
    if (difference !== undefined) {
      // No state of the data is this: the next run begins once more.
      await progress.advance({ source_state: '' }, async () => {});
      throw new StoreError(
        'unreadable',
        `${difference} PostgreSQL is not used, and the data in the folder is as it was. Run the command again: it copies ` +
          'everything once more. If they differ again, another program writes to one of them.',
      );
    }
    total += rows;
  }
  return total;
}
