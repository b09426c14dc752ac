import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../lib/time/clock.ts';
import { isPostgres } from './dialect.ts';

/**
 * Returns the milliseconds since 1970, in a statement: by the database's own clock where several instances share it, whose
 * clocks may differ.
 */
export function databaseNow<Tables>(db: Kysely<Tables>, clock: Clock): () => RawBuilder<number> {
  return isPostgres(db)
    ? () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : () => sql<number>`${clock().getTime()}`;
}
