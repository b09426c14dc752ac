import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function temporaryDatabase(t: TestContext) {
  const file = join(temporaryFolder(t), 'test.db');
  const db = openDatabase(file);
  t.after(() => db.destroy());
  await sql`create table note (text text)`.execute(db);
  return { db, file };
}

test('a database that another program holds is said to be locked, and can be written to afterwards', async (t) => {
  const { db, file } = await temporaryDatabase(t);
  const other = new Database(file);
  t.after(() => other.close());
  other.exec('begin immediate');
  const write = sql`insert into note values ('one')`;
  await assert.rejects(write.execute(db), { name: 'StoreError', fault: 'locked' });
  await assert.rejects(
    db.transaction().execute((transaction) => write.execute(transaction)),
    { name: 'StoreError', fault: 'locked' },
  );
  other.exec('commit');
  await write.execute(db);
});

test('a transaction that SQLite takes back by itself throws why, and leaves the database usable', async (t) => {
  const { db } = await temporaryDatabase(t);
  await sql`create trigger taken_back before insert on note when new.text = 'bad'
    begin select raise(rollback, 'the reason'); end`.execute(db);
  const inserting = db.transaction().execute(async (transaction) => {
    await sql`insert into note values ('good')`.execute(transaction);
    await sql`insert into note values ('bad')`.execute(transaction);
  });
  await assert.rejects(inserting, /the reason/);
  await db
    .transaction()
    .execute((transaction) => sql`insert into note values ('later')`.execute(transaction));
  const { rows } = await sql`select text from note`.execute(db);
  assert.deepEqual(rows, [{ text: 'later' }]);
});
