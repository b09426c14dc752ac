import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { StoreError } from '../errors.ts';
import type { StoreMoveRow } from '../installation/store-move.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { Cell, MovedTable } from './cells.ts';

const tableSchema = z.object({
  /** How many rows were copied. */
  rows: z.number(),
  /** The primary key of the last of them; integers as text. */
  after: z.array(z.union([z.string(), z.number()])),
});
const tablesSchema = z.record(z.string(), tableSchema);

type CopiedTable = z.infer<typeof tableSchema>;

/** How far a move is, as PostgreSQL knows it. */
export interface MoveProgress {
  row(): StoreMoveRow;
  /** Returns how many rows of a table were copied, and after which primary key the next ones begin. */
  of(table: MovedTable): { rows: number; after: Cell[] | undefined };
  /**
   * Performs `work` in a transaction, in which the row of the move is changed too, so that both are done or neither is.
   *
   * @throws StoreError `in_use` where another program goes on with this move
   */
  advance<Result>(
    change: Partial<Pick<StoreMoveRow, 'finished_at' | 'restored' | 'source_state'>> & {
      copied?: { table: MovedTable; rows: number; last: readonly Cell[] } | undefined;
    },
    work: (transaction: Transaction<Schema>) => Promise<Result>,
  ): Promise<Result>;
}

export function createMoveProgress(db: Kysely<Schema>, begun: StoreMoveRow): MoveProgress {
  let row = begun;
  let tables = tablesSchema.parse(JSON.parse(begun.tables));
  return {
    row: () => row,
    of(table) {
      const copied = tables[table.name];
      return { rows: copied?.rows ?? 0, after: copied && readKey(table, copied) };
    },
    async advance({ copied, ...columns }, work) {
      // Once it is complete no key stays here: its row may be deleted later.
      const former = columns.finished_at === undefined ? tables : {};
      const nextTables =
        copied === undefined
          ? former
          : { ...former, [copied.table.name]: { rows: copied.rows, after: copied.last.map(writeKeyCell) } };
      const next = { ...row, ...columns, tables: JSON.stringify(nextTables), step: row.step + 1 };
      const result = await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('store_move')
          .set(next)
          .where('move', '=', row.move)
          .where('step', '=', row.step)
          .where('finished_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) {
          throw new StoreError(
            'in_use',
            'Another `npm run migrate-store` goes on with this move. Wait until that one has ended.',
          );
        }
        return work(transaction);
      });
      row = next;
      tables = nextTables;
      return result;
    },
  };
}

function writeKeyCell(cell: Cell): string | number {
  if (typeof cell === 'bigint') {
    return cell.toString();
  }
  if (typeof cell === 'string' || typeof cell === 'number') {
    return cell;
  }
  throw new TypeError('A primary key of another type');
}

function readKey({ columns, key }: MovedTable, { after }: CopiedTable): Cell[] {
  return after.map((cell, index) => (columns[key[index] ?? -1]?.kind === 'integer' ? BigInt(cell) : cell));
}
