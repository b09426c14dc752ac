import { DatabaseError } from 'pg';
import { StoreError } from '../errors.ts';
import { type Cell, keyOf, type MovedTable } from './cells.ts';
import type { MoveProgress } from './move-progress.ts';
import type { ReadPage } from './read-source.ts';
import { addTargetRows } from './target-rows.ts';

/**
 * Copies the rows of a table that were not copied yet: page by page, each in one transaction with the progress. The next
 * page is read while one is written.
 *
 * @param onRows called with how many rows there are by now
 */
export async function copyTable(
  table: MovedTable,
  read: ReadPage,
  progress: MoveProgress,
  onRows: (rows: number) => void,
): Promise<void> {
  let { rows, after } = progress.of(table);
  let page = read(after);
  while (page.length > 0) {
    rows += page.length;
    after = keyOf(table, page.at(-1) ?? []);
    const writing = writePage(table, page, progress, { rows, last: after });
    // Read meanwhile; an error of the writing comes first.
    const next = Promise.try(() => read(after));
    await Promise.all([writing, next]);
    page = await next;
    onRows(rows);
  }
}

async function writePage(
  table: MovedTable,
  page: Cell[][],
  progress: MoveProgress,
  { rows, last }: { rows: number; last: readonly Cell[] },
): Promise<void> {
  try {
    await progress.advance({ copied: { table, rows, last } }, (transaction) =>
      addTargetRows(transaction, table, page),
    );
  } catch (error) {
    throw error instanceof DatabaseError && error.code === uniqueViolation ? foreignRows(table) : error;
  }
}

/** The SQLSTATE. */
const uniqueViolation = '23505';

function foreignRows({ name }: MovedTable): StoreError {
  return new StoreError(
    'other_data',
    `The table ${name} of the PostgreSQL database has rows that this move did not copy: another program writes there. ` +
      'Make an empty database, set DATABASE_URL to it, and begin again.',
  );
}
