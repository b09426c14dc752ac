import { StoreError } from '../errors.ts';

/** The types that the columns of both databases have. */
export type CellKind = 'integer' | 'double' | 'text' | 'bytes';

/** A value as both databases hold it: integers have 64 bits, which JavaScript's numbers do not. */
export type Cell = bigint | number | string | Uint8Array | null;

export interface MovedColumn {
  name: string;
  kind: CellKind;
}

export interface MovedTable {
  name: string;
  columns: readonly MovedColumn[];
  /** Where the columns of the primary key are in `columns`, in the order of the key. */
  key: readonly number[];
}

/**
 * Returns a value that SQLite holds as one of its column, in which SQLite would also take any other.
 *
 * @throws StoreError `unreadable`, naming table and column, for one that PostgreSQL cannot hold there
 */
export function toCell(value: unknown, table: string, { name, kind }: MovedColumn): Cell {
  if (value === null) {
    return null;
  }
  if (kind === 'integer' && typeof value === 'bigint') {
    return value;
  }
  // Zero has no sign in SQLite.
  if (kind === 'double' && typeof value === 'number') {
    return value + 0;
  }
  if (kind === 'text' && typeof value === 'string' && !value.includes('\0')) {
    return value;
  }
  if (kind === 'bytes' && value instanceof Uint8Array) {
    return value;
  }
  const what = typeof value === 'string' && kind === 'text' ? 'a text with a NUL character' : 'not its type';
  throw new StoreError(
    'unreadable',
    `A value in ${table}.${name} of SQLite is ${what}, which PostgreSQL cannot hold. Nothing was lost: the data in ` +
      'the folder is as it was.',
  );
}

/** Returns the cells of a row's primary key. */
export function keyOf({ key }: MovedTable, row: readonly Cell[]): Cell[] {
  return key.map((index) => row[index] ?? null);
}

/** Roughly how much memory a row takes, in bytes. */
export function sizeOf(row: readonly Cell[]): number {
  return row.reduce((sum: number, cell) => {
    const length = typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 0;
    return sum + length + 16;
  }, 0);
}
