import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, recipients, start } from '../../support/campaigns.ts';
import { review } from '../../support/slack/sms-steps.ts';

const line = z.looseObject({ msg: z.string(), request: z.string().optional() });

const linesOf = (log: string) =>
  log
    .trim()
    .split('\n')
    .map((text) => line.parse(JSON.parse(text)));

it('every line of a send has the id of its request, and no other has it', async (test) => {
  const { ada, connect, log, app } = await startTestApp(test);
  await connect();
  await review(ada, { to: '+2348051234568', text: 'Good morning' });
  await ada.seesModal('Message review');
  await app().settled();
  const before = linesOf(log()).length;
  await ada.submits();
  await ada.seesModal('Message sent');
  await app().settled();
  const lines = linesOf(log()).slice(before);
  const handled = lines.find(({ msg }) => msg === 'a request was handled') ?? assert.fail(log());
  assert.equal(handled.kind, 'submission');
  assert.match(handled.request ?? '', /^[0-9a-f]{12}$/);
  const sent = lines.find(({ operation }) => operation === 'messages.send');
  assert.deepEqual([sent?.request, sent?.outcome, sent?.level], [handled.request, 'accepted', 30]);
  const update = lines.find(({ method }) => method === 'views.update');
  assert.equal(update?.request, handled.request);
  const earlier = linesOf(log()).slice(0, before);
  assert.ok(!earlier.some(({ request }) => request === handled.request));
  assert.ok(earlier.some(({ msg, name }) => msg === 'a request was handled' && name === '/sms'));
});

it('the lines of a campaign have its id, and not that of the request that woke it', async (test) => {
  const { ada, connect, log } = await startTestApp(test);
  await connect();
  await compose(ada, { pasted: recipients(20).join('\n') });
  await start(ada);
  await ada.sees(/\*Done:\* 20 recipients/);
  const calls = linesOf(log()).filter(({ operation }) => operation === 'messages.sendBulk');
  assert.ok(calls.length > 0);
  for (const { campaign, request, level } of calls) {
    assert.deepEqual([typeof campaign, request, level], ['string', undefined, 20]);
  }
});
