import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, personal, provided, reached, recipients, start } from '../support/campaigns.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

const options = { env: { ...reportEnv, CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };
const rejected = '+2348030009422';

/** Sends *Sale* to these numbers. Returns what has the provider report what became of messages, and what people answer. */
async function sale(app: TestWorkspace, numbers: readonly string[]) {
  const { ada, provider, channels } = app;
  await app.connect();
  const address = await makesReportAddress(app);
  const post = async (body: unknown) => {
    assert.equal(await postReport(address, JSON.stringify(body), { key: provider.account.key }), 200);
    await app.app().settled();
  };
  const file = ['Name,Phone', ...numbers.map((number, index) => `Name ${index},${number}`)].join('\n');
  await compose(ada, { file, name: 'Sale', text: 'Hello {{name}}' });
  await start(ada, channels.support);
  await ada.seesModal('Started');
  await ada.closes();
  await ada.sees(`*Done:* ${numbers.length} recipients`);
  const sentTo = (receiver: string) =>
    provider.record.findLast(({ to }) => to.includes(receiver.slice(1))) ?? assert.fail('nothing was sent');
  return {
    delivers: (reports: Readonly<Record<string, string>>) =>
      post({
        data: Object.entries(reports).map(([receiver, status]) => {
          const { id, from, text, at } = sentTo(receiver);
          const sent_at = at.slice(0, 19).replace('T', ' ');
          return { message_id: id, receiver, sender: from, message: text, sent_at, status };
        }),
      }),
    answers: (from: string) =>
      post({
        type: 'inbound',
        sender: from.slice(1),
        message: 'Yes please',
        received_at: new Date().toISOString(),
        status: 'Received',
      }),
  };
}

/** Presses *Follow up…* under the message of *Sale*: its follow-ups have messages of their own. */
async function opens({ ada, slack }: TestWorkspace): Promise<string> {
  const { channel, ts, blocks } = await ada.sees(/\*Sale\*/);
  const [blockId] = blocks.flatMap((block) => (block.type === 'actions' ? [String(block.block_id)] : []));
  assert.ok(blockId);
  const container = { type: 'message', channel, ts } as const;
  await slack.perform({ do: 'action', person: ada.id, container, blockId, actionId: 'campaign_follow_up' });
  return wordsOf((await ada.seesModal('Follow-up')).view);
}

/** What the form offers, each with its number. */
async function offered(app: TestWorkspace): Promise<string[]> {
  const words = await opens(app);
  await app.ada.closes();
  const groups = /^(?:Not delivered|Not sent|Rejected|Unconfirmed|Didn’t reply|Everyone)(?: \(\d+\))?$/gm;
  return [...new Set(words.match(groups))];
}

async function followsUp(app: TestWorkspace, group: string): Promise<void> {
  await opens(app);
  await app.ada.fills('To', group);
  await app.ada.submits();
}

const sentSince = ({ provider }: TestWorkspace, count: number) =>
  provider.record
    .slice(count)
    .map(({ to, channel, text }) => `${to.join()} ${channel} ${text}`)
    .sort();

describe('a campaign is followed up', () => {
  it('with the same text, an edited one or on another route, to each group with its number', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, provider } = app;
    const [first = '', second = '', third = ''] = recipients(3);
    const { delivers, answers } = await sale(app, [first, second, third, rejected]);
    await delivers({ [first]: 'DELIVERED', [second]: 'Failed', [third]: 'DELIVERED' });
    await answers(first);
    await ada.sees(/ · 2 delivered · 1 not delivered · 1 rejected\n/);
    assert.deepEqual(await offered(app), [
      'Not delivered (1)',
      'Rejected (1)',
      'Didn’t reply (2)',
      'Everyone (4)',
    ]);

    const before = provider.record.length;
    await opens(app);
    await ada.fills('With', 'Another route');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.submits();
    assert.equal(ada.errorBeside('Route'), 'Choose another route.');
    await ada.fills('Route', 'Promotional (generic)');
    await ada.submits();
    await ada.seesModal('Campaign review', /\*1 recipient[\s\S]*Hello Name 1/);
    await ada.submits();
    await provided(provider, before + 1);
    await ada.closes();
    await opens(app);
    await ada.fills('To', 'Didn’t reply (2)');
    await ada.fills('With', 'Edited text');
    await ada.fills('Message', 'Hello {{name}}, did you see this?');
    await ada.submits();
    await ada.seesModal(
      'Campaign review',
      /\*1 recipient[\s\S]*\*1 already got a follow-up\*, and is skipped/,
    );
    await ada.submits();
    await provided(provider, before + 2);
    const to = (number: string) => number.slice(1);
    assert.deepEqual(
      sentSince(app, before),
      [`${to(third)} dnd Hello Name 2, did you see this?`, `${to(second)} generic Hello Name 1`].sort(),
    );
  });

  it('again only where the person says so, also where nobody else is left', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, provider } = app;
    const numbers = recipients(3);
    const { delivers } = await sale(app, numbers);
    const [first = ''] = numbers;
    await delivers({ [first]: 'Failed' });
    await ada.sees(/ · 1 not delivered/);
    await followsUp(app, 'Not delivered (1)');
    await ada.submits();
    await provided(provider, 4);
    await ada.closes();

    await followsUp(app, 'Everyone (3)');
    await ada.seesModal(
      'Campaign review',
      /\*2 recipients[\s\S]*\*1 already got a follow-up\*, and is skipped/,
    );
    await ada.presses('Include this one');
    await ada.seesModal(
      'Campaign review',
      /\*3 recipients[\s\S]*\*1 already got a follow-up\*, and gets this one/,
    );
    await ada.presses('Skip them');
    await ada.seesModal('Campaign review', /\*2 recipients[\s\S]*is skipped/);
    await ada.submits();
    await provided(provider, 6);
    await ada.closes();

    await followsUp(app, 'Everyone (3)');
    await ada.seesModal('No recipients left', 'No recipients left: 3 already got a follow-up.');
    await ada.presses('Include these 3');
    await ada.seesModal(
      'Campaign review',
      /\*3 recipients[\s\S]*\*3 already got a follow-up\*, and get this one/,
    );
    await ada.submits();
    await provided(provider, 9);
    const times = numbers.map((number) => reached(provider.record).filter((each) => each === number).length);
    assert.deepEqual(times, [3, 3, 3]);
  });

  it('once for each of the rejected, and says that it was', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, provider } = app;
    await sale(app, [...recipients(1), rejected]);
    await followsUp(app, 'Rejected (1)');
    await ada.seesModal('Campaign review', '*1 recipient');
    const asked = provider.arrivals.length;
    await ada.submits();
    await ada.sees(/\*Sale \(follow-up: rejected\)\*[\s\S]*\*Done:\* 1 recipient · rejected/);
    await ada.closes();
    assert.equal(provider.arrivals.length, asked + 1);
    assert.deepEqual(await offered(app), ['Didn’t reply (1)', 'Everyone (2)']);
    assert.match(await opens(app), /\*Rejected:\* already followed up\./);
    await ada.presses('Open');
    await ada.seesModal('Campaign', 'Sale (follow-up: rejected)');
  });

  it('without those whom a follow-up reaches that was edited after it was scheduled', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada } = app;
    await sale(app, recipients(2));
    await followsUp(app, 'Everyone (2)');
    await ada.seesModal('Campaign review', '*2 recipients');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2100-01-01');
    await ada.submits();
    await ada.seesModal('Scheduled');
    await ada.closes();
    await ada.presses('Edit');
    await ada.seesModal('Edit campaign');
    await ada.submits();
    await ada.seesModal('New campaign', '2 recipients of Sale (follow-up)');
    await ada.submits();
    await ada.seesModal('Campaign review', '*2 recipients');
    await ada.submits();
    await ada.seesModal('Scheduled');
    await ada.closes();
    await followsUp(app, 'Didn’t reply (2)');
    await ada.seesModal('No recipients left', 'No recipients left: 2 already got a follow-up.');
  });

  it('while it is sent only to whom it was sent', async (test) => {
    const app = await joinTestApp(test, { env: { ...options.env, CAMPAIGN_MESSAGES_PER_SECOND: '8' } });
    const { ada } = app;
    await app.connect();
    // More than are sent to before it is paused, however slow the machine.
    await compose(ada, { file: personal(recipients(900)), name: 'Sale', text: 'Hello {{name}}' });
    await start(ada);
    await ada.seesModal('Started');
    await ada.closes();
    await provided(app.provider, 2);
    await ada.presses('Pause');
    await ada.sees('Paused by');
    assert.match((await offered(app)).join(), /^Didn’t reply \(\d+\)$/);
    await ada.presses('Cancel campaign');
    await ada.seesModal('Cancel campaign');
    await ada.submits();
    await ada.seesModal('Campaign', 'Cancelled');
    await ada.closes();
    await app.app().settled();
    const left = 900 - reached(app.provider.record).length;
    const groups = [`Not sent (${left})`, `Didn’t reply (${900 - left})`, 'Everyone (900)'];
    assert.deepEqual(await offered(app), groups);
  });
});
