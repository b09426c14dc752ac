import type { Kysely, Selectable } from 'kysely';
import { StoreError } from '../errors.ts';
import type { Schema } from '../schema.ts';

export interface StoreMoveTables {
  /** One row, whose `id` is 1, where the data was moved here from SQLite or is being moved; none on SQLite. */
  store_move: {
    id: number;
    /** Names the move. The folder that the data is from has it too, see `MovedMark`. */
    move: string;
    /** The database file that the data is from, see `identityOf`. */
    source: string;
    /** The state of the source when the move began: what was copied is of that one. */
    source_state: string;
    /** Whether the data counts as restored or copied, see `TakeoverReason`. */
    restored: 0 | 1;
    /** Counts the changes of this row: of two programs that move into one database, one goes on. */
    step: number;
    /** How far the tables are, as JSON; see `MoveProgress`. */
    tables: string;
    /** In milliseconds since 1970. */
    begun_at: number;
    /** Null: what is here is not complete, and is not to be used. */
    finished_at: number | null;
  };
}

export type StoreMoveRow = Selectable<StoreMoveTables['store_move']>;

/**
 * Refuses data that is being moved here.
 *
 * @throws StoreError `moved`
 */
export async function refuseUnfinishedMove(db: Kysely<Schema>): Promise<void> {
  const row = await db
    .selectFrom('store_move')
    .select('begun_at')
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  if (row !== undefined) {
    throw new StoreError(
      'moved',
      `The move of the data to this PostgreSQL database, begun at ${new Date(row.begun_at).toISOString()}, is not ` +
        'complete. Run `npm run migrate-store` again with the DATA_DIR that it is from: it goes on where it stopped. ' +
        'Or unset DATABASE_URL to go on with the data in that folder.',
    );
  }
}
