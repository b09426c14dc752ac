import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/campaigns.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { startLossyWay } from '../../support/store/lossy-way.ts';

it('acknowledges a request for help while PostgreSQL does not say what the person may do, and helps once it does', async (test) => {
  const database = await createPostgresDatabase();
  const way = await startLossyWay(test, database.url.reveal());
  const { ada, app, connect } = await startTestApp(test, {
    database: 'sqlite',
    env: { DATABASE_URL: way.url },
  });
  test.after(() => database.drop());
  await connect();
  await ada.types('/sms', 'help');
  await ada.sees('/sms history');
  const before = ada.messages().length;

  const { release } = way.hold('workspace_roles');
  app().services.access.forget('T0SWITCH');
  const { status, trouble } = await ada.types('/sms', 'help');
  assert.deepEqual({ status, trouble }, { status: 200, trouble: undefined }, 'acknowledged in time');
  assert.equal(ada.messages().length, before);
  release();
  await eventually(() => ada.messages().length > before, 'the help');
  assert.match(ada.messages().at(-1)?.text ?? '', /\/sms/);
});
