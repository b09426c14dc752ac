import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebClient } from '@slack/web-api';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { entries } from '../support/audit/audit-steps.ts';
import { answers, replyEnv as env, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { from, secondsAgo, shortCode, threads, toShortCode } from '../support/reports/reply-threads.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

describe('a message that comes in', () => {
  it('is answered in the thread of its number, and the phone has the answer', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, provider } = app;
    await switchesOnReplies(app);
    await provider.receive({ from, to: shortCode, text: 'Is my order *ready*?' });
    const head = await ada.sees(/Message from \+234805•••4500[\s\S]*Is my order \*ready\*\?/);
    assert.match(wordsOf(head), /\*Open\* · last message from the customer/);
    assert.deepEqual([head.channel, head.threadTs], [support, undefined]);
    await ada.presses('Reply');
    await ada.seesModal('Reply', /\+234 805 123 4500[\s\S]*Is my order/);
    await ada.closes();

    await answers(ada, 'Yes, come by.');
    const outcome = await ada.sees(/Yes, come by\.[\s\S]*\*Sent\*[\s\S]*Sent by <@U0AGENT>/);
    assert.deepEqual([outcome.channel, outcome.threadTs], [support, head.ts]);
    assert.deepEqual(
      provider.record.map((sent) => [sent.from, sent.to, sent.text]),
      [[shortCode, [from], 'Yes, come by.']],
    );
    const [phone] = provider.phones();
    assert.deepEqual(
      phone?.conversations[0]?.texts.map(({ direction, text }) => [direction, text]),
      [
        ['sent', 'Is my order *ready*?'],
        ['received', 'Yes, come by.'],
      ],
    );
    const changed = await ada.sees(/last message from <@U0AGENT>/);
    assert.equal(changed.ts, head.ts);
  });
});

describe('the card of a number', () => {
  it('is the conversation: what was sent and what was answered, and by whom only for admins', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, grace, guy, slack, provider } = app;
    const { reports } = await switchesOnReplies(app);
    slack.setRole(guy.id, 'member');
    const sends = async (text: string) => {
      await send(ada, { to: `+${from}`, text });
      await ada.seesModal('Message sent');
      await ada.closes();
    };
    await sends('Your order is ready');
    await reports({ ...toShortCode, message: 'Where is the shop?' });
    await ada.sees('Where is the shop?');
    await sends('At the gate');

    await ada.types('/number', from);
    const own = wordsOf(await ada.sees('*Conversation*'));
    assert.match(
      own,
      /\*Sent\*\nOpen\nYour order is ready\n:incoming_envelope: \*Replied\*\n<!date[^\n]*\nWhere is the shop\?\n[\s\S]*\*Sent\*\nOpen\nAt the gate\n/,
    );
    await ada.presses('Reply');
    await ada.seesModal('Reply', /\+234 805 123 4500[\s\S]*Where is the shop/);
    await ada.fills('Message', 'By the market');
    await ada.submits();
    await ada.seesModal('Message review', 'By the market');
    await ada.submits();
    await ada.sees(/By the market[\s\S]*\*Sent\*/);
    assert.deepEqual(provider.record.at(-1)?.from, shortCode);
    await ada.closes();

    await guy.types('/number', from);
    const theirs = wordsOf(await guy.sees('*Conversation*'));
    assert.equal(theirs.match(/Message from a colleague\n<!date[^\n]* · \*Sent\*/g)?.length, 3);
    assert.match(theirs, /\*Replied\*\n<!date[^\n]* · text hidden: not a reply to you\n:outbox_tray:/);
    assert.doesNotMatch(theirs, /order|shop|gate|market|PalmMarket|<@|^Open$|^Reply$/m);
    assert.match(theirs, /New message/);

    await grace.types('/number', from);
    await grace.sees(/\*Conversation\*[\s\S]*<@U0AGENT\w*>[\s\S]*Where is the shop\?[\s\S]*By the market/);
  });

  it('is answered from the history of a number too, by who may answer; others write a new message', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, guy, slack, provider } = app;
    const { reports } = await switchesOnReplies(app);
    slack.setRole(guy.id, 'member');
    await send(ada, { to: `+${from}`, text: 'Your order is ready' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await reports({ ...toShortCode, message: 'Where is the shop?' });
    await ada.sees('Where is the shop?');

    await ada.types('/sms', `history ${from}`);
    await ada.seesModal('History', /Conversation with[^\n]*\nReply\n[\s\S]*Where is the shop\?/);
    await ada.presses('Reply');
    await ada.seesModal('Reply', /\+234 805 123 4500[\s\S]*Where is the shop/);
    await ada.fills('Message', 'By the market');
    await ada.submits();
    await ada.seesModal('Message review', 'By the market');
    await ada.submits();
    await ada.sees(/By the market[\s\S]*\*Sent\*/);
    assert.deepEqual(provider.record.at(-1)?.from, shortCode);

    await guy.types('/sms', `history ${from}`);
    const theirs = wordsOf((await guy.seesModal('History', 'Conversation with')).view);
    assert.match(theirs, /text hidden: not a reply to you/);
    assert.doesNotMatch(theirs, /shop|^Reply$/m);
    await guy.presses('New message');
    await guy.seesModal('New message', '+234 805 123 4500');
  });
});

describe('the thread of a number', () => {
  it('is answered by the shortcut on any of its messages, as no command works in a thread', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, grace, guy, provider } = app;
    await switchesOnReplies(app);
    await provider.receive({ from, to: shortCode, text: 'Is my order 0803 123 4567 ready?' });
    const head = await ada.sees(/Message from/);
    const note = await grace.says('Can somebody tell them yes?', head.ts);
    await ada.uses('Send SMS to…', head);
    await ada.seesModal('Reply', /\*To\* \+234 805 123 4500/);
    await ada.closes();
    await ada.uses('Send SMS to…', note);
    await ada.seesModal('Reply', /\*To\* \+234 805 123 4500/);
    await ada.fills('Message', 'Yes, come by.');
    await ada.submits();
    await ada.seesModal('Message review', 'Yes, come by.');
    await ada.submits();
    const outcome = await ada.sees(/Yes, come by\.[\s\S]*\*Sent\*/);
    assert.equal(outcome.threadTs, head.ts);
    assert.deepEqual(
      provider.record.map((sent) => [sent.from, sent.to]),
      [[shortCode, [from]]],
    );
    await guy.uses('Send SMS to…', note);
    await guy.sees('isn’t open to guests');
    assert.equal(guy.modal(), undefined);
    const elsewhere = await grace.says('Her number is 0803 123 4567');
    await ada.closes();
    await ada.uses('Send SMS to…', elsewhere);
    await ada.seesModal('New message', '+234 803 123 4567');
  });

  it('is written to in the form of a message where a name can’t be answered', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada } = app;
    const { reports } = await switchesOnReplies(app);
    await reports({ sender: from, receiver: 'PalmMarket', message: 'Hello?' });
    const head = await ada.sees(/You can’t reply here/);
    await ada.uses('Send SMS to…', head);
    await ada.seesModal('New message', '+234 805 123 4500');
  });

  it('has its later messages too, quietly while somebody is at it, and opens again', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, grace, provider } = app;
    await switchesOnReplies(app);
    await provider.receive({ from, to: shortCode, text: 'Hello?' });
    const { ts } = await ada.sees(/Message from/);
    await provider.receive({ from, to: shortCode, text: 'Anybody there?' });
    const second = await ada.sees('Anybody there?');
    assert.deepEqual([second.threadTs, second.isBroadcast], [ts, true]);

    await Promise.all([ada.presses('Assign to me'), ada.presses('Assign to me')]);
    await ada.sees(/Assigned to\* <@U0AGENT>/);
    await provider.receive({ from, to: shortCode, text: 'I can wait' });
    const third = await ada.sees('I can wait');
    assert.deepEqual([third.threadTs, third.isBroadcast], [ts, undefined]);

    await grace.presses('Mark as done');
    await ada.sees(/\*Done\*/);
    await app.app().settled();
    const changes = (await entries(app)).filter(({ action }) => action.startsWith('reply.'));
    assert.deepEqual(
      changes.map(({ userId, action, subject, surface }) => [userId, action, subject, surface]),
      [
        ['U0AGENT', 'reply.assign', '+234805•••4500', 'button'],
        ['U0ADMIN', 'reply.finish', '+234805•••4500', 'button'],
      ],
    );
    await provider.receive({ from, to: shortCode, text: 'One more thing' });
    const fourth = await ada.sees('One more thing');
    assert.deepEqual([fourth.threadTs, fourth.isBroadcast], [ts, true]);
    await ada.sees(/\*Open\* · last message from the customer/);
    await app.restart();
    const [only, ...others] = threads(app);
    assert.deepEqual([others, only?.replies.length], [[], 3]);
  });

  it('is one, and has each message once, whatever is reported twice, at once or after a restart', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada } = app;
    const { reports } = await switchesOnReplies(app);
    const texts = ['One', 'Two', 'Three', 'Four', 'Five'];
    const sentAt = secondsAgo(60);
    const reportsAll = () =>
      Promise.all(
        [...texts, ...texts].map((message) =>
          reports({ ...toShortCode, message, message_id: `7${message}`, received_at: sentAt }),
        ),
      );
    assert.deepEqual(new Set(await reportsAll()), new Set([200]));
    for (const text of texts) {
      await ada.sees(new RegExp(`^${text}$`, 'm'));
    }
    await app.restart();
    assert.deepEqual(new Set(await reportsAll()), new Set([200]));
    await reports({ ...toShortCode, message: 'Six', message_id: '7One' });
    await ada.sees(/^Six$/m);
    const [only, ...others] = threads(app);
    assert.deepEqual([others.length, only?.replies.length], [0, 5]);
  });

  it('stays one where Slack doesn’t confirm a later message, or takes none in the channel for a while', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, grace, slack } = app;
    const { reports } = await switchesOnReplies(app);
    await reports({ ...toShortCode, message: 'One' });
    const { ts } = await ada.sees(/Message from[\s\S]*One/);
    await ada.presses('Assign to me');
    await ada.sees(/Assigned to\* <@U0AGENT\w*>/);
    await app.app().settled();
    slack.fault('chat.postMessage', { error: 'internal_error' });
    await reports({ ...toShortCode, message: 'Two' });
    await grace.sees(/may be in <#C0SUPPORT\w*> too[\s\S]*Two/);
    slack.fault('chat.postMessage', { error: 'is_archived' });
    await reports({ ...toShortCode, message: 'Three' });
    await grace.sees(/is archived[\s\S]*Three/);
    await reports({ ...toShortCode, message: 'Four' });
    const fourth = await ada.sees('Four');
    assert.equal(fourth.threadTs, ts);
    await ada.presses('Mark as done');
    await ada.sees(/\*Done\*/);
    assert.equal(threads(app).length, 1);
  });

  it('has what the person wrote also where Slack rejects how it is shown', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, slack } = app;
    const { reports } = await switchesOnReplies(app);
    for (const text of ['Is it open?', 'And on Sunday?']) {
      slack.fault('chat.postMessage', { error: 'invalid_blocks' });
      await reports({ ...toShortCode, message: text });
      const shown = await ada.sees(text);
      assert.deepEqual(shown.blocks, []);
      assert.match(shown.text, /\+234805•••4500[\s\S]*Replies turned on by <@U0ADMIN\w*>/);
      await app.app().settled();
    }
  });

  it('begins again with the message that finds it deleted in Slack', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, slack } = app;
    const { reports } = await switchesOnReplies(app);
    const client = new WebClient('xoxb-sandbox-1111', { slackApiUrl: slack.apiUrl });
    await reports({ ...toShortCode, message: 'One' });
    const first = await ada.sees(/Message from[\s\S]*One/);
    await app.app().settled();
    // Slack posts in the channel what is to go into a thread that is gone.
    await client.chat.delete({ channel: support, ts: first.ts });
    await reports({ ...toShortCode, message: 'Two' });
    const second = await ada.sees(/Message from \+234805•••4500[\s\S]*Two/);
    assert.deepEqual([second.channel, second.threadTs], [support, undefined]);
    await app.app().settled();
    await reports({ ...toShortCode, message: 'Three' });
    assert.equal((await ada.sees('Three')).threadTs, second.ts);
    await app.app().settled();
    slack.fault('chat.postMessage', { error: 'thread_not_found' });
    await reports({ ...toShortCode, message: 'Four' });
    const fourth = await ada.sees(/Message from \+234805•••4500[\s\S]*Four/);
    await reports({ ...toShortCode, message: 'Five' });
    assert.equal((await ada.sees('Five')).threadTs, fourth.ts);
    await ada.presses('Assign to me');
    assert.equal((await ada.sees(/Assigned to\* <@U0AGENT>/)).ts, fourth.ts);
  });

  it('shows the number to who may look it up, and keeps it from campaigns', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, provider } = app;
    await switchesOnReplies(app);
    await provider.receive({ from, to: shortCode, text: 'Hello?' });
    await ada.sees(/Message from/);
    await ada.presses('Look up');
    await ada.seesModal('Number lookup', /\+234 805 123 4500[\s\S]*Route to use/);
    await ada.closes();
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal('Do-not-contact list', 'is not on the list');
    await ada.presses('Add');
    await ada.seesModal('Do-not-contact list', '1 number added');
    await ada.closes();
    await ada.presses('Reply');
    await ada.seesModal('Reply');
    await ada.fills('Message', 'Sorry!');
    await ada.submits();
    await ada.seesModal(
      'Message review',
      /The text and the result go to <#C0SUPPORT\w*>[\s\S]*do-not-contact list/,
    );
    await ada.presses('Edit');
    await ada.seesModal('Reply', 'Sorry!');
    await ada.submits();
    await ada.seesModal('Message review');
    await ada.closes();
    assert.deepEqual(provider.record, []);
  });

  it('offers a reply only where the sender can receive, and to who may send', async (test) => {
    const grants = [{ role: 'viewer', to: { kind: 'everyone' } }] as const;
    const app = await joinTestApp(test, { env, grants });
    const { ada, provider } = app;
    const { reports } = await switchesOnReplies(app);
    assert.equal(await reports({ sender: from, receiver: 'PalmMarket', message: 'Hi' }), 200);
    const head = await ada.sees(/Message from \+234805•••4500\* to PalmMarket/);
    assert.match(wordsOf(head), /You can’t reply here: this sender can’t receive replies/);
    assert.doesNotMatch(JSON.stringify(head.blocks), /reply_open/);
    const device = { sender: '2348051234511', receiver: 'My phone', channel: 'chatapp' };
    await reports({ ...device, message: 'Hi!' });
    await ada.sees(/Message from \+234805•••4511\* to My phone/);
    for (const button of ['Reply', 'Mark as done', 'Assign to me']) {
      await ada.presses(button);
      await ada.sees(/Only agents can do this/);
    }
    assert.match(wordsOf(threads(app).at(-1)?.head), /\*Open\*/);
    assert.deepEqual(provider.record, []);
  });
});
