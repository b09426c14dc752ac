import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, personal, recipients, start } from '../../support/campaigns.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';

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
