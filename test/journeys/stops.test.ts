import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, eventually, start } from '../support/campaigns.ts';
import { setLimits } from '../support/limits.ts';
import { replyEnv as env, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { from, secondsAgo, shortCode, threads, toShortCode } from '../support/reports/reply-threads.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

describe('an answer', () => {
  const listed = /The number is on the do-not-contact list/;
  const offered = /May be an opt-out/;

  it('stops messages as people write it, and only if it means that', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada } = app;
    const { reports } = await switchesOnReplies(app);
    for (const [index, [message, stops]] of (
      [
        ['STOP STOP', true],
        ['REVOKE', true],
        ['Stop. Thank you', true],
        ['Unsubscribe me', true],
        ['Abeg make una stop dey send me message', true],
        ['Stop by our shop', false],
        ['Don’t stop', false],
        ['Remind me', false],
      ] as const
    ).entries()) {
      const number = `23480512345${10 + index}`;
      assert.equal(await reports({ ...toShortCode, sender: number, message }), 200);
      const shown = wordsOf(await ada.sees(new RegExp(`^${message}$`, 'm')));
      assert.equal(listed.test(shown), stops, message);
      assert.doesNotMatch(shown, offered);
      const [phone] = await app
        .app()
        .services.suppressionList.filterListed(app.teamId, [phoneNumberSchema.parse(`+${number}`)]);
      assert.equal(phone !== undefined, stops, message);
    }
  });

  it('of CANCEL alone stops, and is for a person to decide where our last message asks for it', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, grace } = app;
    const { reports } = await switchesOnReplies(app);
    const cancel = { ...toShortCode, message: 'Cancel', message_id: '81', received_at: secondsAgo(20) };
    await send(ada, { to: `+${from}`, text: 'Reply CANCEL to cancel your visit on Friday' });
    await ada.seesModal('Message sent');
    await ada.closes();
    assert.equal(await reports(cancel), 200);
    const asked = await grace.sees(/^Cancel$/m);
    assert.match(wordsOf(asked), offered);
    // The same report once more, after another message of ours.
    await send(ada, { to: `+${from}`, text: 'Your visit is on Friday' });
    await ada.seesModal('Message sent');
    await ada.closes();
    assert.equal(await reports(cancel), 200);
    await app.app().settled();
    const number = phoneNumberSchema.parse(`+${from}`);
    const { suppressionList } = app.app().services;
    assert.deepEqual(await suppressionList.filterListed(app.teamId, [number]), []);

    await grace.presses('Add to do-not-contact list');
    await grace.seesModal('Do-not-contact list', 'is not on the list');
    await grace.presses('Add');
    await grace.seesModal('Do-not-contact list', '1 number added');
    assert.equal((await suppressionList.filterListed(app.teamId, [number])).length, 1);

    const other = { ...toShortCode, sender: '2348051234599', message: 'Cancel!' };
    assert.equal(await reports(other), 200);
    assert.match(wordsOf(await ada.sees(/^Cancel!$/m)), listed);

    // In a campaign, in the words of the recipient alone.
    const file = 'Phone,Word\n+2348051234597,QUIT\n+2348051234598,NO\n';
    await compose(ada, { file, text: 'Will you come? Else reply {{Word}}.' });
    await start(ada);
    await ada.sees(/\*Done:\* 2 recipients/);
    for (const [sender, message, said] of [
      ['2348051234597', 'Quit!!', offered],
      ['2348051234598', 'Quit.', listed],
    ] as const) {
      assert.equal(await reports({ ...toShortCode, sender, message }), 200);
      assert.match(wordsOf(await ada.sees(message)), said);
    }
  });

  it('that may ask for an end in other words is for a person to decide, in its thread', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada } = app;
    const { reports } = await switchesOnReplies(app);
    assert.equal(await reports({ ...toShortCode, message: 'Hello?' }), 200);
    const { ts } = await ada.sees(/Hello\?/);
    assert.equal(await reports({ ...toShortCode, message: 'Stop, you are disturbing my meeting' }), 200);
    const later = await ada.sees(/disturbing my meeting/);
    assert.equal(later.threadTs, ts);
    assert.match(wordsOf(later), offered);
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal('Do-not-contact list', 'is not on the list');
    await ada.presses('Add');
    await ada.seesModal('Do-not-contact list', '1 number added');
  });
});

describe('a stop', () => {
  const confirmation = 'You get no more messages from us.';

  it('is confirmed once where its sender can receive, however often it is reported', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, provider } = app;
    const { reports } = await switchesOnReplies(app, { confirmation });
    const stop = { ...toShortCode, message: 'STOP', message_id: '41', received_at: secondsAgo(60) };
    assert.deepEqual(await Promise.all([reports(stop), reports(stop)]), [200, 200]);
    const told = await ada.sees(/Opt-out confirmation sent\* to \+234805•••4500/);
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
    await ada.sees(/Opt-out confirmation sent\* to \+234805•••4500/);
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

  it('is confirmed later where a limit keeps that back, and after ten minutes its thread says that it was not, and why', async (test) => {
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
    await ada.sees(/Opt-out confirmation sent\* to \+234805•••4500/);
    await stops(second);
    await stops(third);
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [[first]],
    );
    pass(9 * minute);
    await confirmsStops();
    // Either of the two that wait.
    await ada.sees(/Opt-out confirmation sent\* to \+234805•••450[12]/);
    pass(2 * minute);
    await setLimits(app.app().services, 'T0SWITCH', { numbers: { 'messages.minute.person': 0 } });
    await confirmsStops();
    await setLimits(app.app().services, 'T0SWITCH', { numbers: { 'messages.minute.person': 10 } });
    await confirmsStops();
    const told = await ada.sees(
      /\*Not sent\.\* The opt-out confirmation to \+234805•••450[12] was not sent\.\nA limit on messages was reached\.\nIt won’t be sent again\./,
    );
    assert.ok(threads(app).some(({ head }) => head.ts === told.threadTs));
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
    await ada.sees(/opt-out confirmation to \+234803•••9003 may or may not have been sent/);
    await app.restart();
    await app.app().services.replies.confirmStops(new AbortController().signal);
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [[lost]],
    );
  });
});
