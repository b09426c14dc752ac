import type Database from 'better-sqlite3';
import { type Cell, keyOf, type MovedTable, sizeOf, toCell } from './cells.ts';

/** The most rows that are in memory at once, and roughly the most bytes of them. */
export interface PageLimits {
  rows: number;
  bytes: number;
}

/** Reads the rows of a table in the order of the primary key: those after a key, from the first without one. */
export type ReadPage = (after: readonly Cell[] | undefined) => Cell[][];

const quote = (name: string) => `"${name}"`;

export function createTableReader(
  sqlite: Database.Database,
  table: MovedTable,
  limits: PageLimits,
): ReadPage {
  const columns = table.columns.map(({ name }) => quote(name)).join();
  const key = table.key.map((index) => quote(table.columns[index]?.name ?? '')).join();
  const prepare = (where: string) =>
    sqlite
      .prepare<unknown[], unknown[]>(
        `select ${columns} from ${quote(table.name)} ${where} order by ${key} limit ${limits.rows}`,
      )
      .safeIntegers()
      .raw();
  const first = prepare('');
  const next = prepare(`where (${key}) > (${table.key.map(() => '?').join()})`);
  return (after) => {
    const rows: Cell[][] = [];
    let bytes = 0;
    for (const values of after === undefined ? first.iterate() : next.iterate(...after)) {
      const row = table.columns.map((column, index) => toCell(values[index], table.name, column));
      rows.push(row);
      bytes += sizeOf(row);
      if (bytes >= limits.bytes) {
        break;
      }
    }
    return rows;
  };
}

export function countRows(sqlite: Database.Database, { name }: MovedTable): number {
  const row = sqlite.prepare<[], { rows: number }>(`select count(*) as rows from ${quote(name)}`).get();
  return row?.rows ?? 0;
}

/** Returns all rows of a table, page by page. */
export function* tablePages(table: MovedTable, read: ReadPage): Generator<Cell[][], void> {
  for (let page = read(undefined); page.length > 0; page = read(keyOf(table, page.at(-1) ?? []))) {
    yield page;
  }
}
