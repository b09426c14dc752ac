import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';

describe('sending', () => {
  it('counts pages while the user types: 70 to a page once a { is in the text', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms');
    await ada.fills('Message', 'a'.repeat(100));
    await ada.seesModal('New message', '1 page · 100 characters, 160 per page');
    await ada.fills('Message', `{${'a'.repeat(99)}`);
    await ada.seesModal('New message', '2 pages · 100 characters, 70 per page because of {');
  });

  it('offers the active sender IDs, and accepts one that is typed', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms');
    assert.deepEqual(await ada.searches('Sender ID', 'palm'), [
      'PalmMarket',
      'PalmBasket',
      'PalmCare',
      'palm',
    ]);
  });

  it('refuses an invalid sender ID at its field', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello', from: 'PalmMarketOnline' });
    assert.match(ada.errorBeside('Sender ID') ?? '', /11/);
  });

  it('refuses more than 100 numbers, and sends to exactly 100', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, index) => `+23480512340${String(index).padStart(2, '0')}`);
    await review(ada, { to: [...numbers(100), '+2348031234567'].join(' '), text: 'Hello' });
    assert.match(ada.errorBeside('To') ?? '', /101 numbers are too many/);
    await ada.fills('To', numbers(100).join('\n'));
    await ada.submits();
    await ada.seesModal('Message review', '100 recipients');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.equal(provider.record[0]?.to.length, 100);
  });

  it('refuses text that needs Unicode, with the reason, unless the dialect names its type', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Привет' });
    assert.equal(ada.errorBeside('Message'), 'Remove or replace: П р и в е т');
  });

  it('sends text that needs Unicode with the type that the dialect names', async (test) => {
    const env = profileEnv({ unicodeType: 'unicode' });
    const { ada, provider, connect } = await joinTestApp(test, { env });
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Привет :tada:' });
    await ada.seesModal('Message review', 'Привет 🎉');
    await ada.submits();
    await ada.seesModal('Message sent');
    const { type, text } = provider.record[0] ?? {};
    assert.deepEqual({ type, text }, { type: 'unicode', text: 'Привет 🎉' });
  });

  it('shows the result in the chosen channel with masked numbers, and says who sent it', async (test) => {
    const { ada, grace, connect, channels } = await joinTestApp(test);
    await connect();
    await sendInto(ada, channels.support);
    const post = await grace.sees('with Switchboard');
    assert.equal(post.channel, channels.support);
    assert.equal(post.onlyFor, undefined);
    assert.ok(!JSON.stringify(post).includes('2348031234567'));
    assert.match(JSON.stringify(post), /\+234803•••4567/);
    assert.doesNotMatch(
      JSON.stringify(post),
      /balance/,
      'what is left on the account is not the channel’s business',
    );
  });

  it('shows full numbers in the channel if the user ticks it', async (test) => {
    const { ada, grace, connect, channels } = await joinTestApp(test);
    await connect();
    await sendInto(ada, channels.support, { showNumbers: true });
    const post = await grace.sees('with Switchboard');
    assert.match(JSON.stringify(post), /\+234\s803\s123\s4567/);
  });

  for (const { reason, error, words } of [
    {
      reason: 'the app is not in the channel',
      error: 'not_in_channel',
      words: 'Type `/invite @Switchboard` there',
    },
    { reason: 'the channel is archived', error: 'is_archived', words: 'is archived. Choose another channel' },
    { reason: 'the channel is gone', error: 'channel_not_found', words: 'Switchboard can’t see the channel' },
    {
      reason: 'Slack does not allow it',
      error: 'restricted_action',
      words: 'Slack doesn’t let Switchboard post in',
    },
  ]) {
    it(`shows the result privately, with what to do, if ${reason}`, async (test) => {
      const { ada, slack, provider, connect, channels } = await joinTestApp(test);
      await connect();
      slack.fault('chat.postMessage', { error });
      await sendInto(ada, channels.support);
      const told = await ada.sees(words);
      assert.match(JSON.stringify(told), /waiting for delivery/);
      const last = wordsOf((await ada.seesModal('Message sent')).view);
      assert.ok(last.includes(words) && last.includes('in your messages with Switchboard'), last);
      assert.equal(provider.record.length, 1);
    });
  }

  it('leads to a new key where the provider accepts the old one no more: an admin by *Connect*', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    for (const user of [ada, grace]) {
      await review(user, { to: '+2348030009401', text: 'Hello' });
      await user.seesModal('Message review');
      await user.submits();
      const outcome = wordsOf(
        (await user.seesModal('Message rejected', 'Ask an admin to reconnect the provider, or')).view,
      );
      assert.match(outcome, /Send again/, 'for when there is another key');
      assert.equal(/\nConnect(?:\n|$)/.test(outcome), user === grace);
    }
    await grace.presses('Connect');
    await grace.seesModal('Provider connection');
  });

  it('returns to the filled-in form on Edit', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Helo' });
    const look = wordsOf((await ada.seesModal('Message review')).view);
    assert.equal(look.match(/\bpage\b/g)?.length, 1, 'the pages of one recipient are said once');
    await ada.presses('Edit');
    const form = await ada.seesModal('New message');
    assert.match(JSON.stringify(form.values), /Helo/);
    await ada.fills('Message', 'Hello');
    await ada.submits();
    await ada.seesModal('Message review', 'Hello');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(
      provider.record.map(({ text }) => text),
      ['Hello'],
    );
  });

  it('shows help for every command', async (test) => {
    const { ada } = await joinTestApp(test);
    for (const command of ['/sms', '/dnd-check', '/switchboard']) {
      await ada.types(command, 'help');
      await ada.sees(`with ${command}`);
    }
  });

  it('removes a review on Cancel, and sends nothing', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    await ada.types('/sms', '+2348031234567, 0803 123 4567 Hello');
    await ada.sees('1 duplicate removed');
    await ada.presses('Cancel');
    const cancelled = await ada.sees('Cancelled. Nothing was sent.');
    assert.doesNotMatch(JSON.stringify(cancelled), /button/);
    assert.equal(provider.record.length, 0);
  });

  async function sendInto(person: SlackUser, channel: string, { showNumbers = false } = {}) {
    await person.types('/sms');
    await person.fills('To', '+2348031234567');
    await person.fills('Sender ID', 'PalmMarket');
    await person.fills('Route', 'Transactional (DND)');
    await person.fills('Message', 'Hello');
    await person.fills('Who sees the result', 'In a channel');
    await person.seesModal('New message', 'Channel');
    await person.fills('Channel', channel);
    if (showNumbers) {
      await person.fills('Numbers in the channel', 'Show numbers and text');
    }
    await person.submits();
    await person.seesModal('Message review');
    await person.submits();
    await person.seesModal('Message sent');
  }
});
