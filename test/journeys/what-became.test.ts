import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { compose, start } from '../support/campaigns.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { createEsim } from '../support/slack/esim-steps.ts';
import { codeReceived, sendCode, sender, verify } from '../support/slack/otp-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { asksSlackbot } from '../support/slack/slackbot.ts';
import { send } from '../support/slack/sms-steps.ts';
import { advanceUntil, steppedTimers } from '../support/stepped-timers.ts';
import { runningClock } from '../support/time/test-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The first time is before any report, the second after all of them; the last is after the retention of 30 days. */
const times = ['ten minutes later', 'an hour later', 'after the retention'] as const;

/** What is read at each of the times, without markup and with TIME for a time; one text where it stays the same. */
type Read = string | readonly [string, string, string];

interface Row {
  thing: string;
  does(app: TestApp): Promise<void>;
  /** By number: what the provider reports within the hour. */
  reports?: Readonly<Record<string, string>>;
  sender?: Read;
  channel?: Read;
  approver?: Read;
  slackbot: Read;
}

const deleted = 'Text and numbers have been deleted.';

const table: readonly Row[] = [
  {
    thing: 'a message that is delivered',
    does: ({ ada }) => sends(ada, '+2348051110001'),
    reports: { '2348051110001': 'DELIVERED' },
    sender: [
      ':outbox_tray: Sent to +234 805 111 0001, waiting for delivery.',
      ':white_check_mark: Delivered to +234 805 111 0001.',
      `:white_check_mark: Delivered to +234805•••0001.\nOpen details\nPalmMarket · Transactional (DND) · 1 page · 4.25 · TIME\n${deleted}`,
    ],
    slackbot: [
      'SMS to +234805•••0001 · from PalmMarket\nTIME · Sent ·',
      'SMS to +234805•••0001 · from PalmMarket\nTIME · Delivered TIME ·',
      'SMS to +234805•••0001 · from PalmMarket\nTIME · Delivered TIME ·',
    ],
  },
  {
    thing: 'a message that is not delivered, in a channel that sees its number',
    does: ({ ada, channels }) => sendsTo(channels.support, ada, '+2348051110002', 'Show numbers and text'),
    reports: { '2348051110002': 'Expired' },
    channel: [
      ':outbox_tray: Sent to +234 805 111 0002, waiting for delivery.\nYour order A1204 is ready',
      'Not delivered to +234 805 111 0002: the phone wasn’t reached in time.\nYour order A1204 is ready',
      'Not delivered to +234805•••0002: the phone wasn’t reached in time.\nPalmMarket',
    ],
    slackbot: [
      'SMS to +234805•••0002 · from PalmMarket\nTIME · Sent ·',
      'SMS to +234805•••0002 · from PalmMarket\nTIME · Not delivered TIME · the phone wasn’t reached in time',
      'SMS to +234805•••0002 · from PalmMarket\nTIME · Not delivered TIME · the phone wasn’t reached in time',
    ],
  },
  {
    thing: 'a message to two, which one of them gets',
    does: ({ ada }) => sends(ada, '+2348051110003, +2348051110004'),
    reports: { '2348051110003': 'DELIVERED', '2348051110004': 'DND Active on Phone Number' },
    sender: [
      ':outbox_tray: Sent to +234 805 111 0003, +234 805 111 0004, waiting for delivery.',
      'Not delivered to 1 of 2 · 1 delivered.\nOpen details\n:x: +234 805 111 0004: not delivered, the number is on Do-Not-Disturb',
      'Not delivered to 1 of 2 · 1 delivered.\nOpen details\nTo +234805•••0003, +234805•••0004\nPalmMarket',
    ],
    slackbot: [
      'SMS to +234805•••0003, +234805•••0004 · from PalmMarket\nTIME · Sent ·',
      'TIME · Not delivered to 1 of 2 · 1 delivered ·',
      'TIME · Not delivered to 1 of 2 · 1 delivered ·',
    ],
  },
  {
    thing: 'a message to two, which one of them gets, in a channel',
    does: ({ ada, channels }) => sendsTo(channels.support, ada, '+2348051110009, +2348051110010'),
    reports: { '2348051110009': 'DELIVERED', '2348051110010': 'Expired' },
    channel: [
      ':outbox_tray: Sent to +234805•••0009, +234805•••0010, waiting for delivery.',
      'Not delivered to 1 of 2 · 1 delivered.\nTo +234805•••0009, +234805•••0010\nPalmMarket',
      'Not delivered to 1 of 2 · 1 delivered.\nTo +234805•••0009, +234805•••0010\nPalmMarket',
    ],
    slackbot: [
      'SMS to +234805•••0009, +234805•••0010 · from PalmMarket\nTIME · Sent ·',
      'SMS to +234805•••0009, +234805•••0010 · from PalmMarket\nTIME · Not delivered to 1 of 2 · 1 delivered ·',
      'SMS to +234805•••0009, +234805•••0010 · from PalmMarket\nTIME · Not delivered to 1 of 2 · 1 delivered ·',
    ],
  },
  {
    thing: 'a message to two, which neither of them gets, for two reasons',
    does: ({ ada }) => sends(ada, '+2348051110011, +2348051110012'),
    reports: { '2348051110011': 'Expired', '2348051110012': 'DND Active on Phone Number' },
    sender: [
      ':outbox_tray: Sent to +234 805 111 0011, +234 805 111 0012, waiting for delivery.',
      ':x: Not delivered to 2 numbers.\nOpen details\n:x: +234 805 111 0011: not delivered, the phone wasn’t reached in time\n:x: +234 805 111 0012: not delivered, the number is on Do-Not-Disturb',
      ':x: Not delivered to +234805•••0011, +234805•••0012.\nOpen details\nPalmMarket',
    ],
    slackbot: [
      'SMS to +234805•••0011, +234805•••0012 · from PalmMarket\nTIME · Sent ·',
      'SMS to +234805•••0011, +234805•••0012 · from PalmMarket\nTIME · Not delivered TIME ·',
      'SMS to +234805•••0011, +234805•••0012 · from PalmMarket\nTIME · Not delivered TIME ·',
    ],
  },
  {
    thing: 'a message whose answer is lost',
    does: ({ ada }) => sends(ada, '+2348030009003', 'Message unconfirmed'),
    sender: [
      'Unconfirmed. The message to +234 803 000 9003 may or may not have been sent.',
      'Unconfirmed. The message to +234 803 000 9003 may or may not have been sent.',
      'Unconfirmed. The message to +234803•••9003 may or may not have been sent.',
    ],
    slackbot: 'SMS to +234803•••9003 · from PalmMarket\nTIME · Unconfirmed ·',
  },
  {
    thing: 'a campaign that is approved, and reaches one of two',
    async does({ ada, grace }) {
      await compose(ada, { pasted: '+2348051110005 +2348051110008', name: 'Sale' });
      await start(ada);
      await ada.seesModal('Approval', 'Waiting for approval');
      await ada.closes();
      await grace.presses('Approve');
      await ada.sees('*Done:* 2 recipients');
    },
    reports: { '2348051110005': 'DELIVERED', '2348051110008': 'Expired' },
    sender: [
      'Sale\n:outbox_tray: Done: 2 recipients · all sent\n',
      'Sale\n:warning: Done: 2 recipients · 1 delivered · 1 not delivered\n',
      'Sale\n:warning: Done: 2 recipients · 1 delivered · 1 not delivered\n',
    ],
    approver: 'Approved by U0ADMIN TIME',
    slackbot: [
      'Campaign “⟦Sale⟧” to 2 recipients · from PalmMarket\nTIME · Done · all sent ·',
      'TIME · Done · 1 delivered · 1 not delivered ·',
      'TIME · Done · 1 delivered · 1 not delivered ·',
    ],
  },
  {
    thing: 'a code that is verified',
    async does(app) {
      const { ada } = app;
      await sendCode(ada, 'SMS', { 'Phone number': '+2348051110006', ...sender });
      await ada.seesModal('Code sent');
      await ada.presses('Verify');
      await verify(ada, codeReceived(app));
      await ada.seesModal('Verified');
      await ada.closes();
    },
    sender: [
      'Verified: +234 805 111 0006, TIME by U0AGENT.',
      'Verified: +234 805 111 0006, TIME by U0AGENT.',
      'Verified: +234805•••0006, TIME by U0AGENT.\nCode sent by SMS TIME\nThe number has been deleted.',
    ],
    slackbot: 'One-time code for +234805•••0006 · SMS\nTIME · Verified TIME · by U0AGENT ·',
  },
  {
    thing: 'a code that is not read back',
    async does({ ada }) {
      await sendCode(ada, 'SMS', { 'Phone number': '+2348051110007', ...sender });
      await ada.seesModal('Code sent');
      await ada.closes();
    },
    sender: [
      'Expired: the code for +234 805 111 0007 by SMS, not verified.',
      'Expired: the code for +234 805 111 0007 by SMS, not verified.',
      'Expired: the code for +234805•••0007 by SMS, not verified.',
    ],
    slackbot: 'One-time code for +234805•••0007 · SMS\nTIME · Expired TIME · not verified ·',
  },
  {
    thing: 'an order of an eSIM',
    async does(app) {
      await createEsim(app);
      await app.ada.closes();
    },
    sender: 'created with Kenya 1 GB, 7 days.',
    slackbot: 'New eSIM · Kenya 1 GB, 7 days · ₦1,800\nTIME · Created ·',
  },
];

it('what became of each thing is told to its sender, the channel, the approver and Slackbot, at each time', async (test) => {
  const { clock, pass } = runningClock();
  const timers = steppedTimers({ from: minute });
  const app = await startTestApp(test, { clock, timers, env: reportEnv });
  const { ada, grace, slack, provider, connect } = app;
  await connect();
  const address = await makesReportAddress(app);
  await switchOnApprovals(grace, { recipients: '1', channel: app.channels.support });
  for (const row of table) {
    await row.does(app);
  }
  const later = async (ms: number) => {
    pass(ms);
    await timers.advance(Math.min(ms, hour));
  };
  const readers = [
    ['sender', ada],
    ['channel', ada],
    ['approver', grace],
  ] as const;
  const places = new Map<string, string>();

  const assertRead = async (at: 0 | 1 | 2) => {
    for (const row of table) {
      for (const [who, person] of readers) {
        const words = row[who];
        if (words === undefined) {
          continue;
        }
        const wanted = typeof words === 'string' ? words : words[at];
        const what = `“${wanted}”, ${times[at]}: ${row.thing}, to the ${who}`;
        const place = `${row.thing}, to the ${who}`;
        const ts = places.get(place);
        const found = await slack.until(
          () =>
            person
              .messages()
              .find((message) => (ts ?? message.ts) === message.ts && plainly(message).includes(wanted)),
          what,
        );
        places.set(place, found.ts);
      }
    }
    const { text } = await asksSlackbot(slack, ada, 'history');
    const told = plainly(text);
    for (const { thing, slackbot } of table) {
      const wanted = typeof slackbot === 'string' ? slackbot : slackbot[at];
      assert.ok(told.includes(wanted), `Slackbot, ${times[at]}: ${thing}: “${wanted}” in ${told}`);
    }
  };

  await later(10 * minute + 1_000);
  await assertRead(0);

  await later(50 * minute);
  for (const [number, status] of table.flatMap(({ reports = {} }) => Object.entries(reports))) {
    const sent = provider.record.find(({ to }) => to.includes(number)) ?? assert.fail(number);
    const report = {
      type: 'outbound',
      message_id: sent.id,
      receiver: number,
      sender: sent.from,
      message: sent.text,
      sent_at: sent.at.slice(0, 19).replace('T', ' '),
      cost: '4.25',
      status,
      channel: 'SMS',
    };
    assert.equal(await postReport(address, JSON.stringify(report), provider.account), 200);
  }
  await assertRead(1);

  await later(30 * day);
  // What deletes the texts is done each hour.
  await advanceUntil(assertRead(2), () => timers.advance(minute));
  const everything = [...ada.messages(), ...grace.messages()].map(plainly).join('\n');
  assert.doesNotMatch(everything, /805 111|8051110|803 000 9003|A1204/);

  await ada.types('/sms', 'history');
  await ada.seesModal('History', 'One-time code for +234805•••0006');
  await ada.presses('Open One-time code for +234805•••0006 · SMS');
  await ada.seesModal('One-time code', 'The number has been deleted.');
  await ada.closes();

  // What Slack shows stays, once the reports are deleted too.
  await later(3 * day);
  await app.app().settled();
  assert.ok(ada.messages().map(plainly).join('\n').includes('Delivered to +234805•••0001.'));
});

async function sends(person: TestApp['ada'], to: string, title = 'Message sent'): Promise<void> {
  await send(person, { to, text: 'Your order A1204 is ready' });
  await person.seesModal(title);
  await person.closes();
}

/** `numbers`: the option to show them in the channel. */
async function sendsTo(channel: string, person: TestApp['ada'], to: string, numbers?: string): Promise<void> {
  await person.types('/sms');
  await person.fills('To', to);
  await person.fills('Sender ID', 'PalmMarket');
  await person.fills('Message', 'Your order A1204 is ready');
  await person.fills('Who sees the result', 'In a channel');
  await person.fills('Channel', channel);
  if (numbers !== undefined) {
    await person.fills('Numbers in the channel', numbers);
  }
  await person.submits();
  await person.seesModal('Message review');
  await person.submits();
  await person.seesModal('Message sent');
  await person.closes();
}

/** Without markup, and with TIME for a time. */
function plainly(shown: Parameters<typeof wordsOf>[0] | string): string {
  return (typeof shown === 'string' ? shown : wordsOf(shown))
    .replaceAll(/<!date[^>]*>|\d+ \w{3} \d{4}, \d+:\d\d [AP]M UTC/g, 'TIME')
    .replaceAll(/<@(\w+)>/g, '$1')
    .replaceAll('\u00a0', ' ')
    .replaceAll('*', '');
}
