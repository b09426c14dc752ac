import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createTables } from './create-tables.ts';
import { isPostgres } from './dialect.ts';
import { StoreError } from './errors.ts';

/** Made from the declaration of the tables. */
const firstTables: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of createTables(isPostgres(db) ? 'postgres' : 'sqlite')) {
      await sql.raw(statement).execute(db);
    }
  },
};

/** In the order of their names. What has been released is never changed: the next change is the next migration. */
const released: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
};

/**
 * Brings the tables up to date, all of it or nothing. Of several instances that start at once one does it, and the others
 * wait for it.
 *
 * @throws StoreError `bad_schema`, also for tables of a newer version
 */
export async function migrate<Tables>(db: Kysely<Tables>, migrations = released): Promise<void> {
  // None where they cannot be read. The migrator itself first reads every column of every table, which most starts need not
  // wait for.
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch(() => ({ rows: [] }));
  const applied = rows.map(({ name }) => name);
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown !== undefined) {
    throw new StoreError(
      'bad_schema',
      `A newer version of Switchboard has changed this database’s tables (${unknown}). Nothing was changed. ` +
        'Run that version.',
    );
  }
  if (applied.length === Object.keys(migrations).length) {
    return;
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    throw new StoreError(
      'bad_schema',
      `The database could not be brought up to date: ${reason}. Nothing was changed.`,
      { cause: error },
    );
  }
}
