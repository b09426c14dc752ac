import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { eventually } from '../support/campaigns.ts';
import {
  answers,
  replyEnv as env,
  opensReplies,
  switchesOnReplies,
  switchesOnReports,
} from '../support/reports/reply-steps.ts';
import { from, shortCode, threads, toShortCode } from '../support/reports/reply-threads.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

describe('replies', () => {
  it('go to who wrote to the number last until a channel is chosen, and wait where nobody may have them', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, grace, provider, slack, teamId } = app;
    const { reports } = await switchesOnReports(app);
    for (const person of [grace, ada]) {
      await send(person, { to: `+${from}` });
      await person.seesModal('Message sent');
      await person.closes();
    }
    await grace.seesHome(/^(?![\s\S]*choose a channel)[\s\S]*Team activity/);
    assert.equal(await reports({ ...toShortCode, message: 'Is it ready?' }), 200);
    const told = await ada.sees(
      /You wrote to this number last[\s\S]*Message from \+234\s805\s123\s4500[\s\S]*Is it ready\?/,
    );
    assert.ok(grace.messages().every((each) => !wordsOf(each).includes('Is it ready?')));
    await answers(ada, 'Yes, come by.');
    await ada.seesModal('Message sent');
    assert.deepEqual([provider.record.at(-1)?.to, provider.record.at(-1)?.text], [[from], 'Yes, come by.']);
    await grace.seesHome(
      /\*Replies: choose a channel\.\* Until then, each reply goes to the person who last wrote to that number/,
    );
    await ada.seesHome(/^(?![\s\S]*choose a channel)[\s\S]*Recent activity/);

    const { access, replies } = app.app().services;
    const { version } = await access.settings(teamId);
    const viewers = [{ role: 'viewer', to: { kind: 'everyone' } }] as const;
    await access.change({ workspaceId: teamId, userId: grace.id, version, change: () => viewers });
    assert.equal(await reports({ ...toShortCode, message: 'Are you there?' }), 200);
    assert.equal(
      await reports({ sender: '2348051234511', receiver: shortCode, message: 'Who is this?' }),
      200,
    );
    await eventually(async () => (await replies.toPost(teamId)).unposted === 2, 'two that wait');
    await grace.seesHome(
      /\*Replies: choose a channel\.\* 2 replies are waiting for it, and nobody has read them/,
    );
    await grace.presses('Choose channel');
    await grace.seesModal('Replies', /2 replies are waiting for it[\s\S]*Choose a channel/);
    await grace.fills('Incoming messages', ['Post to a channel']);
    await grace.fills('Channel', app.channels.support);
    await grace.submits();
    await grace.sees(/Message from \+234805•••4500[\s\S]*Are you there\?[\s\S]*turned on by <@U0ADMIN/);
    await grace.sees(/Message from \+234805•••4511[\s\S]*Who is this\?/);
    assert.deepEqual(
      slack
        .snapshot(ada.id)
        .messages.filter(
          ({ channel, blocks }) => channel === told.channel && /Are you there/.test(wordsOf(blocks)),
        ),
      [],
    );
    await grace.closes();
    await grace.seesHome(/^(?![\s\S]*(choose a channel|could not be posted))[\s\S]*Team activity/);
  });

  it('are off until a channel is chosen, and say why', async (test) => {
    const app = await joinTestApp(test, { env });
    const { grace, connect } = app;
    await connect();
    await opensReplies(app);
    await grace.seesModal(
      'Replies',
      /No messages arrive yet. Create the webhook URL under \*Reports\* first/,
    );
    await grace.closes();
    await grace.closes();
    const { reports } = await switchesOnReplies(app);
    await opensReplies(app);
    await grace.fills('Incoming messages', []);
    await grace.submits();
    await grace.seesModal('Replies', 'Saved');
    assert.equal(await reports({ ...toShortCode, message: 'Hello?' }), 200);
    await app.app().settled();
    assert.deepEqual(threads(app), []);
  });

  it('come to the admin who chose the channel where that is archived', async (test) => {
    const app = await joinTestApp(test, { env });
    const { grace, provider, slack, channels } = app;
    await switchesOnReplies(app);
    slack.fault('chat.postMessage', { error: 'is_archived' });
    await provider.receive({ from, to: shortCode, text: 'Hello?' });
    const told = await grace.sees(/is archived[\s\S]*Message from \+234\s805\s123\s4500/);
    assert.notEqual(told.channel, channels.support);
    await answers(grace, 'Here I am');
    await grace.sees(/\*Sent\*/);
    assert.deepEqual(threads(app), []);
    assert.equal(provider.record.length, 1);
  });

  it('that Slack took nowhere are shown to every admin, and posted once in the channel that one saves', async (test) => {
    const app = await startTestApp(test, { env });
    const { ada, grace, slack } = app;
    const { reports } = await switchesOnReplies(app);
    slack.setDeactivated(grace.id, true);
    slack.setRole(ada.id, 'admin');
    const refused = () => slack.exchanges.filter(({ what }) => what === 'conversations.open').length;
    for (const [index, text] of ['Are you open?', 'Hello?'].entries()) {
      slack.fault('chat.postMessage', { error: 'is_archived' });
      slack.fault('conversations.open', { error: 'user_disabled' });
      assert.equal(await reports({ ...toShortCode, message: text }), 200);
      await slack.until(() => refused() > index || undefined, 'a message that Slack refuses');
    }
    // What is being delivered ends before the app stops.
    await app.restart();
    assert.deepEqual(threads(app), []);

    await ada.seesHome(
      /2 replies could not be posted\.\* Slack refuses the channel, and nobody has read them/,
    );
    await ada.presses('Choose channel');
    await ada.seesModal('Replies', /2 replies could not be posted[\s\S]*Choose a channel/);
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('Replies', 'Saved');
    await ada.sees(/4500\*? replied[\s\S]*Hello\?/);
    const [thread, ...others] = threads(app);
    assert.ok(thread && others.length === 0);
    assert.match(wordsOf(thread.head), /Are you open\?/);
    assert.deepEqual(
      thread.replies.map((each) => /Hello\?/.test(wordsOf(each))),
      [true],
    );
    await ada.closes();
    await ada.seesHome(/^(?![\s\S]*could not be posted)[\s\S]*Team activity/);
  });
});
