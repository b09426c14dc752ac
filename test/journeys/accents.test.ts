import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { compose, provided, start } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { opensReplies, replyEnv, switchesOnReports } from '../support/reports/reply-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { asksSlackbot } from '../support/slack/slackbot.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';

const to = '+2348031234568';
const typed = 'Ṣé o ti gba owó náà, Ọláyínká? https://palm.ng/a';
const sent = 'Se o ti gba owo naa, Olayinka? https://palm.ng/a';

describe('a text of the settings with accents', () => {
  it('is saved without them by a person’s choice: the text of codes', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await grace.types('/switchboard');
    await grace.seesModal('Switchboard');
    await grace.presses('Change one-time codes');
    await grace.seesModal('One-time codes');
    await grace.fills('Text of the SMS', 'Nọ́mbà rẹ: <code>');
    await grace.fills('Accents', 'Send without accents');
    await grace.seesModal('One-time codes', 'ẹ → e');
    await grace.submits();
    await grace.seesModal('One-time codes', 'Nomba re:');
    await ada.types('/otp', to);
    await ada.seesModal('One-time code', 'Nomba re:');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.submits();
    await ada.seesModal('Code sent');
    assert.match(String(provider.record.at(-1)?.text), /^Nomba re: \d{6}$/);
  });

  it('is saved without them by a person’s choice: the confirmation of an opt-out', async (test) => {
    const app = await joinTestApp(test, { env: replyEnv });
    await app.connect();
    const { grace } = app;
    await switchesOnReports(app);
    await opensReplies(app);
    await grace.fills('Incoming messages', ['Post to a channel']);
    await grace.fills('Channel', app.channels.support);
    await grace.fills('Opt-outs', ['Confirm by SMS']);
    await grace.fills('Text of the SMS', 'Ẹ ṣé. A ti dáwọ́ dúró.');
    await grace.fills('Accents', 'Send without accents');
    await grace.seesModal('Replies', 'Ẹ → E');
    await grace.submits();
    await grace.seesModal('Replies', /Saved[\s\S]*E se\. A ti dawo duro\./);
  });
});

describe('a message with accents', () => {
  it('is sent without them by a person’s choice in the form, and its review shows what changes', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms');
    await ada.fills('To', to);
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Message', typed);
    await ada.seesModal('New message', 'Remove or replace, or send without accents.');
    await ada.submits();
    assert.match(ada.errorBeside('Message') ?? '', /Remove or replace/);
    await ada.fills('Accents', 'Send without accents');
    await ada.seesModal('New message', /1 page · 48 characters[\s\S]*á → a, à → a, Ọ → O, í → i/);
    await ada.submits();
    const shown = wordsOf((await ada.seesModal('Message review', sent)).view);
    assert.match(shown, /\*Sent without accents\*: Ṣ → S, é → e, ó → o/);
    await ada.presses('Edit');
    const form = wordsOf((await ada.seesModal('New message', typed)).view);
    assert.match(form, /Sent without accents/);
    await ada.submits();
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(
      provider.record.map(({ text }) => text),
      [sent],
    );
  });

  it('can be typed whole: the answer offers it, and the review is sent', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    await ada.types('/sms', `${to} ${typed}`);
    await ada.sees('Remove or replace');
    await ada.presses('Send without accents');
    await ada.sees('Sent without accents');
    assert.equal(provider.record.length, 0);
    await ada.presses('Send');
    await ada.sees('*Sent* to');
    assert.equal(provider.record[0]?.text, sent);
  });

  it('is not asked about where all text can be sent', async (test) => {
    const { ada, connect } = await joinTestApp(test, { env: profileEnv({ unicodeType: 'unicode' }) });
    await connect();
    await review(ada, { to, text: typed });
    const shown = wordsOf((await ada.seesModal('Message review', typed)).view);
    assert.doesNotMatch(shown, /accents/);
    await ada.presses('Edit');
    assert.doesNotMatch(wordsOf((await ada.seesModal('New message')).view), /accents/i);
  });

  it('is drafted by Slackbot for the person to choose', async (test) => {
    const { ada, grace, slack, provider, connect } = await joinTestApp(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    const { text } = await asksSlackbot(slack, ada, 'draft_message', { to, text: typed });
    assert.match(text, /Choose Send without accents or Edit there/);
    await ada.presses('Send without accents');
    await ada.sees('Sent without accents');
    await ada.presses('Send');
    await ada.sees('*Sent* to');
    assert.equal(provider.record[0]?.text, sent);
  });
});

describe('a template with accents', () => {
  it('keeps the choice, in messages and in the short form', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms', 'template');
    await ada.presses('New template');
    await ada.fills('Name', 'Owó');
    await ada.fills('Message', typed);
    await ada.seesModal('New template', 'or send without accents');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.submits();
    assert.match(ada.errorBeside('Message') ?? '', /Remove or replace/);
    await ada.fills('Accents', 'Send without accents');
    await ada.submits();
    await ada.seesModal('Template', /Saved\.[\s\S]*Se o ti gba[\s\S]*Sent without accents/);
    await ada.closes();
    await ada.closes();
    await ada.types('/sms', `template Owó ${to}`);
    await ada.sees('Sent without accents');
    await ada.presses('Send');
    await ada.sees('*Sent* to');
    await ada.types('/sms');
    await ada.fills('Template', 'Owó');
    await ada.seesModal('New message', /Ṣé o ti gba[\s\S]*Sent without accents/);
    await ada.fills('To', to);
    await ada.submits();
    await ada.seesModal('Message review', sent);
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(
      provider.record.map(({ text }) => text),
      [sent, sent],
    );
  });
});

describe('a campaign to names with accents', () => {
  const names = ['Ọláyínká', 'Ɗanladi', 'Ada'];
  const file = ['Name,Phone', ...names.map((name, index) => `${name},0805000001${index}`)].join('\n');
  const text = 'Hi {{name}}, your order is ready';
  const texts = ['Hi Ada', 'Hi Danladi', 'Hi Olayinka'].map((hi) => `${hi}, your order is ready`);
  const textsOf = (record: readonly { text: string }[]) => record.map((message) => message.text).sort();

  it('reaches all of them once a person chooses so in the review, and keeps the choice in a copy', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await compose(ada, { file, text });
    await ada.seesModal('Campaign review', /2 rows skipped\*: 2 with accents, which can’t be sent: press/);
    await ada.presses('Send without accents');
    const shown = wordsOf((await ada.seesModal('Campaign review', '3 recipients')).view);
    assert.match(shown, /\*Sent without accents\*: Ọ → O, á → a, í → i, Ɗ → D/);
    assert.match(shown, /Hi Olayinka, your/);
    assert.doesNotMatch(shown, /skipped/);
    await ada.presses('Edit');
    await ada.seesModal('New campaign', 'Send without accents');
    await ada.submits();
    await start(ada);
    await provided(provider, 3);
    assert.deepEqual(textsOf(provider.record), texts);
    await ada.sees('*Done:* 3 recipients');
    await ada.presses('Duplicate');
    await ada.seesModal('New campaign', 'Send without accents');
    await ada.submits();
    await ada.seesModal('Campaign review', '3 recipients');
    await start(ada);
    await provided(provider, 6);
    assert.deepEqual(textsOf(provider.record.slice(3)), texts);
  });

  it('offers it where nobody is left, and for its own text', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await compose(ada, { file: 'Name,Phone\nṢadé,08050000010', text });
    await ada.seesModal('Import failed', 'No recipients left');
    await ada.presses('Send without accents');
    await ada.seesModal('Campaign review', 'Hi Sade');
    await ada.presses('Edit');
    await ada.fills('Message', 'Ẹ kú àárọ̀');
    await ada.submits();
    await ada.seesModal('Campaign review', 'E ku aaro');
  });
});
