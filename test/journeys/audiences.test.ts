import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, personal, reached, recipients, start } from '../support/campaigns.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';

const options = { env: { ...reportEnv, CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };
const never = new AbortController().signal;

const now = () => new Date().toISOString().slice(0, 19).replace('T', ' ');

/** Connects the provider. Returns what has it report what became of messages, and what people answer. */
async function reporting(app: TestWorkspace) {
  await app.connect();
  const address = await makesReportAddress(app);
  const { provider } = app;
  const post = async (body: unknown) => {
    assert.equal(await postReport(address, JSON.stringify(body), { key: provider.account.key }), 200);
    await app.app().settled();
  };
  return {
    delivers: (reports: Readonly<Record<string, string>>) =>
      post({
        data: Object.entries(reports).map(([receiver, status]) => {
          const sent = provider.record.findLast(({ to }) => to.includes(receiver.slice(1)));
          const { id, from, text } = sent ?? assert.fail('nothing was sent');
          return { message_id: id, receiver, sender: from, message: text, sent_at: now(), status };
        }),
      }),
    answers: (from: string, text: string) =>
      post({
        type: 'inbound',
        sender: from.slice(1),
        message: text,
        received_at: new Date().toISOString(),
        status: 'Received',
      }),
  };
}

/** Sends a campaign to a file of people with names. */
async function sends(
  { ada, channels }: TestWorkspace,
  name: string,
  numbers: readonly string[],
  text = 'Hi',
) {
  const file = ['Name,Phone', ...numbers.map((number, index) => `Name ${index},${number}`)].join('\n');
  await compose(ada, { file, name, text });
  await start(ada, channels.support);
  await ada.seesModal('Started');
  await ada.closes();
  await ada.sees(new RegExp(`\\*${name}\\*[\\s\\S]*\\*Done:\\* ${numbers.length} recipient`));
}

/** Chooses who of a campaign gets a message, in a form that is open, until their number is shown. */
async function chooses(
  user: SlackUser,
  chosen: { from: string; who: string; word?: string },
  size: string | RegExp,
) {
  await user.fills('To', 'Recipients of an earlier campaign');
  await user.fills('Campaign', chosen.from);
  await user.fills('Which ones', chosen.who);
  if (chosen.word !== undefined) {
    await user.fills('Keyword', chosen.word);
  }
  await user.seesModal('New campaign', size);
}

/** Returns the recipients and the texts of the messages that the provider accepted after the first `count`. */
function sentSince({ provider }: TestWorkspace, count: number) {
  const record = provider.record.slice(count);
  return { to: reached(record), texts: [...new Set(record.map(({ text }) => text))].sort() };
}

describe('recipients of a campaign are used again', () => {
  it('those who did not get it, with their columns, in a new campaign', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, provider, channels } = app;
    const { delivers } = await reporting(app);
    const [first = '', second = '', third = '', fourth = ''] = recipients(4);
    await sends(app, 'Sale', [first, second, third, fourth]);
    await delivers({ [first]: 'DELIVERED', [second]: 'Failed', [third]: 'Sent', [fourth]: 'DELIVERED' });
    const before = provider.record.length;
    await ada.types('/sms', 'bulk');
    await ada.seesModal('New campaign');
    await chooses(ada, { from: 'Sale', who: 'Everyone' }, /\n4 recipients\./);
    await ada.fills('Which ones', 'Delivered');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.seesModal('New campaign', /\n2 recipients\./);
    await ada.fills('Message', 'Sorry {{name}}, once more');
    await ada.fills('Which ones', 'Not delivered');
    const { view } = await ada.seesModal('New campaign', /\n1 recipient\./);
    assert.match(wordsOf(view), /Sorry \{\{name\}\}, once more/, 'what was typed is kept');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.submits();
    await ada.seesModal('Campaign review', /\*1 recipient[\s\S]*may have got the earlier campaign’s message/);
    await ada.presses('Edit');
    await ada.seesModal('New campaign', /Not delivered[\s\S]*1 recipient\./);
    await ada.submits();
    await start(ada, channels.support);
    await ada.sees(/\*Sale\*[\s\S]*\*Done:\* 1 recipient/);
    assert.deepEqual(sentSince(app, before), { to: [second], texts: ['Sorry Name 1, once more'] });
  });

  it('those who answered with a word, without those of another campaign', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, provider } = app;
    const { answers } = await reporting(app);
    const [first = '', second = '', third = '', fourth = ''] = recipients(4);
    await answers(fourth, 'Yes, but long before');
    await sends(app, 'Invitation', [first, second, third, fourth]);
    await sends(app, 'Guests', [first, fourth]);
    await answers(first, 'yes!');
    await answers(second, 'No');
    await answers(second, 'I mean: YES please');
    await answers(third, 'Not yesterday');
    const before = provider.record.length;
    await ada.types('/sms', 'bulk');
    await ada.seesModal('New campaign');
    await chooses(ada, { from: 'Invitation', who: 'Replied' }, '3 recipients.');
    await ada.fills('Which ones', 'Didn’t reply');
    await ada.seesModal('New campaign', /\n1 recipient\./);
    await ada.fills('Which ones', 'Replied with a keyword');
    await ada.seesModal('New campaign', 'Enter a word of letters or digits.');
    await ada.fills('Keyword', 'Yes');
    await ada.seesModal('New campaign', '2 recipients.');
    await ada.fills('Exclude recipients of', 'Guests');
    await ada.seesModal('New campaign', /\n1 recipient\./);
    await ada.fills('Message', 'See you');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.submits();
    await start(ada);
    await ada.sees('*Done:* 1 recipient');
    assert.deepEqual(sentSince(app, before), { to: [second], texts: ['See you'] });
  });

  it('without who was erased, and without who stopped messages since', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, provider, teamId } = app;
    const { answers } = await reporting(app);
    const [first = '', second = '', third = ''] = recipients(3);
    await sends(app, 'Sale', [first, second, third]);
    await answers(first, 'STOP');
    const number = phoneNumberSchema.parse(second);
    await app.app().services.erasure.erase({ workspaceIds: [teamId], number, signal: never });
    const before = provider.record.length;
    await ada.types('/sms', 'bulk');
    await ada.seesModal('New campaign');
    await chooses(ada, { from: 'Sale', who: 'Everyone' }, '1 recipient. Skipped: 1 on the do-not-contact');
    await ada.fills('Message', 'Again');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.submits();
    await ada.seesModal('Campaign review', /\*1 recipient[\s\S]*Skipped: 1 on the do-not-contact list/);
    await ada.submits();
    await ada.sees('*Done:* 1 recipient');
    assert.deepEqual(sentSince(app, before).to, [third]);
  });

  it('who was not sent to, once the campaign has ended: a paused one is cancelled first', async (test) => {
    const app = await joinTestApp(test, { env: { ...options.env, CAMPAIGN_MESSAGES_PER_SECOND: '8' } });
    const { ada, provider } = app;
    await app.connect();
    // More than are sent to before it is paused, however slow the machine.
    const numbers = recipients(900);
    await compose(ada, { file: personal(numbers), name: 'Sale', text: 'Hello {{name}}' });
    await start(ada);
    await ada.seesModal('Started');
    await ada.closes();
    await ada.presses('Pause');
    await ada.sees('Paused by');
    await ada.types('/sms', 'bulk');
    await ada.seesModal('New campaign');
    await chooses(ada, { from: 'Sale', who: 'Everyone' }, '900 recipients.');
    const { view } = await ada.seesModal('New campaign', 'A paused campaign has to be cancelled first.');
    assert.doesNotMatch(JSON.stringify(view), /"Not sent"/);
    await ada.closes();
    await ada.presses('Cancel campaign');
    await ada.seesModal('Cancel campaign');
    await ada.submits();
    await ada.seesModal('Campaign', 'Cancelled');
    await ada.closes();
    await app.app().settled();
    const left = numbers.filter((number) => !reached(provider.record).includes(number));
    await ada.types('/sms', 'bulk');
    await ada.seesModal('New campaign');
    await chooses(ada, { from: 'Sale', who: 'Not sent' }, `${left.length} recipients.`);
    await ada.fills('Message', 'Hello again');
    await ada.submits();
    await ada.seesModal('Campaign review', `${left.length} recipients`);
  });

  it('by its creator and admins alone, also where its id is forged', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, grace, slack, provider } = app;
    await app.connect();
    await sends(app, 'Hers', recipients(1));
    await sends({ ...app, ada: grace }, 'Board', recipients(2));
    const { campaigns } = app.app().services;
    const query = { workspaceId: app.teamId, limit: 1 };
    const [board] = await campaigns.listRecent({ ...query, userId: grace.id });
    const [hers] = await campaigns.listRecent({ ...query, userId: ada.id });
    assert.ok(board !== undefined && hers !== undefined);
    const user = { workspaceId: app.teamId, userId: ada.id, isAdmin: false };
    const without = await campaigns.findAudience(user, { campaign: hers.id, part: 'all', without: board.id });
    assert.equal(without.ok, false);

    await ada.types('/sms', 'bulk');
    await ada.seesModal('New campaign');
    await chooses(ada, { from: 'Hers', who: 'Everyone' }, /\n1 recipient\./);
    await ada.fills('Message', 'Hello');
    await ada.fills('Sender ID', 'PalmMarket');
    const { id: viewId, view } = ada.modal() ?? assert.fail();
    assert.doesNotMatch(wordsOf(view), /Board/);
    const before = provider.record.length;
    const rewrite = (payload: unknown) =>
      z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(payload).replaceAll(hers.id, board.id)));
    const { answer } = await slack.forge({ do: 'submit', person: ada.id, viewId }, { rewrite });
    assert.match(JSON.stringify(answer), /"campaign":"These recipients are gone/);
    assert.deepEqual(await campaigns.listRecent({ ...query, states: ['ready'] }), []);
    assert.deepEqual(sentSince(app, before).to, []);
  });

  it('and count for approval as any list does', async (test) => {
    const app = await joinTestApp(test, options);
    const { grace, provider, channels } = app;
    await app.connect();
    await sends(app, 'Sale', recipients(3));
    await switchOnApprovals(grace, { recipients: '2', channel: channels.support });
    const before = provider.record.length;
    await grace.types('/sms', 'bulk');
    await grace.seesModal('New campaign');
    await chooses(grace, { from: 'Sale', who: 'Everyone' }, '3 recipients.');
    await grace.fills('Message', 'From the admin');
    await grace.fills('Sender ID', 'PalmMarket');
    await grace.fills('Route', 'Transactional (DND)');
    await grace.submits();
    await grace.seesModal('Campaign review', 'Needs approval');
    await grace.submits();
    await grace.seesModal('Approval', /Recipients\*\n3/);
    assert.deepEqual(sentSince(app, before).to, []);
  });
});

it('a duplicate has the text, the route, the sender, the name and all recipients of its campaign', async (test) => {
  const app = await joinTestApp(test, options);
  const { ada, provider } = app;
  await app.connect();
  const numbers = recipients(3);
  await sends(app, 'Sale', numbers, 'Hello {{name}}');
  const before = provider.record.length;
  await ada.presses('Duplicate');
  const { view } = await ada.seesModal('New campaign', /\n3 recipients\./);
  assert.match(wordsOf(view), /Hello \{\{name\}\}[\s\S]*PalmMarket[\s\S]*DND[\s\S]*Sale \(copy\)/);
  await ada.submits();
  await ada.seesModal('Campaign review', /\*3 recipients[\s\S]*PalmMarket[\s\S]*DND[\s\S]*Sale \(copy\)/);
  await ada.submits();
  await ada.sees(/\*Sale \(copy\)\*[\s\S]*\*Done:\* 3 recipients/);
  const texts = ['Hello Name 0', 'Hello Name 1', 'Hello Name 2'];
  assert.deepEqual(sentSince(app, before), { to: numbers.toSorted(), texts });
});
