import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { compose, eventually, provided, start } from '../support/campaigns.ts';
import { replyEnv, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { shortCode } from '../support/reports/reply-threads.ts';
import { giveRole } from '../support/slack/role-steps.ts';
import { type SlackUser, slackUserAt, support, wordsOf } from '../support/slack/slack-user.ts';
import { runningClock } from '../support/time/test-clock.ts';

const minute = 60_000;
const to = '+2348031234567';

/** Monday, 10:00 in Lagos, where Tunde is an agent: he may send messages and no campaigns. */
async function begin(test: Parameters<typeof startTestApp>[0], env: Record<string, string> = {}) {
  const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
  const grants = [{ to: { kind: 'everyone' }, role: 'agent' }] as const;
  const app = await startTestApp(test, { clock, grants, env });
  await app.connect();
  return { ...app, pass, tunde: slackUserAt(app.slack, 'U0MEMBER') };
}

/** Writes a message for later, up to its review. */
async function write(person: SlackUser, fields: Record<string, string> = {}): Promise<void> {
  await person.types('/sms');
  const all = { To: to, Route: 'Transactional (DND)', 'Sender ID': 'PalmMarket', Message: 'Come in today' };
  for (const [label, value] of Object.entries({ ...all, When: 'Later', ...fields })) {
    await person.fills(label, value);
  }
  await person.submits();
  await person.seesModal('Message review', 'Come in today');
}

/** Changes the text of Tunde's draft, as if he edited it in another window. */
async function editsElsewhere({ app, teamId }: TestApp, numbers: string): Promise<void> {
  const { campaigns } = app().services;
  const query = { workspaceId: teamId, states: ['ready'] as const, limit: 1 };
  const [{ id, version, name, route, senderId, createdBy } = assert.fail('no draft')] =
    await campaigns.listRecent(query);
  const changed = await campaigns.importRecipients({
    ...{ workspaceId: teamId, userId: createdBy, id, shownVersion: version },
    source: { kind: 'pasted', text: numbers },
    form: { text: 'Hi {{name}}. Come in today', name, route, senderId, isMessage: true },
  });
  assert.equal(changed.kind, 'ready');
}

const sent = ({ provider }: Pick<TestApp, 'provider'>) => provider.record.map(({ text }) => text);

forOneAndThreeInstances(() => {
  describe('a message for later', () => {
    it('is scheduled once by who may only send messages, and sent once at its time, with the key of then and its result for them', async (test) => {
      const app = await begin(test);
      const { tunde, pass, restart, connect, provider } = app;
      await write(tunde);
      await tunde.fills('Time', '09:30');
      await tunde.submits();
      assert.match(tunde.errorBeside('Time') ?? '', /has passed/);
      await tunde.fills('Time', '11:30');
      const { view } = await tunde.seesModal('Message review', /To\* \+234 803 123 4567[\s\S]*11:30/);
      assert.doesNotMatch(wordsOf(view), /[Cc]ampaign|Repeat|test/);
      await Promise.all([tunde.submits(), tunde.submits()]);
      await tunde.seesModal(/Scheduled/, /11:30|Scheduled for/);
      await tunde.closes();
      await tunde.types('/sms', 'scheduled');
      await tunde.seesModal(
        'Scheduled messages',
        /Scheduled\n[\s\S]*Come in today[\s\S]*1 recipient\nCreated <!date/,
      );
      await tunde.presses('Open');
      await tunde.seesModal('Scheduled message', /Scheduled for[\s\S]*To \+234 803 123 4567/);
      assert.deepEqual(sent(app), []);
      await connect(provider.fullAccount.key);
      pass(91 * minute);
      await restart();
      await tunde.sees(/\*Paused:\* 1 recipient[\s\S]*The sender ID isn’t active/);
      await tunde.sees('Your message is paused: the sender ID isn’t active');
      assert.deepEqual(sent(app), []);
      await connect(provider.account.key);
      await tunde.presses('Resume');
      await tunde.sees(/\*Done:\* 1 recipient[\s\S]*To \+234 803 123 4567/);
      assert.deepEqual(sent(app), ['Come in today']);
    });

    it('is edited, moved and cancelled until it starts, and never sent with its earlier text', async (test) => {
      const app = await begin(test);
      const { tunde, grace, pass, restart } = app;
      await write(tunde, { 'Who sees the result': 'In a channel' });
      await tunde.fills('Channel', support);
      await tunde.fills('Time', '11:30');
      await tunde.submits();
      await tunde.seesModal('Scheduled');
      await tunde.closes();
      const { text } = await grace.sees('*Scheduled for');
      assert.doesNotMatch(text, /2348031234567|Come in today/);
      await tunde.presses('Edit');
      await tunde.seesModal('Edit message', 'won’t start');
      await tunde.submits();
      await tunde.seesModal('New message', /\+234 803 123 4567[\s\S]*Come in today/);
      await tunde.fills('Message', 'Come in tomorrow');
      await tunde.submits();
      await tunde.seesModal('Message review', /Come in tomorrow[\s\S]*11:30/);
      await tunde.submits();
      await tunde.seesModal('Scheduled');
      await tunde.closes();
      await tunde.presses('Change time');
      await tunde.fills('Time', '12:00');
      await tunde.submits();
      await tunde.seesModal('Scheduled message', /11:00 AM UTC/);
      await tunde.closes();
      pass(100 * minute);
      await restart();
      assert.deepEqual(sent(app), []);
      await tunde.presses('Cancel message');
      await tunde.seesModal('Cancel message');
      await tunde.submits();
      await tunde.seesModal('Scheduled message', 'Cancelled');
      pass(60 * minute);
      await restart();
      assert.deepEqual(sent(app), []);
    });

    it('names skipped recipients, and says that it is unconfirmed where no answer came', async (test) => {
      const app = await begin(test);
      const { tunde, provider, pass, restart } = app;
      await write(tunde, { To: `${to}, 0803` });
      await tunde.seesModal('Message review', 'Skipped:* “0803” is too short');
      await tunde.fills('Time', '11:30');
      await tunde.submits();
      await tunde.seesModal('Scheduled');
      await tunde.closes();
      provider.orderFault({ operation: 'messages.send', fault: { kind: 'cut_before' } });
      pass(91 * minute);
      await restart();
      await tunde.sees('Your message is unconfirmed: it may or may not have been sent');
      await tunde.types('/sms', `history ${to}`);
      await tunde.seesModal('History', /:warning: Scheduled message to 1 recipient/);
    });

    it('goes as written to who opted out before, once that is confirmed, and not to who opts out after', async (test) => {
      const app = await begin(test);
      const { tunde, grace, pass, restart, provider, slack } = app;
      const [before, after] = [to, '+2348051234567'];
      const optsOut = async (number: string) => {
        await grace.types('/sms', 'do-not-contact');
        await grace.presses('Add numbers');
        await grace.fills('Numbers to add', number);
        await grace.submits();
        await grace.seesModal('Do-not-contact list', '1 number added');
        await grace.closes();
      };
      await optsOut(before);
      pass(minute);
      await write(tunde, { To: `${before}, ${after}`, Message: 'Hi {{first_name}}. Come in today' });
      const shown = await tunde.seesModal('Message review', /Opted out[\s\S]*Columns aren’t filled in/);
      assert.match(wordsOf(shown.view), /\+234 803 123 4567 is on the do-not-contact list/);
      await tunde.fills('Time', '09:30');
      await tunde.submits();
      assert.match(tunde.errorBeside('Time') ?? '', /has passed/);
      await tunde.fills('Time', '11:30');
      await tunde.submits();
      await tunde.seesModal('People who opted out', /\+234 803 123 4567 is on the do-not-contact list/);
      await editsElsewhere(app, `${before} ${after}`);
      await tunde.presses('Schedule anyway');
      await tunde.seesModal('Message review', /New text since you last looked/);
      assert.deepEqual(sent(app), []);
      await tunde.submits();
      await tunde.seesModal('People who opted out');
      await Promise.all([tunde.presses('Schedule anyway'), tunde.presses('Schedule anyway')]);
      await tunde.seesModal(/Scheduled/);
      while (tunde.modal() !== undefined) {
        await tunde.closes();
      }
      await slack.redeliver();
      pass(minute);
      await optsOut(after);
      provider.orderFault({ operation: 'messages.send', fault: { kind: 'status', status: 429 } });
      pass(91 * minute);
      await restart();
      await tunde.sees('Your message is done: sent to 1 of 1 recipient');
      assert.deepEqual(
        provider.record.map(({ to: numbers, text }) => [numbers, text]),
        [[[before.slice(1)], 'Hi {{name}}. Come in today']],
      );
    });

    it('isn’t sent to who opts out again after it was confirmed, by a reply or a link', async (test) => {
      const app = await begin(test, { ...replyEnv, OPT_OUT_ADDRESS: 'https://sms.acme.example' });
      const { tunde, grace, pass, provider } = app;
      const { reports } = await switchesOnReplies(app);
      const [byReply, byLink] = [to, '+2348051234567'];
      const stops = async (id: string) => {
        const stop = { sender: byReply.slice(1), receiver: shortCode, message: 'STOP', message_id: id };
        assert.equal(await reports({ ...stop, received_at: undefined }), 200);
      };
      await compose(grace, { pasted: byLink, text: 'Sale. Stop: {{opt_out}}' });
      await start(grace);
      await provided(provider, 1);
      const [link = assert.fail('no link')] = /\/o\/\S+/.exec(provider.record[0]?.text ?? '') ?? [];
      const opensLink = () => fetch(`${app.url()}${link}`, { method: 'POST' });
      await stops('81');
      await opensLink();
      await app.app().settled();
      pass(minute);
      for (const number of [byReply, byLink]) {
        await write(tunde, { To: number });
        await tunde.fills('Time', '11:30');
        await tunde.submits();
        await tunde.presses('Schedule anyway');
        await tunde.seesModal('Scheduled');
        while (tunde.modal() !== undefined) {
          await tunde.closes();
        }
      }
      pass(minute);
      const endings = () =>
        tunde
          .messages()
          .filter((each) => wordsOf(each).includes('Your message has ended: no recipients left'));
      await stops('82');
      await eventually(() => endings().length === 1, 'the first to end');
      await opensLink();
      await eventually(() => endings().length === 2, 'the second to end');
      assert.equal(provider.record.length, 1);
    });

    it('says that it was rejected, and is called a message where colleagues look', async (test) => {
      const app = await begin(test);
      const { tunde, ada, pass, restart, provider } = app;
      await write(tunde, { Route: 'Promotional (generic)' });
      await tunde.fills('Time', '22:30');
      await tunde.seesModal('Message review', /The recipient looks like an MTN number and won’t get it/);
      await tunde.submits();
      await tunde.seesModal('Scheduled');
      await tunde.closes();
      provider.orderFault({
        operation: 'messages.send',
        fault: { kind: 'status', status: 400, message: 'No' },
      });
      pass(13 * 60 * minute);
      await restart();
      await tunde.sees('Your message was rejected: nothing was sent');
      await ada.types('/sms', `history ${to}`);
      const { view } = await ada.seesModal('History', 'Scheduled message');
      assert.doesNotMatch(wordsOf(view), /[Cc]ampaign(?!s)/);
    });

    it('is sent at once instead, and the earlier draft or review can’t be sent any more', async (test) => {
      const app = await begin(test);
      const { tunde } = app;
      await write(tunde);
      await tunde.presses('Edit');
      await tunde.seesModal('New message', 'Come in today');
      await tunde.fills('When', 'Now');
      await tunde.submits();
      await tunde.seesModal('Message review');
      await tunde.submits();
      await tunde.seesModal('Message sent');
      await tunde.closes();
      await tunde.types('/sms', 'scheduled');
      await tunde.seesModal('Scheduled messages', 'Nothing is scheduled');
      assert.deepEqual(sent(app), ['Come in today']);
      await tunde.closes();

      await tunde.types('/sms', `${to} Come in later`);
      await tunde.sees('Your message is ready');
      await tunde.presses('Edit');
      await tunde.fills('When', 'Later');
      await tunde.submits();
      await tunde.seesModal('Message review', 'Come in later');
      await tunde.closes();
      await tunde.presses('Send');
      await tunde.sees('You cancelled this message');
      assert.deepEqual(sent(app), ['Come in today']);
    });

    it('leaves campaigns to campaign managers, also those that a person made who was one', async (test) => {
      const app = await begin(test);
      const { tunde, grace, slack, provider, pass, teamId } = app;
      await giveRole(grace, 'Campaign manager', { 'User groups': '@campaigners' });
      await compose(tunde, { pasted: to, text: 'Big sale' });
      await tunde.seesModal('Campaign review');
      await tunde.fills('Start', 'Schedule');
      await tunde.fills('Time', '11:30');
      await tunde.submits();
      await tunde.seesModal('Scheduled');
      await tunde.closes();
      await compose(tunde, { pasted: to, text: 'Bigger sale' });
      await tunde.seesModal('Campaign review');
      slack.setUserGroup('S0CAMPAIGNERS', []);
      pass(minute);
      const only = 'Only campaign managers can do this';
      await tunde.submits();
      await tunde.seesTrouble(only);
      while (tunde.modal() !== undefined) {
        await tunde.closes();
      }
      const steps = ['Start now', 'Change time', 'Edit', 'Cancel campaign'];
      for (const step of steps) {
        await tunde.presses(step);
      }
      const refused = () => tunde.messages().filter(({ text }) => text.includes(only)).length;
      await slack.until(() => refused() === steps.length, 'each refusal');
      await tunde.types('/sms', 'scheduled');
      await tunde.seesModal('Scheduled messages', 'Nothing is scheduled');
      const found = await app.app().services.campaigns.listRecent({ workspaceId: teamId, limit: 9 });
      assert.deepEqual(
        found.map(({ state }) => state),
        ['ready', 'scheduled'],
      );
      assert.equal(provider.record.length, 0);
    });
  });
});
