import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPostgresSettings } from '../../../src/config/settings.ts';
import { machineTime } from '../../../src/lib/time/clock.ts';
import { moveStore } from '../../../src/store/installation/move-store.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, personal, provided, reached, recipients, start } from '../../support/campaigns.ts';
import { review, startFrom } from '../../support/slack/sms-steps.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';

it('what people had begun goes on after a move to PostgreSQL, and is sent once', async (test) => {
  const postgres = await createPostgresDatabase({ empty: true });
  const { ada, grace, provider, connect, stopApp, startApp, env } = await startTestApp(test, {
    database: 'sqlite',
    // That of `moveStore`.
    clock: machineTime,
    env: { CAMPAIGN_MESSAGES_PER_SECOND: '2' },
  });
  test.after(async () => {
    await stopApp();
    await postgres.drop();
  });
  await connect();
  await startFrom(grace, 'PalmMarket');
  await compose(ada, { file: personal(recipients(60)), text: 'Hello {{name}}' });
  await start(ada);
  await provided(provider, 5);
  await grace.types('/sms', '+2348031234568 A message of Grace');
  await grace.sees('1 recipient, 1 page');
  await review(ada, { to: '+2348031234567', text: 'A message of Ada' });
  await ada.seesModal('Message review');

  await stopApp();
  const before = reached(provider.record).length;
  assert.ok(before < 60, `${before}`);
  const onPostgres = { DATABASE_URL: postgres.url.reveal() };
  await moveStore({ ...(await readPostgresSettings({ ...env, ...onPostgres })), onTable: () => {} });
  await assert.rejects(startApp(), /was moved to PostgreSQL/);
  await startApp(onPostgres);

  await ada.submits();
  await ada.seesModal('Message sent');
  await grace.presses('Send');
  await grace.sees('*Sent* to');
  await ada.sees('*Done:* 60 recipients');
  const texts = provider.record.map(({ text }) => text);
  for (const text of ['A message of Ada', 'A message of Grace']) {
    assert.equal(texts.filter((each) => each === text).length, 1, text);
  }
  const numbers = reached(provider.record.filter(({ text }) => text.startsWith('Hello')));
  assert.deepEqual(numbers, recipients(60).sort());
});
