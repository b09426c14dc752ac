import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { migrate, neededBy, released } from '../../../src/store/migrations/migrate.ts';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { previousRelease } from '../../support/app/previous-release.ts';
import { contractionsBetween, readShape } from '../../support/store/contractions.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';

async function emptyDatabase(t: TestContext): Promise<Kysely<unknown>> {
  const created = await createPostgresDatabase({ empty: true });
  const { db, close } = await openPostgres<unknown>(created, { timers: systemTimers });
  t.after(async () => {
    await close();
    await created.drop();
  });
  return db;
}

const upTo = (last: string) => Object.fromEntries(Object.entries(released).filter(([name]) => name <= last));

/** Returns what the next migration takes away from the versions before it. */
async function contractionsOf(
  db: Kysely<unknown>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  const shape = await readShape(db);
  await migrate(db, migrations);
  return contractionsBetween(shape, await readShape(db));
}

const sinceRelease = Object.keys(released).filter((name) => name > previousRelease.migration);

describe('the migrations since the previous release', () => {
  it('only add to the tables, unless their names say from which migration on programs do without the rest', async (t) => {
    const db = await emptyDatabase(t);
    await migrate(db, upTo(previousRelease.migration));
    for (const name of sinceRelease) {
      const contractions = await contractionsOf(db, upTo(name));
      assert.ok(
        contractions.length === 0 || neededBy(name) !== undefined,
        `${name} takes something away from the versions before it (${contractions.join('; ')}). Programs stop using it in ` +
          'one release, and it is taken away in a later one, by a migration whose name ends with -needs- and the number ' +
          'of the last migration of that first release: see CONTRIBUTING.md',
      );
    }
  });

  it('take nothing away that the previous release needs', () => {
    const knownThen = Object.keys(upTo(previousRelease.migration)).map((name) => name.slice(0, 4));
    for (const name of sinceRelease) {
      const needed = neededBy(name);
      assert.ok(needed === undefined || knownThen.includes(needed), name);
    }
  });
});

describe('what takes something away', () => {
  const contracting: readonly [statement: string, contractions: string[]][] = [
    ['drop table pace cascade', ['pace.id is gone', 'pace.rate is gone', 'pace.note is gone']],
    ['alter table pace drop column rate', ['pace.rate is gone']],
    ['alter table pace rename column rate to speed', ['pace.rate is gone']],
    ['alter table pace rename to speed', ['pace.id is gone', 'pace.rate is gone', 'pace.note is gone']],
    ['alter table pace alter column rate type text', ['pace.rate is text instead of integer']],
    [
      'alter table pace alter column note set not null',
      ['pace.note takes no null', 'pace.note has to be filled in'],
    ],
    ['alter table pace alter column rate drop default', ['pace.rate has to be filled in']],
    ['alter table pace add column more text not null', ['pace.more has to be filled in']],
    ['alter table pace add check (rate > 0)', ['pace: CHECK ((rate > 0))']],
    [
      'create unique index on pace (note)',
      ['pace: CREATE UNIQUE INDEX pace_note_idx ON public.pace USING btree (note)'],
    ],
    ["alter table pace add column more text not null default ''", []],
    ['alter table pace add column more text', []],
    ['alter table pace alter column rate drop not null', []],
    ['create index on pace (note)', []],
    ['create table other (id text not null primary key)', []],
  ];

  it('is found', async (t) => {
    const db = await emptyDatabase(t);
    for (const [statement, contractions] of contracting) {
      await db.transaction().execute(async (changing) => {
        await sql`create table pace (id text not null, rate integer not null default 1, note text)`.execute(
          changing,
        );
        const shape = await readShape(changing);
        await sql.raw(statement).execute(changing);
        assert.deepEqual(contractionsBetween(shape, await readShape(changing)), contractions, statement);
        await sql`drop table if exists pace, other, speed`.execute(changing);
      });
    }
  });
});
