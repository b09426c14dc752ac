import type { Kysely } from 'kysely';
import type { KnownTime } from '../../lib/time.ts';
import type { Schema } from '../schema.ts';

/** What the program knew of the time when it ran last: a start with a wrong clock is noticed by it. */
export interface KnownTimeRepository {
  read(): Promise<KnownTime | undefined>;
  write(known: KnownTime): Promise<void>;
}

const theOne = 1;

/** In the one row of the table `known_time`. */
export function createKnownTime(db: Kysely<Schema>): KnownTimeRepository {
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
        .values({ id: theOne, ...columns })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
        .execute();
    },
  };
}
