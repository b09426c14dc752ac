import { type Kysely, sql } from 'kysely';

/**
 * From now on, the first statement that updates the row of a table where a column has this value is undone, as PostgreSQL
 * does where two wait for each other: which of the two that would be is a matter of time.
 *
 * @returns what tells how often the row was come to
 */
export async function undoOnce<Tables>(
  db: Kysely<Tables>,
  { table, column, value }: { table: string; column: string; value: string },
): Promise<() => Promise<number>> {
  await sql`create sequence undone_once`.execute(db);
  await sql`create function undo_once() returns trigger language plpgsql as $$
    begin
      if new.${sql.ref(column)}::text = ${sql.lit(value)} and nextval('undone_once') = 1 then
        raise exception using errcode = 'deadlock_detected';
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger undo_once before update on ${sql.table(table)}
    for each row execute function undo_once()`.execute(db);
  return async () => {
    const { rows } = await sql<{ times: number }>`select last_value as times from undone_once`.execute(db);
    return rows[0]?.times ?? 0;
  };
}
