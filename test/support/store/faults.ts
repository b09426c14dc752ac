import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../../src/store/engine/dialect.ts';

export type Change = 'insert' | 'update' | 'delete';

/** Makes every such change of a table's rows fail with “broken”. Returns what repairs it. */
export async function breakTable<Tables>(
  db: Kysely<Tables>,
  table: string,
  change: Change,
  name = 'broken',
): Promise<() => Promise<void>> {
  const when = sql.raw(change);
  const fault = sql.id(name);
  if (!isPostgres(db)) {
    await sql`create trigger ${fault} before ${when} on ${sql.table(table)} begin select raise(abort, 'broken'); end`.execute(
      db,
    );
    return async () => void (await sql`drop trigger ${fault}`.execute(db));
  }
  await sql`
    create function ${fault}() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`.execute(
    db,
  );
  await sql`
    create trigger ${fault} before ${when} on ${sql.table(table)} for each row execute function ${fault}()`.execute(
    db,
  );
  return async () => void (await sql`drop function ${fault} cascade`.execute(db));
}
