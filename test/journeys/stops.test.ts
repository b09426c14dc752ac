import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { eventually } from '../support/campaigns.ts';
import { setLimits } from '../support/limits.ts';
import { replyEnv as env, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { from, secondsAgo, shortCode, threads, toShortCode } from '../support/reports/reply-threads.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { runningClock } from '../support/time/test-clock.ts';

describe('a stop', () => {
  const confirmation = 'You get no more messages from us.';

  it('is confirmed once where its sender can receive, however often it is reported', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, provider } = app;
    const { reports } = await switchesOnReplies(app, { confirmation });
    const stop = { ...toShortCode, message: 'STOP', message_id: '41', received_at: secondsAgo(60) };
    assert.deepEqual(await Promise.all([reports(stop), reports(stop)]), [200, 200]);
    const told = await ada.sees(/Stop confirmed\* to \+234805•••4500 by SMS/);
    assert.equal(told.threadTs, threads(app)[0]?.head.ts);
    assert.equal(await reports(stop), 200);
    await app.restart();
    const again = { ...toShortCode, message: 'Stop!', message_id: '42', received_at: secondsAgo(50) };
    assert.deepEqual([await reports(stop), await reports(again)], [200, 200]);
    await ada.sees('Stop!');
    await app.app().services.replies.confirmStops(new AbortController().signal);
    assert.deepEqual(
      provider.record.map((sent) => [sent.from, sent.to, sent.text]),
      [[shortCode, [from], confirmation]],
    );

    const start = { ...again, message: 'Start', message_id: '43', received_at: secondsAgo(40) };
    assert.equal(await reports(start), 200);
    await ada.sees('Opted back in');
    assert.equal(await reports({ ...stop, message_id: '44', received_at: secondsAgo(30) }), 200);
    await app.slack.until(() => provider.record.length === 2, 'a second confirmation');
  });

  it('is not confirmed again where it has no time, comes once more, or comes again after a start', async (test) => {
    const { clock, pass } = runningClock();
    const app = await startTestApp(test, { env, clock });
    const { ada, provider } = app;
    const { reports } = await switchesOnReplies(app, { confirmation });
    const stop = { ...toShortCode, message: 'STOP', message_id: '51', received_at: undefined };
    assert.deepEqual([await reports(stop), await reports(stop)], [200, 200]);
    await ada.sees(/Stop confirmed\* to \+234805•••4500 by SMS/);
    assert.equal(await reports({ ...stop, message: 'Stop!', message_id: '53' }), 200);
    await ada.sees('Stop!');
    await app.app().services.replies.confirmStops(new AbortController().signal);
    assert.equal(provider.record.length, 1);

    pass(60_000);
    const later = clock.now().toISOString();
    assert.equal(await reports({ ...stop, message: 'Start', message_id: '54', received_at: later }), 200);
    await ada.sees('Opted back in');
    assert.deepEqual(
      [await reports(stop), await reports({ ...stop, message: 'Stop!', message_id: '53' })],
      [200, 200],
    );
    await app.app().services.replies.confirmStops(new AbortController().signal);
    await app.app().settled();
    const { suppressionList } = app.app().services;
    assert.deepEqual(
      await suppressionList.filterListed('T0SWITCH', [phoneNumberSchema.parse(`+${from}`)]),
      [],
    );
    assert.equal(provider.record.length, 1);
  });

  it('is confirmed later where a limit keeps that back, and not after ten minutes', async (test) => {
    const minute = 60_000;
    const { clock, pass } = runningClock();
    const app = await startTestApp(test, { env, clock });
    const { ada, provider } = app;
    const { reports } = await switchesOnReplies(app, { confirmation });
    await setLimits(app.app().services, 'T0SWITCH', { numbers: { 'messages.minute.person': 1 } });
    const confirmsStops = () => app.app().services.replies.confirmStops(new AbortController().signal);
    const stops = async (sender: string) => {
      const message = { ...toShortCode, sender, received_at: clock.now().toISOString() };
      assert.equal(await reports({ ...message, message: 'STOP' }), 200);
      await eventually(
        async () => threads(app).some(({ head }) => wordsOf(head).includes(sender.slice(-4))),
        'its thread',
      );
      await confirmsStops();
    };
    const [first, second, third] = [from, '2348051234501', '2348051234502'];
    await stops(first);
    await ada.sees(/Stop confirmed\* to \+234805•••4500 by SMS/);
    await stops(second);
    await stops(third);
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [[first]],
    );
    pass(9 * minute);
    await confirmsStops();
    // Either of the two that wait.
    await ada.sees(/Stop confirmed\* to \+234805•••450[12] by SMS/);
    pass(2 * minute);
    await setLimits(app.app().services, 'T0SWITCH', { numbers: { 'messages.minute.person': 0 } });
    await confirmsStops();
    await setLimits(app.app().services, 'T0SWITCH', { numbers: { 'messages.minute.person': 10 } });
    await confirmsStops();
    await app.app().settled();
    assert.equal(provider.record.length, 2);
  });

  it('is not confirmed to a name, where that is off, or again where its answer was lost', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, provider } = app;
    const { reports } = await switchesOnReplies(app, { confirmation });
    assert.equal(await reports({ sender: from, receiver: 'PalmMarket', message: 'STOP' }), 200);
    await ada.sees(/STOP[\s\S]*The number is on the do-not-contact list/);
    const lost = '2348030009003';
    assert.equal(await reports({ ...toShortCode, sender: lost, message: 'STOP' }), 200);
    await ada.sees(/confirmation of the stop to \+234803•••9003 may or may not have been sent/);
    await app.restart();
    await app.app().services.replies.confirmStops(new AbortController().signal);
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [[lost]],
    );
  });
});
