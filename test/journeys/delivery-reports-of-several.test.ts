import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showNumber } from '../../src/domain/access/private-values.ts';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv, reportOf } from '../support/reports/signed-report.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

const env = reportEnv;

const to = '+2348051234500';

const inFull = '+234 805 123 4500';

const other = '+2348051234501';

/** Sends a message to two numbers. Returns a function that reports what became of it for one of them. */
async function sendToTwo(app: Awaited<ReturnType<typeof joinTestApp>>) {
  const { ada, connect, provider } = app;
  await connect();
  const address = await makesReportAddress(app);
  await send(ada, { to: `${to} ${other}` });
  await ada.seesModal('Message sent');
  await ada.closes();
  const message = provider.record[0] ?? assert.fail();
  return async (number: string, status: string) => {
    const body = reportOf(app, { message_id: message.id, receiver: number.slice(1), status });
    assert.equal(await postReport(address, body, provider.account), 200);
  };
}

forOneAndThreeInstances(() => {
  describe('a delivery report', () => {
    it('of a message to several numbers says who got it and who did not, and reaches those again', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, connect, provider } = app;
      await connect();
      const address = await makesReportAddress(app);
      const others = ['+2348051234501', '+2348051234502'];
      await send(ada, { to: [to, ...others].join(' ') });
      await ada.seesModal('Message sent');
      await ada.closes();
      const told = await ada.sees('waiting for delivery');
      const shown = (number: string) => showNumber(phoneNumberSchema.parse(number), 'person');
      const reports = async (receiver: string, status: string) => {
        const body = reportOf(app, { receiver: receiver.slice(1), status });
        assert.equal(await postReport(address, body, provider.account), 200);
      };
      await reports(to, 'DELIVERED');
      const first = await ada.sees(/:outbox_tray: \*Sent\* to .*: 1 delivered · 2 waiting for a report/);
      assert.equal(first.ts, told.ts);
      await reports(others[0] ?? '', 'DND Active on Phone Number');
      const missed = await ada.sees(
        /:warning: \*Not delivered\* to 1 of 3 · 1 delivered · 1 waiting for a report/,
      );
      const lines = [
        `:x: ${shown(others[0] ?? '')}: not delivered, the number is on Do-Not-Disturb`,
        `:outbox_tray: ${shown(others[1] ?? '')}: waiting for a report`,
        `:white_check_mark: ${shown(to)}: delivered`,
      ].join('\n');
      assert.ok(wordsOf(missed).includes(lines), wordsOf(missed));

      await ada.seesHome('Recent activity');
      await ada.presses('See all activity');
      await ada.seesModal('History', /\*Not delivered\* to 1 of 3 · 1 delivered · 1 waiting for a report/);
      await ada.presses('Open');
      const entry = wordsOf((await ada.seesModal('Message', /To 3 numbers/)).view);
      assert.ok(entry.includes(lines), entry);
      assert.doesNotMatch(entry, /Not delivered: 1/, 'said beside the number');
      await ada.closes();
      await ada.fills('Phone number', others[0] ?? '');
      await ada.seesModal('History', /\*Not delivered\* <!date[^>]*> · the number is on/);
      await ada.closes();
      await ada.presses('Send again');
      const form = await ada.seesModal('New message');
      const filledIn = JSON.stringify(form.view);
      assert.deepEqual(
        [shown(others[0] ?? ''), shown(to)].map((number) => filledIn.includes(number)),
        [true, false],
      );
    });

    it('of a second miss reaches that recipient, and the first one no third time', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider } = app;
      const reports = await sendToTwo(app);
      const sendsAgain = async (button: string) => {
        await ada.presses(button);
        await ada.seesModal('New message');
        await ada.submits();
        await ada.seesModal('Message review');
        await ada.submits();
        await ada.seesModal('Message sent');
        await ada.closes();
      };
      await reports(to, 'Expired');
      await ada.sees(/\*Not delivered\* to 1 of 2/);
      await sendsAgain('Send again');
      await reports(other, 'Expired');
      await ada.sees(/\*Not delivered\* to \+234.*: the phone wasn’t reached in time/);
      await ada.types('/sms', `history ${other}`);
      await ada.seesModal('History');
      await ada.presses('Open');
      await ada.seesModal('Message', /To 2 numbers/);
      await sendsAgain('Send again to 2');
      assert.deepEqual(
        provider.record.map((message) => message.to),
        [[to, other], [to], [other]].map((numbers) => numbers.map((number) => number.slice(1))),
      );
    });

    it('that was blocked on the promotional route leads to the transactional one', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, connect, provider } = app;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to, route: 'Promotional (generic)' });
      await ada.seesModal('Message sent');
      await ada.closes();
      const failed = reportOf(app, { status: 'DND Active on Phone Number' });
      assert.equal(await postReport(address, failed, provider.account), 200);
      await ada.sees(/\*Not delivered\* to/);
      await ada.presses('Send again on Transactional (DND)');
      await ada.seesModal('New message');
      await ada.submits();
      await ada.seesModal('Message review', 'on the *Transactional (DND)* route');
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.deepEqual(
        provider.record.map(({ channel }) => channel),
        ['generic', 'dnd'],
      );
      await ada.closes();
      // The button stays: pressed again, it says so, shows what became of that, and sends nothing.
      await ada.presses('Send again on Transactional (DND)');
      await ada.seesModal(
        'Already sent again',
        /\*Already sent again <!date[^>]*>\.\* Nothing was sent now\.[\s\S]*\*Sent\* to \+234/,
      );
      assert.equal(provider.record.length, 2);
    });

    it('of a delivery that comes late leaves nothing to send again', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, connect, provider, slack } = app;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      await ada.closes();
      assert.equal(await postReport(address, reportOf(app, { status: 'Expired' }), provider.account), 200);
      await ada.sees(/\*Not delivered\* to/);
      slack.fault('chat.update', { error: 'message_not_found' });
      assert.equal(await postReport(address, reportOf(app), provider.account), 200);
      await ada.types('/sms', 'history');
      await ada.seesModal('History', /\*Delivered\* <!date/);
      await ada.closes();
      await ada.presses('Send again');
      await ada.sees('This message has been delivered since. Nothing was sent.');
      assert.equal(provider.record.length, 1);
    });

    it('of a delivery that comes while the message is sent again returns the review, without who has it now', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, provider } = app;
      const reports = await sendToTwo(app);
      await reports(to, 'Expired');
      await reports(other, 'Expired');
      const missed = await ada.sees(/\*Not delivered\* to \+234.*, \+234/);
      assert.match(JSON.stringify(missed), /not delivered to 2 recipients.*they get it twice/);
      await ada.presses('Send again to 2');
      await ada.seesModal('New message');
      await reports(to, 'DELIVERED');
      await ada.submits();
      await ada.seesModal('Message review', '2 recipients');
      await ada.submits();
      const words =
        /Nothing was sent\.\* Some recipients have received the earlier message since then[\s\S]*1 recipient/;
      const { view } = await ada.seesModal('Message review', words);
      assert.ok(!wordsOf(view).includes(inFull), wordsOf(view));
      assert.equal(provider.record.length, 1);
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.deepEqual(provider.record.at(-1)?.to, [other.slice(1)]);
    });

    it('of a late delivery of the first message is seen when what sent it again is sent once more', async (test) => {
      const app = await joinTestApp(test, { env });
      const { ada, connect, provider } = app;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      await ada.closes();
      const expired = () => postReport(address, reportOf(app, { status: 'Expired' }), provider.account);
      assert.equal(await expired(), 200);
      await ada.sees(/\*Not delivered\* to/);
      await ada.presses('Send again');
      await ada.seesModal('New message');
      await ada.submits();
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message sent');
      await ada.closes();
      assert.equal(await expired(), 200);
      await ada.types('/sms', `history ${to}`);
      await ada.seesModal('History');
      await ada.presses('Open');
      await ada.seesModal('Message', /Not delivered/);
      await ada.presses('Send again');
      await ada.seesModal('New message');
      await ada.submits();
      await ada.seesModal('Message review');
      const first = { message_id: provider.record[0]?.id };
      assert.equal(await postReport(address, reportOf(app, first), provider.account), 200);
      await ada.submits();
      await ada.seesModal(
        'Message review',
        'The earlier message has been delivered since then, or still may be.',
      );
      assert.equal(provider.record.length, 2);
    });
  });
});
