import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { Secret } from '../../../src/lib/secret.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { openPostgres } from '../../../src/store/engine/postgres/database.ts';
import { toStoreError } from '../../../src/store/engine/postgres/errors.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, personal, recipients, start } from '../../support/campaigns.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { startPooler } from '../../support/store/pooler.ts';

const instances = 2;

it('two instances that send a campaign and answer commands use at most five connections each', async (test) => {
  const created = await createPostgresDatabase({ empty: true });
  test.after(() => created.drop());
  const { ada, grace, connect } = await startTestApp(test, {
    instances,
    env: { DATABASE_URL: created.url.reveal(), CAMPAIGN_MESSAGES_PER_SECOND: '1000' },
  });
  await connect();
  const watcher = new pg.Client({ connectionString: created.url.reveal(), application_name: 'watcher' });
  watcher.on('error', () => {});
  await watcher.connect();
  let most = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const { rows } = await watcher.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name like 'switchboard%'`,
      );
      most = Math.max(most, rows[0]?.count ?? 0);
    }
  })();
  await compose(ada, { file: personal(recipients(300)), text: 'Good morning {{name}}' });
  await start(ada);
  const commands = Array.from({ length: 20 }, () => grace.types('/sms', 'history'));
  await ada.sees(/\*Done:\* 300 recipients/);
  await Promise.all(commands);
  isDone = true;
  await watching;
  await watcher.end();
  console.log(`${most} connections of ${instances} instances`);
  assert.ok(most > instances && most <= 5 * instances, `${most}`);
});

describe('a pooler with fewer connections than an instance uses', () => {
  it('is named by a start that gets only one', async (test) => {
    const created = await createPostgresDatabase({ empty: true });
    test.after(() => created.drop());
    const url = new Secret(await startPooler(test, created.url.reveal(), 'session', 1));
    await assert.rejects(openPostgres({ url }, { timers: systemTimers }), {
      fault: 'unreachable',
      message: /pooler must hold DATABASE_CONNECTIONS.*default_pool_size/,
    });
  });

  it('lets statements wait for a connection that the instance has', async (test) => {
    const created = await createPostgresDatabase({ empty: true });
    test.after(() => created.drop());
    const url = new Secret(await startPooler(test, created.url.reveal(), 'session', 2));
    const opened = await openPostgres({ url, connections: 6 }, { timers: systemTimers });
    test.after(() => opened.close());
    await Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.02)`.execute(opened.db)));
    assert.equal(opened.pool.totalCount, 2);
  });

  it('is named where it says that it is full', () => {
    for (const [code, message] of [
      ['08P01', 'no more connections allowed (max_client_conn)'],
      ['08P01', 'query_wait_timeout'],
      [
        'XX000',
        'MaxClientsInSessionMode: max clients reached - in Session mode max clients are limited to pool_size',
      ],
    ] as const) {
      const error = toStoreError(Object.assign(new pg.DatabaseError(message, 0, 'error'), { code }));
      assert.match(String(error), /pooler must hold DATABASE_CONNECTIONS/);
    }
  });
});
