import type { Kysely } from 'kysely';
import type { KnownTime } from '../../lib/time/trusted-time.ts';
import type { Schema } from '../schema.ts';

export interface KnownTimeTables {
  /** One row, whose `id` is 1. See `KnownTime`. */
  known_time: {
    id: number;
    wall: number;
    uptime: number;
    start_from: number;
    delete_from: number;
  };
}

/** What was known of the time when the program ran last, so that a start with a wrong clock is noticed. */
export interface KnownTimeRepository {
  read(): Promise<KnownTime | undefined>;
  write(known: KnownTime): Promise<void>;
}

export function createKnownTimeRepository(db: Kysely<Schema>): KnownTimeRepository {
  return {
    async read() {
      const row = await db.selectFrom('known_time').selectAll().executeTakeFirst();
      return (
        row && { wall: row.wall, uptime: row.uptime, startFrom: row.start_from, deleteFrom: row.delete_from }
      );
    },
    async write({ wall, uptime, startFrom, deleteFrom }) {
      const columns = { wall, uptime, start_from: startFrom, delete_from: deleteFrom };
      await db
        .insertInto('known_time')
        .values({ id: 1, ...columns })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
        .execute();
    },
  };
}
