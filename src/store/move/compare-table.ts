import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { type Cell, keyOf, type MovedTable } from './cells.ts';
import { type ReadPage, tablePages } from './read-source.ts';
import { digestTable, type TableDigest } from './table-digest.ts';
import { readTargetRows } from './target-rows.ts';

/**
 * Reads a table in both databases, each by its own primary keys, and compares the number of rows and a hash of all of them.
 *
 * @param onRows called with how many rows were read by now
 * @returns how many rows there are, and how the two differ, as a sentence; undefined where they do not
 */
export async function compareTable(
  table: MovedTable,
  read: ReadPage,
  target: Kysely<Schema>,
  onRows: (rows: number) => void,
): Promise<{ rows: number; difference: string | undefined }> {
  const ofSource = digestTable(table);
  const ofTarget = digestTable(table);
  let after: Cell[] | undefined;
  let rows = 0;
  const readTarget = async (limit: number) => {
    const found = await readTargetRows(target, table, { after, limit });
    ofTarget.add(found);
    const last = found.at(-1);
    after = last === undefined ? after : keyOf(table, last);
    return found.length;
  };
  for (const page of tablePages(table, read)) {
    // As many rows as the page has: the bytes of a page are limited too.
    const reading = readTarget(page.length);
    ofSource.add(page);
    await reading;
    rows += page.length;
    onRows(rows);
  }
  await readTarget(1);
  return { rows, difference: differenceOf(table.name, ofSource.end(), ofTarget.end()) };
}

function differenceOf(name: string, source: TableDigest, target: TableDigest): string | undefined {
  if (source.rows !== target.rows) {
    const [most, least] = source.rows > target.rows ? ['SQLite', 'PostgreSQL'] : ['PostgreSQL', 'SQLite'];
    return `The table ${name} has more rows in ${most} than in ${least}.`;
  }
  return source.sha256 === target.sha256
    ? undefined
    : `The table ${name} has other values in PostgreSQL than in SQLite.`;
}
