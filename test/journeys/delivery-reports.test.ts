import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv, reportHeader, reportOf } from '../support/reports/signed-report.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';
import { review, send, startFrom } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const env = reportEnv;

/** The provider takes the message and cuts the connection. */
const cutAfter = '+2348030009003';

const to = '+2348051234500';

const inFull = '+234 805 123 4500';

/** Sends a message whose outcome is shown in a channel. `shown`: the option that has numbers in full there. */
async function sendInChannel(
  { ada, channels }: TestWorkspace,
  { shown, channel = channels.support }: { shown?: string | undefined; channel?: string } = {},
): Promise<void> {
  await ada.types('/sms');
  await ada.seesModal('New message');
  await ada.fills('To', to);
  await ada.fills('Route', 'Transactional (DND)');
  await ada.fills('Sender ID', 'PalmMarket');
  await ada.fills('Message', 'Hello');
  await ada.fills('Who sees the result', 'In a channel');
  await ada.fills('Channel', channel);
  if (shown !== undefined) {
    await ada.fills('Numbers in the channel', shown);
  }
  await ada.submits();
  await ada.seesModal('Message review');
  await ada.submits();
}

forOneAndThreeInstances(() => {
  describe('delivery reports', () => {
    it('change an outcome in place, and are in the history', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider, connect } = app;
      await connect();
      const { key } = provider.account;
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      const told = await ada.sees(/^:outbox_tray: \*Sent\* to .*, waiting for delivery/);
      assert.equal(await postReport(address, reportOf(app, { status: 'Message Sent' }), { key }), 200);
      await ada.sees(/^:outbox_tray: \*On its way\* to \+234/);
      assert.equal(await postReport(address, reportOf(app), { key }), 200);
      const changed = await ada.sees(/^:white_check_mark: \*Delivered\* to \+234/);
      assert.equal(changed.ts, told.ts);
      assert.doesNotMatch(wordsOf(changed), /On its way|waiting for delivery|<!date.*<!date/s);
      await ada.closes();
      await ada.types('/sms', 'history');
      await ada.seesModal('History', /\*Delivered\* <!date/);
    });
  });

  describe('a delivery report', () => {
    it('that names another number than the message went to is left aside and counted', async (test) => {
      const app = await startTestApp(test, { env, instances: 1 });
      const { ada, provider, connect, url } = app;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      const failed = reportOf(app, { receiver: '2348039999999', status: 'Message Failed' });
      assert.equal(await postReport(address, failed, provider.account), 200);
      const delivered = reportOf(app, { receiver: '0805 123 4500' });
      assert.equal(await postReport(address, delivered, provider.account), 200);
      await ada.sees(/\*Delivered\* to \+234/);
      assert.ok(!ada.messages().some((message) => /not delivered/i.test(wordsOf(message))));
      const metrics = await (await fetch(`${url()}/metrics`)).text();
      assert.match(metrics, /delivery_report_items_total\{outcome="left_aside"\} 1$/m);
      assert.match(metrics, /delivery_report_items_total\{outcome="taken"\} 1$/m);
    });

    it('of a message whose answer was lost tells its sender once how it ended', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider, connect } = app;
      await connect();
      const { key } = provider.account;
      const address = await makesReportAddress(app);
      await review(ada, { to: cutAfter, text: 'Your order is on its way' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message unconfirmed');
      await ada.sees(/may or may not have been sent/);
      const body = reportOf(app, { status: 'DND Active on Phone Number' });
      assert.equal(await postReport(address, body, { key }), 200);
      const words =
        /Update on an unconfirmed message[\s\S]*\*Not delivered\* to .*: the number is on Do-Not-Disturb/;
      await ada.sees(words);
      assert.equal(await postReport(address, body, { key }), 200);
      assert.equal(await postReport(address, reportOf(app), { key }), 200);
      await ada.closes();
      await ada.types('/sms', 'history');
      await ada.seesModal('History', /\*Delivered\* <!date/);
      assert.equal(ada.messages().filter((message) => words.test(wordsOf(message))).length, 1);
      assert.equal(provider.record.length, 1);
    });

    it('of a message whose answer was lost changes all that its sender was told', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider, connect } = app;
      await connect();
      const address = await makesReportAddress(app);
      await review(ada, { to: cutAfter, text: 'Your order is on its way' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message unconfirmed');
      const first = await ada.sees(/may or may not have been sent/);
      await postReport(address, reportOf(app, { status: 'Message Sent' }), provider.account);
      const told = await ada.sees(/Update on an unconfirmed message[\s\S]*On its way/);
      await postReport(address, reportOf(app), provider.account);
      const changed = await ada.sees(/Update on an unconfirmed message[\s\S]*\*Delivered\*/);
      assert.equal(changed.ts, told.ts);
      assert.match(wordsOf(ada.messages().find(({ ts }) => ts === first.ts) ?? first), /\*Delivered\*/);
    });

    it('is taken beside what cannot be read or is too old, and so is a stop, whatever it is written like', async (test) => {
      const app = await startTestApp(test, { env, instances: 1 });
      const { ada, provider, connect, url } = app;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      const change = (fields: Record<string, unknown>): unknown => JSON.parse(reportOf(app, fields));
      const body = [
        change({ receiver: undefined }),
        change({ sent_at: '2021-03-09 10:21:47' }),
        { type: 'device', status: 'offline' },
        change({ type: 'inbound', sender: '0803 000 1177', message: 'STOP', status: 'Received' }),
        change({ message_id: '17', receiver: '15550000000', status: 'Held by 08030001177' }),
        change({ message_id: '18', receiver: '15550000000', status: 'held by 08030001177 | again' }),
        change({ status: 'Message Failed' }),
      ];
      assert.equal(await postReport(address, JSON.stringify(body), provider.account), 200);
      await ada.sees(/\*Not delivered\* to .*: the provider says “Message Failed”/);
      const stopped = phoneNumberSchema.parse('+2348030001177');
      const { suppressionList } = app.app().services;
      assert.deepEqual(await suppressionList.filterListed('T0SWITCH', [stopped]), [stopped]);
      const metrics = await (await fetch(`${url()}/metrics`)).text();
      const counted = [...metrics.matchAll(/delivery_report_items_total\{outcome="(\w+)"\} (\d+)/g)];
      assert.deepEqual(Object.fromEntries(counted.map(([, outcome, count]) => [outcome, Number(count)])), {
        taken: 4,
        unreadable: 1,
        stale: 1,
        left_aside: 1,
      });
      assert.match(metrics, /^switchboard_unknown_delivery_statuses_total 2$/m);
      assert.match(app.log(), /"unreadable":1,"stale":1/);
      assert.deepEqual(app.log().match(/"status":"held[^"]*"/gi), ['"status":"Held by •••"']);
      assert.doesNotMatch(app.log(), /8030001177|5550000000/);
    });

    it('in a channel changes what everybody sees there', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider, connect, channels } = app;
      await connect();
      const address = await makesReportAddress(app);
      await sendInChannel(app);
      const { ts } = await ada.sees(/Sent by <@U0AGENT\w*>/);
      await postReport(address, reportOf(app, { status: 'Odd words' }), provider.account);
      const changed = await ada.sees(/the provider says “Odd words”/);
      assert.deepEqual([changed.ts, changed.channel], [ts, channels.support]);
      assert.doesNotMatch(wordsOf(changed), /balance/);
    });

    it('changes what a sender sees where the channel could not be posted in', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider, connect, channels } = app;
      await connect();
      const address = await makesReportAddress(app);
      await sendInChannel(app, { channel: channels.campaigns });
      const told = await ada.sees(/Not posted: [\s\S]*\*Sent\*/);
      await postReport(address, reportOf(app), provider.account);
      const changed = await ada.sees(
        /This was meant for <#C\w+>, and may be missing there\.[\s\S]*\*Delivered\*/,
      );
      assert.equal(changed.ts, told.ts);
    });

    for (const shown of ['Show numbers and text', undefined]) {
      it(`days later leaves numbers ${shown === undefined ? 'masked' : 'in full'} that stood in the channel like that`, async (test) => {
        const { clock, pass } = runningClock();
        const app = await startTestApp(test, { env, clock });
        const { ada, provider, connect } = app;
        await connect();
        const address = await makesReportAddress(app);
        await sendInChannel(app, { shown });
        const posted = await ada.sees(/Sent by <@U0AGENT>/);
        pass(3 * 24 * 60 * 60_000);
        await postReport(address, reportOf(app), provider.account);
        const changed = await ada.sees(/\*Delivered\*/);
        assert.deepEqual([changed.ts, changed.channel], [posted.ts, support]);
        for (const said of [posted, changed]) {
          assert.equal(wordsOf(said).includes(inFull), shown !== undefined, wordsOf(said));
        }
      });
    }

    it('tells who typed the whole message once that it was not delivered, and changes that message', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, grace, provider, connect } = app;
      await connect();
      await startFrom(grace, 'PalmMarket');
      await grace.closes();
      const address = await makesReportAddress(app);
      await ada.types('/sms', `${to} Your order is ready`);
      await ada.sees('Your message is ready');
      await ada.presses('Send');
      const first = await ada.sees(/\*Sent\* to .*\. You’ll get a message if the provider reports it as not/);
      assert.doesNotMatch(wordsOf(first), /waiting/);
      assert.equal(
        await postReport(address, reportOf(app, { status: 'Message Sent' }), provider.account),
        200,
      );
      const failed = reportOf(app, { status: 'DND Active on Phone Number' });
      assert.equal(await postReport(address, failed, provider.account), 200);
      const words = new RegExp(`\\*Not delivered\\* to ${inFull.replace('+', '\\+').replaceAll(' ', '\\s')}`);
      const told = await ada.sees(words);
      assert.deepEqual([told.channel === first.channel, told.onlyFor], [false, undefined]);
      assert.equal(await postReport(address, failed, provider.account), 200);
      assert.equal(await postReport(address, reportOf(app), provider.account), 200);
      const changed = await ada.sees(/\*Delivered\* to \+234/);
      assert.equal(changed.ts, told.ts);
      assert.equal(ada.messages().filter((message) => words.test(wordsOf(message))).length, 0);
    });

    it('that comes before its outcome could be posted is told with that, and in no other message', async (test) => {
      const { clock, pass } = runningClock();
      const app = await startTestApp(test, { env, clock });
      const { ada, provider, connect, slack } = app;
      await connect();
      const address = await makesReportAddress(app);
      slack.faultBy((method) => (method === 'conversations.open' ? { status: 503 } : undefined));
      await send(ada, { to });
      await ada.seesModal('Message sent');
      await ada.closes();
      assert.equal(await postReport(address, reportOf(app, { status: 'Expired' }), provider.account), 200);
      await ada.seesHome(/Not delivered/);
      slack.faultBy(() => undefined);
      pass(60 * 60_000);
      await ada.sees(/\*Not delivered\* to/);
      // Whatever else is due has been posted then.
      await app.stopApp();
      assert.equal(ada.messages().filter((message) => wordsOf(message).includes('+234')).length, 1);
    });

    it('days later still names the number to its sender', async (test) => {
      const { clock, pass } = runningClock();
      const app = await startTestApp(test, { env, clock });
      const { ada, provider, connect } = app;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      const told = wordsOf(await ada.sees('waiting for delivery'));
      pass(3 * 24 * 60 * 60_000);
      await postReport(address, reportOf(app), provider.account);
      const changed = wordsOf(await ada.sees(/\*Delivered\*/));
      assert.deepEqual([told.includes(inFull), changed.includes(inFull)], [true, true]);
    });
  });

  describe('the reports of the sandbox’s provider', () => {
    it('end as its own book has them: late, twice, in another order and beside forged ones', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider, connect } = app;
      await connect();
      const url = await makesReportAddress(app);
      const rates = { duplicateRate: 1, forgeryRate: 1, reorderRate: 1 };
      provider.webhook.set({ url, header: reportHeader, held: true, ...rates });
      await review(ada, { to: cutAfter, text: 'Your order is on its way' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message unconfirmed');
      await ada.sees(/may or may not have been sent/);
      await ada.closes();
      await send(ada, { to });
      await ada.seesModal('Message sent');
      await provider.webhook.deliver();
      await ada.sees(/Update on an unconfirmed message/);
      await ada.sees(/\*(?:Not d|D)elivered\*/);
      const answered = provider.webhook.posts.map(({ genuine, outcome }) => `${genuine} ${outcome}`);
      assert.deepEqual([...new Set(answered)].sort(), ['false 401', 'true 200']);
    });
  });
});
