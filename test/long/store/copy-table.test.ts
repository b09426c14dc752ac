import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { openPostgres } from '../../../src/store/engine/postgres/database.ts';
import { type CopiedTable, copyTable } from '../../../src/store/installation/move-store.ts';
import type { Schema } from '../../../src/store/schema/schema.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';

/** A table in both databases, each with the types that the program's have there. */
async function sampleTables(test: TestContext) {
  const database = await createPostgresDatabase({ empty: true });
  const { db, close } = await openPostgres<Schema>(database, { timers: systemTimers });
  const sqlite = new Database(':memory:');
  test.after(async () => {
    sqlite.close();
    await close();
    await database.drop();
  });
  sqlite.exec('create table sample (part real, id text, whole integer, words text, primary key (id, whole))');
  await sql`create table sample (part double precision, id text collate "C", whole bigint, words text collate "C",
    primary key (id, whole))`.execute(db);
  const table: CopiedTable = {
    name: 'sample',
    columns: ['part', 'id', 'whole', 'words'],
    key: ['id', 'whole'],
    numbered: undefined,
  };
  return {
    sqlite,
    db,
    copy: () => db.transaction().execute((transaction) => copyTable(sqlite, transaction, table)),
  };
}

/** What both databases can hold: no NUL, and whole characters. */
const texts = fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed().replaceAll('\0', '0'));

it('any rows are the same in both databases', async (test) => {
  const { sqlite, db, copy } = await sampleTables(test);
  const insert = sqlite.prepare('insert into sample values (?, ?, ?, ?)');
  const row = fc.tuple(
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    texts,
    fc.maxSafeInteger(),
    fc.option(texts),
  );
  const rows = fc.uniqueArray(row, { maxLength: 30, selector: ([, id, whole]) => `${whole} ${id}` });
  await fc.assert(
    fc.asyncProperty(rows, async (written) => {
      sqlite.exec('delete from sample');
      await sql`truncate sample`.execute(db);
      for (const each of written) {
        insert.run(...each);
      }
      assert.equal(await copy(), written.length);
      const there = await sql`select * from sample order by id, whole`.execute(db);
      assert.deepEqual(there.rows, sqlite.prepare('select * from sample order by id, whole').all());
    }),
    { numRuns: 60 },
  );
});

it('more rows than are in memory at once are copied and compared', async (test) => {
  const { sqlite, db, copy } = await sampleTables(test);
  sqlite.exec(`with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 4100)
    insert into sample select i / 7.0, 'id ' || i, i, 'words' from numbers`);
  assert.equal(await copy(), 4_100);
  const there = await sql`select * from sample order by id, whole`.execute(db);
  assert.deepEqual(there.rows, sqlite.prepare('select * from sample order by id, whole').all());
});

it('a value or a row that is another one in PostgreSQL is found', async (test) => {
  const { sqlite, db, copy } = await sampleTables(test);
  sqlite.exec(`insert into sample values (0.5, 'a', 1, 'one'), (0.5, 'b', 2, 'two')`);
  const change = async (body: string) => {
    await sql`create or replace function change() returns trigger language plpgsql as ${sql.lit(body)}`.execute(
      db,
    );
    await sql`create or replace trigger change before insert on sample for each row execute function change()`.execute(
      db,
    );
  };
  const differs = { name: 'StoreError', fault: 'unreadable', message: /table sample .* are not the same/ };
  await change(`begin new.words = upper(new.words); return new; end`);
  await assert.rejects(copy(), differs);
  await change(`begin return case when new.id = 'b' then null else new end; end`);
  await assert.rejects(copy(), differs);
});
