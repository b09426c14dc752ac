import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runProgram } from '../../support/app/app-process.ts';
import { startHarness } from '../../support/app/program-harness.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/campaigns.ts';
import { review } from '../../support/slack/sms-steps.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

it('a stop says first that it is not ready, goes on serving, and ends with what is in progress', async (test) => {
  const drainMs = 5_000;
  const timers = steppedTimers({ from: drainMs });
  const { ada, connect, stopApp, url } = await startTestApp(test, {
    database: 'postgres',
    timers,
    drains: true,
    instances: 1,
  });
  await connect();
  await review(ada, { to: '+2348051234568', text: 'Good morning' });
  await ada.seesModal('Message review');
  const address = url();
  const stopped = stopApp();
  assert.equal((await fetch(`${address}/healthz`)).status, 200);
  const ready = await fetch(`${address}/readyz`);
  assert.deepEqual(await ready.json(), { database: 'ok', slack: 'ok', program: 'stopping' });
  await ada.submits();
  await ada.seesModal('Message sent');
  await timers.advance(drainMs);
  await stopped;
  await assert.rejects(fetch(`${address}/healthz`));
});

it('a stop ends at its limit, and the next start says that what was in flight is unconfirmed', async (test) => {
  const { ada, connect, provider, program, env } = await startHarness(test, {
    transport: 'socket',
    tuning: { stopMs: 1_000 },
  });
  await connect();
  provider.orderFault({ operation: 'messages.send', fault: { kind: 'silence' } });
  await review(ada, { to: '+2348051234568', text: 'Good morning' });
  await ada.seesModal('Message review');
  await ada.submits();
  const sent = () => provider.arrivals.filter(({ operation }) => operation === 'messages.send').length;
  await eventually(() => sent() === 1, 'the request to the provider');
  const { code, output } = await program().stop();
  assert.equal(code, 1);
  assert.match(output, /could not stop in time/);
  const next = runProgram(test, env);
  assert.ok((await next.ready()) > 0);
  await ada.sees('may or may not');
  assert.equal(sent(), 1);
  assert.equal((await next.stop()).code, 0);
});
