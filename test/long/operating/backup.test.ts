import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, provided, reached, recipients, start } from '../../support/campaigns.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';

/** Longer than the scheduler takes to begin what is to be sent. */
const lookMs = 3_000;

it('a restored backup of PostgreSQL resends nothing until a person resumes it', async (test) => {
  const database = await createPostgresDatabase();
  const { name } = database;
  const copy = `${name}_backup`;
  const server = new URL(database.url.reveal());
  server.pathname = '/postgres';
  const run = async (...statements: string[]) => {
    const client = new pg.Client(server.href);
    await client.connect();
    for (const statement of statements) {
      await client.query(statement);
    }
    await client.end();
  };
  const { ada, provider, connect, app, stopApp, startApp } = await startTestApp(test, {
    database: 'sqlite',
    env: { DATABASE_URL: database.url.reveal(), CAMPAIGN_MESSAGES_PER_SECOND: '20' },
  });
  test.after(async () => {
    await database.drop();
    await run(`drop database if exists ${copy} with (force)`);
  });
  provider.setBalance(1_000_000);
  await connect();
  const numbers = recipients(600);
  await compose(ada, { file: ['Phone', ...numbers].join('\n') });
  await start(ada);
  await ada.seesModal('Started');
  await ada.closes();
  await provided(provider, 100);
  await stopApp();
  await run(`create database ${copy} template ${name}`);
  await startApp();
  await ada.sees(/\*Done:\* 600 recipients/);
  await stopApp();
  const sent = provider.arrivals.length;
  assert.deepEqual(reached(provider.record), [...numbers].sort());

  await run(`drop database ${name} with (force)`, `create database ${name} template ${copy}`);
  await startApp();
  await ada.sees('restored from a backup or copied');
  await pause(lookMs);
  const resent = provider.arrivals.slice(sent).filter(({ operation }) => operation?.startsWith('messages'));
  assert.deepEqual(resent, []);
  const held = await app().services.campaigns.listHeld('T0SWITCH');
  assert.deepEqual(
    held.map(({ state }) => state),
    ['paused'],
  );
});
