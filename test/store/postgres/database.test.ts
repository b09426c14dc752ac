import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { Secret } from '../../../src/lib/secret.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { connectionConfig } from '../../../src/store/engine/postgres/connection.ts';
import { openPostgres } from '../../../src/store/engine/postgres/database.ts';
import { toStoreError } from '../../../src/store/engine/postgres/errors.ts';
import { inTransaction } from '../../../src/store/engine/transaction.ts';
import { selfSigned } from '../../support/http/self-signed-certificate.ts';
import { createPostgresDatabase, forEachDatabase, onlyOn, onServer } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { startPooler } from '../../support/store/pooler.ts';
import { startPostgresWay } from '../../support/store/postgres-way.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const timers = systemTimers;

interface Tables {
  note: { id: number; text: string | null };
}

/** Opens an empty database, which is removed when the test ends. */
async function emptyDatabase(t: TestContext) {
  const created = await createPostgresDatabase({ empty: true });
  const database = await openPostgres<Tables>(created, { timers });
  t.after(async () => {
    await database.close();
    await created.drop();
  });
  return { ...database, created };
}

async function addNotes(db: Kysely<Tables>, ...texts: string[]): Promise<void> {
  await sql`create table note (id bigint primary key, text text)`.execute(db);
  for (const [index, text] of texts.entries()) {
    await db
      .insertInto('note')
      .values({ id: index + 1, text })
      .execute();
  }
}

describe('PostgreSQL', onlyOn('postgres', 'it is about PostgreSQL'), () => {
  it('is migrated by several instances that start at once', async (t) => {
    const { db, created } = await emptyDatabase(t);
    const others = await Promise.all([1, 2, 3].map(() => openPostgres<Tables>(created, { timers })));
    await Promise.all([db, ...others.map((other) => other.db)].map((each) => migrate(each)));
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(rows, [{ name: '0001-first-tables' }]);
    await Promise.all(others.map((other) => other.close()));
  });

  it('takes empty lists and large integers as SQLite does', async (t) => {
    const { db } = await emptyDatabase(t);
    await addNotes(db, 'b', 'a', 'B', '_', 'é', 'Z', '-');
    assert.deepEqual(await db.selectFrom('note').select('id').where('text', 'in', []).execute(), []);
    assert.equal((await db.selectFrom('note').select('id').where('text', 'not in', []).execute()).length, 7);
    const { rows } = await sql<{ large: number; sum: number }>`
      select ${Number.MAX_SAFE_INTEGER}::bigint as large, sum(id) as sum from note`.execute(db);
    assert.deepEqual(rows, [{ large: Number.MAX_SAFE_INTEGER, sum: 28 }]);
  });

  it('makes a transaction again that was undone because two waited for each other', async (t) => {
    const { db } = await emptyDatabase(t);
    await addNotes(db, 'one', 'two');
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let attempts = 0;
    const change = async (own: 0 | 1) =>
      inTransaction(db, async (transaction) => {
        attempts += 1;
        for (const id of own === 0 ? [1, 2] : [2, 1]) {
          await transaction
            .updateTable('note')
            .set({ text: sql`text || ${own}` })
            .where('id', '=', id)
            .execute();
          both[own].resolve();
          await both[own === 0 ? 1 : 0].promise;
        }
      });
    await Promise.all([change(0), change(1)]);
    assert.ok(attempts > 2, `${attempts} attempts`);
    const notes = await db.selectFrom('note').select('text').execute();
    assert.deepEqual(new Set(notes.map(({ text }) => text?.length)), new Set(['one'.length + 2]));
  });

  it('says that it cannot be reached, and can be again, without naming where it is', async (t) => {
    const { db, probe, created } = await emptyDatabase(t);
    await addNotes(db);
    await probe();
    await created.cutConnections();
    const unreachable = { name: 'StoreError', fault: 'unreachable' };
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => db.selectFrom('note').selectAll().execute()),
    );
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'fulfilled' || outcome.reason.fault === 'unreachable');
    }
    await probe();
    const nowhere = { url: new Secret('postgres://somebody:hush@127.0.0.1:1/nothing') };
    await assert.rejects(openPostgres(nowhere, { timers }), (error: Error) => {
      assert.deepEqual({ ...unreachable }, { name: error.name, fault: 'fault' in error && error.fault });
      assert.doesNotMatch(error.message, /hush|somebody|127/);
      return true;
    });
  });

  it('throws the error of a wrong statement as it is, and goes on', async (t) => {
    const { db } = await emptyDatabase(t);
    await assert.rejects(sql`select nothing`.execute(db), { code: '42703' });
    await assert.rejects(
      inTransaction(db, async (transaction) => {
        await sql`select nothing`.execute(transaction).catch(() => {});
      }),
      /rolled back/,
    );
    await sql`select 1`.execute(db);
  });

  it('is connected to with a verified certificate, unless it is on this machine or said otherwise', () => {
    const ssl = (url: string) => connectionConfig({ url: new Secret(url) }).ssl;
    assert.deepEqual(ssl('postgres://u:p@db.example/s'), { rejectUnauthorized: true });
    for (const mode of ['verify-full', 'verify-ca', 'require']) {
      assert.deepEqual(ssl(`postgres://u:p@127.0.0.1/s?sslmode=${mode}`), { rejectUnauthorized: true }, mode);
    }
    for (const plain of [
      'db.example/s?sslmode=disable',
      '127.0.0.1/s',
      'localhost:1/s',
      '[::1]/s',
      '%2Frun/s',
    ]) {
      assert.equal(ssl(`postgres://u:p@${plain}`), false, plain);
    }
    const unverified = connectionConfig({ url: new Secret('postgres://u:p@db.example/s'), unverified: true });
    assert.deepEqual(unverified.ssl, { rejectUnauthorized: false });
    const { host, user, password, database } = connectionConfig({
      url: new Secret('postgres://a%40b:p%2Fq@%2Fvar%2Frun/s%20t'),
    });
    assert.deepEqual([host, user, password, database], ['/var/run', 'a@b', 'p/q', 's t']);
    assert.throws(
      () =>
        connectionConfig({
          url: new Secret('postgres://u:p@db/s?sslmode=verify-full&sslrootcert=/none.pem'),
        }),
      { message: 'The file of sslrootcert, /none.pem, cannot be read.' },
    );
  });

  it('is connected to through TLS, a socket, and an IPv6 address in brackets', async (t) => {
    const { created } = await emptyDatabase(t);
    const target = new URL(created.url.reveal());
    const { username: user, password } = target;
    const { name } = created;
    const folder = temporaryFolder(t);
    const opens = async (url: string, options: { ca?: string; unverified?: boolean } = {}) => {
      const opened = await openPostgres({ url: new Secret(url), ...options }, { timers });
      await opened.close();
    };
    const certificate = selfSigned();
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, certificate.cert);
    const tlsPort = await startPostgresWay(t, Number(target.port), { certificate });
    const byTls = `postgres://${user}:${password}@127.0.0.1:${tlsPort}/${name}`;
    await opens(`${byTls}?sslmode=require`, { ca });
    await opens(`${byTls}?sslmode=verify-full&sslrootcert=${ca}`);
    await opens(`${byTls}?sslmode=verify-full&sslrootcert=${ca}&sslnegotiation=direct`);
    await opens(`${byTls}?sslmode=no-verify`, { unverified: true });
    await assert.rejects(opens(`${byTls}?sslmode=require`), {
      fault: 'unreachable',
      message: /certificate.*the authority that signed it is not known \(\w*SELF_SIGNED\w*\).*DATABASE_CA/,
    });
    // The certificate is for 127.0.0.1 alone.
    const elsewhere = byTls.replace('127.0.0.1', 'localhost');
    await assert.rejects(opens(`${elsewhere}?sslmode=verify-full`, { ca }), {
      message: /for another host name/,
    });
    await opens(`${elsewhere}?sslmode=verify-ca`, { ca });
    const noCertificate = join(folder, 'none.pem');
    writeFileSync(noCertificate, certificate.key);
    await assert.rejects(opens(byTls, { ca: noCertificate }), {
      message: /file of DATABASE_CA, .*none\.pem, has no certificate/,
    });
    await assert.rejects(opens(created.url.reveal(), { ca }), {
      message: /does not encrypt.*sslmode=disable/,
    });

    await startPostgresWay(t, Number(target.port), { listen: { path: join(folder, '.s.PGSQL.5432') } });
    await opens(`postgres://${user}:${password}@/${name}?host=${folder}&sslmode=require`);
    const port = await startPostgresWay(t, Number(target.port), { listen: { host: '::1', port: 0 } });
    await opens(`postgres://${user}:${password}@[::1]:${port}/${name}`);
  });

  it('says what to do where the login or the database is wrong', async (t) => {
    const { created } = await emptyDatabase(t);
    const withChange = (change: (url: URL) => void) => {
      const url = new URL(created.url.reveal());
      change(url);
      return openPostgres({ url: new Secret(url.href) }, { timers });
    };
    await assert.rejects(
      withChange((url) => (url.password = 'wrong')),
      { message: /percent-encoded/ },
    );
    await assert.rejects(
      withChange((url) => (url.pathname = '/nowhere')),
      { message: /Create the database/ },
    );
  });

  it('keeps its settings through a pooler that keeps sessions, and refuses one that does not', async (t) => {
    const { created } = await emptyDatabase(t);
    const url = new Secret(await startPooler(t, created.url.reveal(), 'session'));
    const opened = await openPostgres<Tables>({ url }, { timers });
    await addNotes(opened.db, 'one');
    const { rows } = await sql<{ statement: string; idle: string }>`select
      current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(opened.db);
    assert.deepEqual(rows, [{ statement: '1min', idle: '5s' }]);
    await opened.close();

    const byTransaction = new Secret(await startPooler(t, created.url.reveal(), 'transaction'));
    await assert.rejects(openPostgres({ url: byTransaction }, { timers }), {
      fault: 'unreachable',
      message: /pooler that does not keep sessions.*session mode/,
    });
  });

  it('is refused where its encoding is not UTF-8', async (t) => {
    const { db, created } = await emptyDatabase(t);
    await sql`create database ${sql.id(`${created.name}_latin`)} encoding 'LATIN1' locale_provider libc locale 'C' template template0`.execute(
      db,
    );
    const url = new URL(created.url.reveal());
    url.pathname = `/${created.name}_latin`;
    await assert.rejects(openPostgres({ url: new Secret(url.href) }, { timers }), {
      fault: 'bad_schema',
      message: /encoding LATIN1.*encoding 'UTF8' template template0/,
    });
    await sql`drop database ${sql.id(`${created.name}_latin`)}`.execute(db);
  });

  it('is refused where its user may not create tables, and used in the schema that the URL names', async (t) => {
    const { db, created, user } = await withRole(t, { connections: 100 });
    await assert.rejects(openPostgres({ url: user }, { timers }), {
      fault: 'bad_schema',
      message: /lacks rights on the schema public of the database.*owner to/,
    });
    await sql`grant create on database ${sql.id(created.name)} to ${sql.id(created.name)}`.execute(db);
    await sql`create schema acme authorization ${sql.id(created.name)}`.execute(db);
    const url = new Secret(`${user.reveal()}?schema=acme`);
    const opened = await openPostgres<Tables>({ url }, { timers });
    await migrate(opened.db);
    await opened.close();
    const { rows } = await sql`select schemaname from pg_tables where tablename = 'installation'`.execute(db);
    assert.deepEqual(rows, [{ schemaname: 'acme' }]);
    await assert.rejects(openPostgres({ url: new Secret(`${user.reveal()}?schema=none`) }, { timers }), {
      message: /no schema for its tables/,
    });
  });

  it('waits for a connection of its own where the server allows no more', async (t) => {
    const { db, created, user } = await withRole(t, { connections: 2 });
    await sql`alter database ${sql.id(created.name)} owner to ${sql.id(created.name)}`.execute(db);
    const opened = await openPostgres<Tables>({ url: user, connections: 6 }, { timers });
    const slow = Array.from({ length: 12 }, () => sql`select pg_sleep(0.02)`.execute(opened.db));
    const ofPgBoss = Array.from({ length: 12 }, () => opened.pool.query('select pg_sleep(0.02)'));
    await Promise.all([...slow, ...ofPgBoss]);
    assert.equal(opened.pool.totalCount, 2);
    const waited = new Error('timeout exceeded when trying to connect');
    assert.match(String(toStoreError(waited)), /were busy.*DATABASE_CONNECTIONS/);
    const third = new pg.Client(user.reveal());
    await assert.rejects(third.connect(), { code: '53300' });
    await third.end();
    await opened.close();
  });
});

/** A user of an empty database that it does not own, with a limit to its connections. */
async function withRole(t: TestContext, { connections }: { connections: number }) {
  const { db, created } = await emptyDatabase(t);
  const role = sql.id(created.name);
  await sql`create role ${role} login password 'hush' connection limit ${sql.lit(connections)}`.execute(db);
  await sql`revoke all on schema public from public`.execute(db);
  await sql`grant usage on schema public to ${role}`.execute(db);
  t.after(async () => {
    await created.drop();
    await onServer(`drop role ${created.name}`);
  });
  const url = new URL(created.url.reveal());
  url.username = created.name;
  url.password = 'hush';
  return { db, created, user: new Secret(url.href) };
}

forEachDatabase((database) => {
  it('begins an operation once for each key, however many instances ask at once', async (t) => {
    const { ledger } = await temporaryStore(t, { database });
    let calls = 0;
    const perform = () =>
      performIn(
        ledger,
        { workspaceId: 'T1', key: 'k', kind: 'sms.send', userId: 'U1', summary: {} },
        async () => {
          calls += 1;
          return { state: 'accepted' };
        },
      );
    const outcomes = await Promise.all(Array.from({ length: 20 }, perform));
    assert.equal(calls, 1);
    assert.equal(outcomes.filter(({ first }) => first).length, 1);
  });
});
