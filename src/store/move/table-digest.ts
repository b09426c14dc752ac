import { createHash } from 'node:crypto';
import type { Cell, MovedTable } from './cells.ts';

/** What is compared of a table in two databases: they hold the same where both are equal. */
export interface TableDigest {
  rows: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface DigestOfTable {
  /** Takes rows in the order of the primary key, with their cells in the order of the columns. */
  add(rows: readonly (readonly Cell[])[]): void;
  end(): TableDigest;
}

/** Begins the digest of a table: its name, its columns, and each cell of each row, see `encodeCells`. */
export function digestTable({ name, columns }: Pick<MovedTable, 'name' | 'columns'>): DigestOfTable {
  const hash = createHash('sha256');
  hash.update(encodeCells([name, ...columns.flatMap((column) => [column.name, column.kind])]));
  let count = 0;
  return {
    add(rows) {
      count += rows.length;
      for (const row of rows) {
        hash.update(encodeCells(row));
      }
    },
    end: () => ({ rows: count, sha256: hash.digest('hex') }),
  };
}

/** Before each cell. */
const tags = { null: 0, integer: 1, double: 2, text: 3, bytes: 4 } as const;

/**
 * Returns cells as bytes, of which no others have the same: a tag, then 8 bytes of an integer or a double with the highest
 * first, or the length in 4 bytes and then UTF-8 or the bytes themselves.
 */
export function encodeCells(cells: readonly Cell[]): Buffer {
  return Buffer.concat(cells.map(encodeCell));
}

function encodeCell(cell: Cell): Buffer {
  if (cell === null) {
    return Buffer.of(tags.null);
  }
  if (typeof cell === 'bigint') {
    const bytes = tagged(tags.integer, 8);
    bytes.writeBigInt64BE(cell, 1);
    return bytes;
  }
  if (typeof cell === 'number') {
    const bytes = tagged(tags.double, 8);
    bytes.writeDoubleBE(cell, 1);
    return bytes;
  }
  const tag = typeof cell === 'string' ? tags.text : tags.bytes;
  const content = typeof cell === 'string' ? Buffer.from(cell) : cell;
  const head = tagged(tag, 4);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

function tagged(tag: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length + 1);
  bytes[0] = tag;
  return bytes;
}
