import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgresServer } from '../../../sandbox/postgres-server.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, eventually, provided, reached, recipients, start } from '../../support/campaigns.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { review } from '../../support/slack/sms-steps.ts';

/** In seconds. By hand: 30. */
const awayFor = Number(process.env.AWAY_SECONDS ?? 5);
const single = '+2348051234568';

it('PostgreSQL going away under load: clear answers at once, then everything goes on, once', async (test) => {
  const server = await startPostgresServer();
  test.after(() => server.remove());
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query('create database switchboard');
  await client.end();
  const held = heldResponses(test);
  const { ada, grace, provider, connect, restart, log, url } = await startTestApp(test, {
    database: 'sqlite',
    wait: held.wait,
    // Lines are counted in the machine's seconds.
    timers: systemTimers,
    env: {
      DATABASE_URL: server.url.replace(/postgres$/, 'switchboard'),
      CAMPAIGN_MESSAGES_PER_SECOND: '400',
    },
  });
  const ready = async () => {
    const answer = await fetch(`${url()}/readyz`);
    return [answer.status, await answer.json()];
  };
  provider.setBalance(1_000_000);
  await connect();
  const numbers = recipients(3_000);
  await compose(ada, { file: ['Phone', ...numbers].join('\n') });
  await start(ada);
  await ada.seesModal('Started');
  await ada.closes();
  await provided(provider, 500);

  // Grace's message is with the provider, and Ada's is about to be sent.
  provider.orderFault({ operation: 'messages.send', fault: { kind: 'slow_headers' } });
  await review(grace, { to: '+2348051234562', text: 'Good evening' });
  await grace.seesModal('Message review');
  await grace.submits();
  await held.arrived;
  await review(ada, { to: single, text: 'Good morning' });
  await ada.seesModal('Message review');

  await server.stop();
  held.release();
  await ada.submits();
  await ada.seesModal(/./, 'database can’t be reached');
  for (const text of ['', 'history', `${single} Hello`]) {
    const before = ada.messages().length;
    const { trouble } = await grace.types('/sms', text);
    assert.equal(trouble, undefined, 'acknowledged in time');
    await grace.sees('database can’t be reached');
    assert.ok(ada.messages().length >= before);
  }
  await eventually(async () => (await ready())[0] === 503, 'the probe to see it');
  assert.deepEqual(await ready(), [503, { database: 'unreachable', slack: 'ok' }]);
  assert.equal((await fetch(`${url()}/healthz`)).status, 200);
  const lines = log().split('\n').length;
  await pause(awayFor * 1_000);
  const written = log().split('\n').length - lines;
  assert.ok(written < awayFor * 10, `${written} lines in ${awayFor} s`);

  await server.start();
  while ((await ready())[0] !== 200) {
    await pause(100);
  }
  await ada.submits();
  await ada.seesModal('Message sent');
  await ada.sees(/\*Done:\* 3,000 recipients/);
  // Its outcome is told by the outbox: the view had to say that it is not known.
  await restart();
  await grace.sees('waiting for delivery');
  assert.equal(grace.messages().filter(({ text }) => text.includes('waiting for delivery')).length, 1);
  const once = [...numbers, single, '+2348051234562'].sort();
  assert.deepEqual(reached(provider.record), once);
});
