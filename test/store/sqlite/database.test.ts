import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { settleAndClaim } from '../../../src/store/campaigns/sending/settle-and-claim.ts';
import { settleAndClaimStatements } from '../../../src/store/campaigns/sending/settle-and-claim-statements.ts';
import { valuesPlugin } from '../../../src/store/engine/values.ts';
import type { Schema } from '../../../src/store/schema/schema.ts';
import { anyPace } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';
import { temporaryDatabase } from '../../support/temporary-database.ts';

async function databaseWithNotes(t: TestContext) {
  const database = await temporaryDatabase<Schema>(t);
  await sql`create table note (text text)`.execute(database.db);
  return database;
}

test('reports a database that another program holds as locked, and writes to it later', async (t) => {
  const { db, file } = await databaseWithNotes(t);
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

test('reports a database that cannot be written to as a disk fault, and still reads it', async (t) => {
  const { db } = await databaseWithNotes(t);
  await sql`insert into note values ('one')`.execute(db);
  await sql`pragma query_only = on`.execute(db);
  const write = sql`insert into note values ('two')`;
  await assert.rejects(write.execute(db), { name: 'StoreError', fault: 'disk_fault' });
  const { rows } = await sql`select text from note`.execute(db);
  assert.deepEqual(rows, [{ text: 'one' }]);
});

test('throws the reason of a transaction that SQLite itself rolls back, and stays usable', async (t) => {
  const { db } = await databaseWithNotes(t);
  await sql`create trigger rolled_back before insert on note when new.text = 'bad'
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

test('lets a transaction end when the database is closed meanwhile', async (t) => {
  const { db, close } = await databaseWithNotes(t);
  const note = (text: string) => sql`insert into note values (${text})`;
  const transaction = db.transaction().execute(async (own) => {
    await note('one').execute(own);
    await note('two').execute(own);
  });
  await Promise.all([transaction, close()]);
  await assert.rejects(note('three').execute(db), /is closed/);
});

test('refuses statements after it is closed', async (t) => {
  const { db, close } = await databaseWithNotes(t);
  await close();
  await assert.rejects(sql`select * from note`.execute(db), /is closed/);
  await close();
});

test('runs a procedure after the current transaction, and a statement after the current procedure', async (t) => {
  const { db, createProcedure } = await databaseWithNotes(t);
  await sql`create table campaign
    (sequence integer, state text, workspace_id text, id text, worker text, lease_epoch integer,
      is_proven integer)`.execute(db);
  const call = await createProcedure(settleAndClaim, {
    encryptionKeys: [newEncryptionKey().reveal()],
    statements: settleAndClaimStatements(db.withPlugin(valuesPlugin)),
  });
  const note = (text: string) => sql`insert into note values (${text})`;
  const ended: string[] = [];
  const end = (name: string) => () => ended.push(name);
  const lease = { run: 'run', epoch: 1 };
  const argument = {
    workspaceId: 'T1',
    id: 'none',
    lease,
    endings: [],
    count: 1,
    maxUnproven: 1,
    pace: anyPace,
    now: 0,
  };
  let called: Promise<unknown> | undefined;
  const transaction = db.transaction().execute(async (own) => {
    await note('one').execute(own);
    called = call(argument).then(end('procedure'));
    await note('two').execute(own);
  });
  await transaction.then(end('transaction'));
  await Promise.all([called, note('three').execute(db).then(end('statement'))]);
  assert.deepEqual(ended, ['transaction', 'procedure', 'statement']);
});
