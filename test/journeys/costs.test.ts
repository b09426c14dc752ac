import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, recipients, start } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportHeader } from '../support/reports/signed-report.ts';
import { sendCode, sender } from '../support/slack/otp-steps.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { review, send } from '../support/slack/sms-steps.ts';

const profile = { reportSignature: { header: reportHeader }, currency: 'NGN' };
const env = profileEnv(profile);
const first = '+2348051234500';
const second = '+2348051234501';
const ghanaian = ['+233244123451', '+233244123452', '+233244123453'];
const kenyan = ['+254712123456', '+254712123457'];

/** What the provider reports, of each number of its newest messages that `costOf` gives a cost or null. */
function reportsOf(
  { provider }: TestWorkspace,
  costOf: (number: string) => string | null | undefined,
): string {
  return JSON.stringify(
    provider.record.flatMap(({ id, to: numbers, from, text, at }) =>
      numbers.flatMap((number) => {
        const cost = costOf(`+${number}`);
        return cost === undefined
          ? []
          : [
              {
                type: 'outbound',
                message_id: id,
                receiver: number,
                sender: from,
                message: text,
                sent_at: at.slice(0, 19).replace('T', ' '),
                ...(cost !== null && { cost }),
                status: 'DELIVERED',
              },
            ];
      }),
    ),
  );
}

/** Posts reports, and resolves once the costs of `counted` messages in all are counted, which nothing announces. */
async function reports(
  testApp: TestWorkspace & { address: string },
  costOf: Parameters<typeof reportsOf>[1],
  counted: number,
): Promise<void> {
  const { provider, address } = testApp;
  const { key } = provider.account;
  assert.equal(await postReport(address, reportsOf(testApp, costOf), { key }), 200);
  while ((await countedMessages(testApp)) < counted) {
    await pause(10);
  }
}

async function countedMessages({ app, teamId }: TestWorkspace): Promise<number> {
  const { costMonths } = app().services;
  return (await costMonths.month({ workspaceId: teamId, userId: '', scope: 'everyone' })).total.messages;
}

async function sends(person: SlackUser, to: string): Promise<void> {
  await send(person, { to });
  await person.seesModal('Message sent');
  await person.closes();
}

async function opensCosts(person: SlackUser): Promise<void> {
  await person.seesHome('Connected');
  await person.presses('Open costs');
  await person.seesModal('Costs');
}

describe('what was charged', () => {
  it('stands in the outcome, the history and Home, and is the price of the next message', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, grace, connect } = testApp;
    await connect();
    const address = await makesReportAddress(testApp);
    const app = { ...testApp, address };
    await review(ada, { to: first, text: 'Your order is on its way' });
    await ada.seesModal('Message review', 'Cost unknown: admins can set a price under Costs');
    await ada.submits();
    await ada.seesModal('Message sent');
    await ada.closes();
    await reports(app, () => '4.5', 1);
    await ada.sees(/\*Delivered\*[\s\S]*1 page · ₦4\.50 ·/);

    await review(ada, { to: second, text: 'And it has arrived' });
    await ada.seesModal(
      'Message review',
      /about ₦4\.50 \(₦4\.50 a page, median of the last 30 days\) · balance ₦/,
    );
    await ada.submits();
    await ada.seesModal('Message sent');
    await ada.closes();
    await reports(app, (number) => (number === second ? '5' : undefined), 2);
    await ada.seesHome('Recent activity');
    await ada.presses('See all activity');
    await ada.seesModal('History');
    await ada.presses('Open');
    await ada.seesModal(
      'Message',
      /₦5 charged for 1 message · estimated ₦4\.50[\s\S]*a page cost ₦5, estimated ₦4\.50/,
    );
    await ada.closes();
    await ada.closes();

    await opensCosts(ada);
    const own = await ada.seesModal(
      'Costs',
      /₦9\.50 for 2 messages \(only your messages\)[\s\S]*By sender\*\nPalmMarket: /,
    );
    assert.doesNotMatch(wordsOf(own.view), /By person|budget/);
    await opensCosts(grace);
    await grace.seesModal('Costs', /By person\*\n<@\w+>: ₦9\.50 for 2 messages/);
    await grace.presses('Page budget');
    await grace.seesModal('Limits', 'Page budget and countries');
  });
});

describe('the cost of one-time codes', () => {
  it('is summed under the sender that they came from', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, connect } = testApp;
    await connect();
    const address = await makesReportAddress(testApp);
    for (const way of ['SMS', 'SMS (provider’s code)', 'Voice call']) {
      await sendCode(ada, way, { 'Phone number': first, ...(way !== 'Voice call' && sender) });
      await ada.seesModal('Code sent');
      await ada.closes();
    }
    await reports({ ...testApp, address }, () => '4.5', 3);
    await opensCosts(ada);
    await ada.seesModal(
      'Costs',
      /₦13\.50 for 3 messages[\s\S]*By sender\*\nPalmMarket: ₦9 for 2 messages\nNo sender ID: ₦4\.50 for 1 message/,
    );
  });
});

describe('the cost of a campaign', () => {
  it('is estimated by country, and what was charged is explained, though reports come twice and late', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, connect } = testApp;
    await connect();
    const address = await makesReportAddress(testApp);
    const app = { ...testApp, address };
    await sends(ada, first);
    await sends(ada, ghanaian[0] ?? '');
    await reports(app, (number) => (number === first ? '4.25' : '20'), 2);

    const nigerian = recipients(4);
    await compose(ada, { pasted: [...nigerian, ...ghanaian, ...kenyan].join(' ') });
    await ada.seesModal(
      'Campaign review',
      /about ₦77 for 7 of 9 pages \(Nigeria ₦4\.25 a page, Ghana ₦20 a page, median of the last 30 days\) · no price for 2 pages to Kenya: admins can set one under Costs · balance ₦[\d,.]+\n/,
    );
    await start(ada);
    await ada.sees('*Done:* 9 recipients');
    const costs = new Map<string, string | null>([
      ...nigerian.map((number, index) => [number, index === 0 ? '0' : '4.15'] as const),
      [ghanaian[1] ?? '', '20'],
      [kenyan[0] ?? '', null],
    ]);
    await reports(app, (number) => costs.get(number), 7);
    await reports(app, (number) => costs.get(number), 7);
    await ada.seesHome('Connected');
    await ada.presses('Campaigns');
    await ada.seesModal('Campaigns');
    await ada.presses('Open');
    const status = await ada.seesModal(
      'Campaign',
      /₦32\.45 charged for 5 messages · estimated ₦77 for 7 of 9 pages/,
    );
    assert.match(wordsOf(status.view), /1 message cost nothing · no cost reported for 4 messages/);
    await ada.sees(/delivered[\s\S]*₦32\.45 charged for 5 messages/);
    await reports(app, (number) => (number === kenyan[0] ? '60.5' : undefined), 8);
    await ada.sees(/delivered[\s\S]*₦92\.95 charged for 6 messages/);
    await ada.closes();
    await ada.closes();
    await ada.seesHome('Connected');
    await ada.presses('Campaigns');
    await ada.seesModal('Campaigns');
    await ada.presses('Open');
    await ada.seesModal('Campaign', /₦92\.95 charged for 6 messages/);
  });

  it('is not shown in a channel', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, connect, channels } = testApp;
    await connect();
    const address = await makesReportAddress(testApp);
    await sends(ada, first);
    await reports({ ...testApp, address }, () => '4.25', 1);
    await compose(ada, { pasted: recipients(2).join(' ') });
    await start(ada, channels.support);
    const summary = await ada.sees('*Done:* 2 recipients');
    assert.doesNotMatch(wordsOf(summary), /Cost|charged|₦/);
    await reports({ ...testApp, address }, () => '4.25', 3);
    const reported = await ada.sees(/ · all delivered/);
    assert.equal(reported.ts, summary.ts);
    assert.doesNotMatch(wordsOf(reported), /Cost|charged|₦/);
  });
});

describe('the amount of the provider’s history', () => {
  for (const amount of ['cost', 'other'] as const) {
    it(`${amount === 'cost' ? 'is a cost' : 'is left aside'} where the profile says ${amount}`, async (test) => {
      const history = profileEnv({ ...profile, historyPath: '/api/sms/inbox', historyAmount: amount });
      const testApp = await joinTestApp(test, { env: { ...env, ...history } });
      const { ada, connect } = testApp;
      await connect();
      await sends(ada, first);
      await ada.seesHome('Recent activity');
      await ada.presses('See all activity');
      await ada.seesModal('History');
      await ada.presses('Open');
      await ada.presses('Check delivery status');
      await ada.seesModal('Provider’s answer');
      while (amount === 'cost' && (await countedMessages(testApp)) === 0) {
        await pause(10);
      }
      await review(ada, { to: first, text: 'Again' });
      await ada.seesModal(
        'Message review',
        amount === 'cost'
          ? 'Cost: about ₦4.25 (₦4.25 a page'
          : 'Cost unknown: admins can set a price under Costs',
      );
    });
  }
});
