import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function temporaryDatabase(t: TestContext) {
  const file = join(temporaryFolder(t), 'test.db');
  const { db, takeTurn, close } = await openDatabase(file, [newEncryptionKey()]);
  t.after(close);
  await sql`create table note (text text)`.execute(db);
  return { db, takeTurn, close, file };
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

test('a database that nothing can be written to is said to be on a disk that fails, and can be read', async (t) => {
  const { db } = await temporaryDatabase(t);
  await sql`insert into note values ('one')`.execute(db);
  await sql`pragma query_only = on`.execute(db);
  const write = sql`insert into note values ('two')`;
  await assert.rejects(write.execute(db), { name: 'StoreError', fault: 'disk_fault' });
  const { rows } = await sql`select text from note`.execute(db);
  assert.deepEqual(rows, [{ text: 'one' }]);
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

test('a database that is closed in the middle of a transaction lets it end', async (t) => {
  const { db, close } = await temporaryDatabase(t);
  const note = (text: string) => sql`insert into note values (${text})`;
  const transaction = db.transaction().execute(async (own) => {
    await note('one').execute(own);
    await note('two').execute(own);
  });
  await Promise.all([transaction, close()]);
  await assert.rejects(note('three').execute(db), /is closed/);
});

test('what is asked of a database that was closed is refused', async (t) => {
  const { db, close } = await temporaryDatabase(t);
  await close();
  await assert.rejects(sql`select * from note`.execute(db), /is closed/);
  await close();
});

test('a turn of a campaign waits for the end of a transaction, and a statement for the end of the turn', async (t) => {
  const { db, takeTurn } = await temporaryDatabase(t);
  await sql`create table campaign (sequence integer, state text, workspace_id text, id text)`.execute(db);
  const note = (text: string) => sql`insert into note values (${text})`;
  const ended: string[] = [];
  const end = (name: string) => () => ended.push(name);
  const turn = { workspaceId: 'T1', id: 'none', run: 'run', endings: [], count: 1, now: 0 };
  let turned: Promise<unknown> | undefined;
  const transaction = db.transaction().execute(async (own) => {
    await note('one').execute(own);
    turned = takeTurn(turn).then(end('turn'));
    await note('two').execute(own);
  });
  await transaction.then(end('transaction'));
  await Promise.all([turned, note('three').execute(db).then(end('statement'))]);
  assert.deepEqual(ended, ['transaction', 'turn', 'statement']);
});
