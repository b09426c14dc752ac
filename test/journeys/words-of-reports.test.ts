import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showNumber } from '../../src/domain/access/private-values.ts';
import { phoneNumberSchema, toE164 } from '../../src/domain/phone/phone-number.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, downloads, recipients, start } from '../support/campaigns.ts';
import { switchesOnReplies } from '../support/reports/reply-steps.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { asksSlackbot } from '../support/slack/slackbot.ts';
import { review, send } from '../support/slack/sms-steps.ts';

const options = { env: { ...reportEnv, CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };

/** The provider accepts the message and drops the connection. */
const cutAfter = '+2348030009003';

interface Row {
  status: string;
  /** The headline of the outcome, and its ending. */
  word: string;
  end: string;
  /** What the history shows for it. */
  history: string;
}

const delivered = { word: 'Delivered', end: '.', history: 'Delivered TIME' };
const lost = (why: string) => ({
  word: 'Not delivered',
  end: `: ${why}.`,
  history: `Not delivered TIME · ${why}`,
});

/** Every word the provider is known to use, and one that it doesn't. */
const rows: readonly Row[] = [
  { status: 'Delivered', ...delivered },
  { status: 'DELIVERED | Message delivered to handset', ...delivered },
  { status: 'Message delivered to handset', ...delivered },
  { status: 'Received', ...delivered },
  { status: 'Message Sent', word: 'On its way', end: '.', history: 'On its way TIME' },
  { status: 'DND Active on Phone Number', ...lost('the number is on Do-Not-Disturb') },
  { status: 'Rejected', ...lost('rejected, possibly Do-Not-Disturb') },
  { status: 'Message Failed', ...lost('the provider says “Message Failed”') },
  { status: 'Failed', ...lost('the provider says “Failed”') },
  { status: 'FAILED | Absent subscriber', ...lost('the provider says “Absent subscriber”') },
  { status: 'Undelivered', ...lost('the provider says “Undelivered”') },
  { status: 'UNDELIVERABLE', ...lost('the provider says “UNDELIVERABLE”') },
  { status: 'Expired', ...lost('the phone wasn’t reached in time') },
  {
    status: 'Parked at Operator',
    word: 'Sent',
    end: ': the provider says “Parked at Operator”.',
    history: 'Sent TIME · the provider says “Parked at Operator”',
  },
];

/**
 * Connects the provider, with a channel for replies. Returns a function that posts reports like the provider.
 */
async function reporting(app: TestWorkspace) {
  const { provider } = app;
  const { address } = await switchesOnReplies(app);
  return {
    post: async (...reports: Record<string, unknown>[]) => {
      assert.equal(await postReport(address(), JSON.stringify(reports), provider.account), 200);
    },
    /** The report of the newest message that the provider accepted for a number. */
    reportTo(number: string, change: Record<string, unknown> = {}) {
      const message =
        provider.record.findLast(({ to }) => to.includes(number.slice(1))) ?? assert.fail('nothing was sent');
      return {
        type: 'outbound',
        message_id: message.id,
        receiver: number.slice(1),
        sender: message.from,
        message: message.text,
        sent_at: message.at.slice(0, 19).replace('T', ' '),
        cost: null,
        channel: null,
        status: 'DELIVERED',
        ...change,
      };
    },
  };
}

/** The same words as Slackbot gets them: what the provider says stands between marks. */
const marked = (words: string) => words.replace(/“([^”]*)”/, '“⟦$1⟧”');

/** A pattern for a history line, with any time. */
const lineOf = (text: string) =>
  new RegExp(` · ${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('TIME', '[^\\n]*?')}`);

describe('the words of reports', () => {
  it('say of a message what became of it: in its outcome, in the history and to Slackbot', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, slack } = app;
    const { post, reportTo } = await reporting(app);
    const numbers = recipients(rows.length).map((number) => phoneNumberSchema.parse(number));
    for (const to of numbers) {
      await send(ada, { to: toE164(to) });
      await ada.seesModal('Message sent');
      await ada.closes();
    }
    await post(...rows.map(({ status }, index) => reportTo(String(numbers[index] ?? ''), { status })));
    for (const [index, { status, word, end, history }] of rows.entries()) {
      const to = numbers[index] ?? assert.fail();
      const changed = wordsOf(await ada.sees(`*${word}* to ${showNumber(to, 'person')}${end}`));
      const asked = await asksSlackbot(slack, ada, 'history', { number: toE164(to) });
      assert.match(asked.text, lineOf(marked(history)), status);
      const [, entry = ''] = /id (operation:\S+)/.exec(asked.text) ?? [];
      const told = (await asksSlackbot(slack, ada, 'message_status', { entry })).text;
      assert.ok(told.includes(`${word} to ${showNumber(to, 'record')}${marked(end)}`), told);
      if (word === 'Sent') {
        assert.doesNotMatch(changed + asked.text + told, /accepted/i);
      }
    }
    await ada.seesHome(/\*Sent\* <[^>]*> · the provider says “Parked at Operator”/);
    await ada.presses('See all activity');
    await ada.seesModal('History', /\*Sent\* <[^>]*> · the provider says “Parked at Operator”/);
    await ada.presses('Open');
    await ada.seesModal('Message', /State\*\n\*Sent\* .* · the provider says “Parked at Operator”/);
    assert.doesNotMatch(wordsOf(ada.modal()?.view), /accepted/i);
    await ada.closes();
    await ada.closes();
  });

  it('say of a campaign what became of its recipients, in figures, lists and its file', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, slack } = app;
    const { post, reportTo } = await reporting(app);
    const numbers = recipients(rows.length + 1);
    await compose(ada, { pasted: numbers.join(' '), name: 'Sale', route: 'Promotional (generic)' });
    await start(ada);
    await ada.sees(`*Done:* ${numbers.length} recipients`);
    await ada.closes();
    const again = numbers.at(-1) ?? '';
    await post(
      ...rows.map(({ status }, index) => reportTo(numbers[index] ?? '', { status })),
      reportTo(again, { status: 'Parked at Operator | 1' }),
    );
    const figures = '4 delivered · 1 on the way · 8 not delivered · 2 reported as “Parked at Operator”';
    const summary = await ada.sees(` · ${figures}\n`);
    const reasons = [
      '4: no reason given',
      '1: the number is on Do-Not-Disturb',
      '1: rejected, possibly Do-Not-Disturb',
      '1: the phone wasn’t reached in time',
      '1: the provider says “Absent subscriber”',
    ];
    const [, shown = ''] = /Not delivered: (.*)/.exec(wordsOf(summary)) ?? [];
    assert.deepEqual(shown.split(' · ').sort(), reasons.sort());
    assert.match(wordsOf(summary), /Transactional \(DND\) reaches numbers on Do-Not-Disturb too/);
    assert.match(JSON.stringify(summary.blocks), /"text":"“Parked at Operator”"/);
    assert.doesNotMatch(JSON.stringify(summary), /another status/i);

    const told = await asksSlackbot(slack, ada, 'campaigns', { name: 'Sale' });
    assert.ok(told.text.includes(marked(figures)), told.text);
    const [found, missing] = ['Parked at Operator', 'DND Active on Phone Number'].map(
      (status) => numbers[rows.findIndex((row) => row.status === status)] ?? '',
    );
    const asked = await asksSlackbot(slack, ada, 'history', { number: found ?? '' });
    assert.match(asked.text, /\n.* · Sent .* · the provider says “⟦Parked at Operator⟧”/);
    const { text } = await asksSlackbot(slack, ada, 'history', { number: missing ?? '' });
    assert.match(text, /\n.* · Not delivered .* · the number is on Do-Not-Disturb/);
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns', figures);
    await ada.closes();
    await downloads(ada, `Download all (${numbers.length})`);
    const file = (await resultOf(slack, await ada.sees('All results'))).join('\n');
    assert.match(file, /,Parked at Operator,Parked at Operator,report,/);
    assert.match(
      file,
      /,the provider says “Absent subscriber”,1,Not delivered,"FAILED \| Absent subscriber",report,/,
    );
  });
});

describe('a report', () => {
  it('that public handlers know is read under their types and names', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada } = app;
    const { post, reportTo } = await reporting(app);
    const types = ['delivery_report', 'message_delivery_report', 'outbound_message', 'dlr'];
    const numbers = recipients(types.length).map((number) => phoneNumberSchema.parse(number));
    for (const to of numbers) {
      await send(ada, { to: toE164(to) });
      await ada.seesModal('Message sent');
      await ada.closes();
    }
    const reports = numbers.map((to, index) => {
      const { receiver, sender, ...report } = reportTo(toE164(to), { type: types[index] });
      return { ...report, from: sender, [index % 2 === 0 ? 'to' : 'msisdn']: receiver };
    });
    await post(...reports);
    for (const to of numbers) {
      await ada.sees(`*Delivered* to ${showNumber(to, 'person')}`);
    }
  });

  it('of a message that was received is that of one of ours, or else a message that came in', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, channels } = app;
    const { post, reportTo } = await reporting(app);
    const to = phoneNumberSchema.parse('+2348051234500');
    const received = { type: undefined, status: 'Received' };
    await send(ada, { to: toE164(to) });
    await ada.seesModal('Message sent');
    await ada.closes();
    // Matched by its id.
    await post(reportTo(toE164(to), { ...received, sender: undefined }));
    await ada.sees(`*Delivered* to ${showNumber(to, 'person')}`);
    // Sent from a name to the number. The answer with the id was lost.
    await review(ada, { to: cutAfter, text: 'Your order is on its way' });
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message unconfirmed');
    await ada.closes();
    await post(reportTo(cutAfter, received));
    await ada.sees(/Update on an unconfirmed message[\s\S]*\*Delivered\*/);
    // A reply from the person, even if the provider names the message they reply to.
    const reply = {
      ...received,
      sender: toE164(to).slice(1),
      receiver: '2348095550019',
      received_at: new Date().toISOString(),
    };
    await post({ ...reply, message_id: '77', message: 'Thank you' });
    await ada.sees(/Message from \+234805•••4500[\s\S]*Thank you/);
    assert.equal(await isListed(app, toE164(to)), false);
    await post({ ...reply, message_id: reportTo(toE164(to)).message_id, message: 'STOP' });
    assert.equal(await isListed(app, toE164(to)), true);
    const stopped = await ada.sees(/^STOP$/m);
    assert.equal(stopped.channel, channels.support);
    // Somebody else's name can't be replied to.
    await post({
      ...reply,
      sender: 'Elsewhere',
      receiver: toE164(to).slice(1),
      message_id: '78',
      message: 'Hello',
    });
    await app.app().settled();
    assert.ok(ada.messages().every((message) => !/Elsewhere/.test(wordsOf(message))));
  });
});

async function isListed({ app, teamId }: TestWorkspace, number: string): Promise<boolean> {
  const phone = phoneNumberSchema.parse(number);
  return (await app().services.suppressionList.filterListed(teamId, [phone])).length === 1;
}
