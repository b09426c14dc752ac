import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { entries } from '../support/audit/audit-steps.ts';
import { compose, recipients, start } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { replyEnv, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { createEsim } from '../support/slack/esim-steps.ts';
import { campaigns, support, wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { choosesWatchers, looks, noticesOf } from '../support/slack/watch-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Eight in the morning in Lagos, where Grace is; never in the past, where signatures would be too old. */
const morning = new Date('2077-07-05T07:00:00Z');

async function watched(
  test: Parameters<typeof startTestApp>[0],
  { env, ...options }: { env?: Record<string, string> } & Parameters<typeof choosesWatchers>[1] = {},
) {
  const { clock, pass } = runningClock(morning);
  const app = await startTestApp(test, {
    clock,
    env: { ...profileEnv({ balancePath: '/api/get-balance' }), ...env },
  });
  await app.connect();
  await choosesWatchers(app, options);
  const after = async (ms: number) => {
    pass(ms);
    await looks(app);
  };
  return { app, after };
}

const said = (app: TestApp, words: string | RegExp) => noticesOf(app, words, support);

describe('watchers', () => {
  it('post a low balance once, edit the message, and say in it when it is over', async (test) => {
    const { app, after } = await watched(test, { kinds: ['The balance is low'], hour: '11:00 PM' });
    const { ada, provider } = app;
    await after(16 * minute);
    assert.deepEqual(said(app, /Balance (?:was )?below/), []);
    // What a message named was low, and the account was topped up after it.
    provider.setBalance(4_000);
    await send(ada, { to: '+2348051234567' });
    await ada.seesModal('Message sent');
    provider.setBalance(50_000);
    await after(2 * minute);
    assert.deepEqual(said(app, /Balance (?:was )?below/), []);
    provider.setBalance(4_000);
    await after(16 * minute);
    const { ts } = await ada.sees(
      /Balance below ₦5,000:\* ₦4,000[\s\S]*Since <!date[\s\S]*turned on by <@U0ADMIN>/,
    );
    provider.setBalance(3_900);
    await after(16 * minute);
    provider.setBalance(1_000);
    await after(16 * minute);
    assert.equal((await ada.sees(/below ₦5,000:\* ₦1,000[\s\S]*updated/)).ts, ts);
    provider.setBalance(50_000);
    await after(16 * minute);
    assert.equal(
      (await ada.sees(/Balance was below ₦5,000:\* ₦1,000[\s\S]*Resolved(?![\s\S]*Top up)/)).ts,
      ts,
    );
    assert.equal(said(app, /Balance (?:was )?below/).length, 1);
    provider.setBalance(4_500);
    await after(16 * minute);
    assert.notEqual((await ada.sees(/below ₦5,000:\* ₦4,500/)).ts, ts);
    const updates = app.slack.exchanges.filter(({ what }) => what === 'chat.update');
    assert.equal(updates.length, 2, 'not one for each figure');
  });

  it('post the decision on a sender ID, and none that was made before', async (test) => {
    const { app, after } = await watched(test, { kinds: ['A sender ID is approved or declined'] });
    const { ada, grace, provider } = app;
    await after(0);
    const pending = provider.account.senderIds.find(({ status }) => status === 'pending');
    assert.ok(pending);
    await after(16 * minute);
    assert.deepEqual(said(app, 'Sender ID '), []);
    provider.approveSenderId(pending.sender_id);
    await after(5 * minute);
    await after(11 * minute);
    await ada.sees(new RegExp(`Sender ID ${pending.sender_id}:\\* active`));
    await after(16 * minute);
    assert.equal(said(app, 'Sender ID ').length, 1);
    await grace.presses('Sender IDs');
    await grace.seesModal(/Sender IDs/);
  });

  it('say that the provider is down after three failures in a row, and that it is up again', async (test) => {
    const { app, after } = await watched(test, { kinds: ['The provider is down'] });
    const { ada, provider } = app;
    await after(0);
    const fault = provider.orderFault({ fault: { kind: 'cut_before' }, times: Number.POSITIVE_INFINITY });
    await after(16 * minute);
    await after(minute);
    await after(minute / 2);
    assert.deepEqual(said(app, 'is down'), []);
    await after(minute);
    await ada.sees(/The provider is down:\* no request has been answered since <!date/);
    fault.cancel();
    await after(minute);
    await ada.sees(/The provider is responding again\.\* It had been down since <!date[\s\S]*Resolved/);
    assert.equal(said(app, 'The provider').length, 1);
  });

  it('tell of a reply that nobody answered for an hour, and are muted by an admin alone', async (test) => {
    const { clock, pass } = runningClock(morning);
    const app = await startTestApp(test, { clock, env: replyEnv });
    const { ada, grace } = app;
    await switchesOnReplies(app);
    await choosesWatchers(app, { kinds: ['A reply has waited over an hour'], hour: '11:00 PM' });
    await app.provider.receive({ from: '2348051234500', to: '55019', text: 'Hello?' });
    await ada.sees('Message from');
    pass(59 * minute);
    await looks(app);
    assert.deepEqual(said(app, 'has been waiting'), []);
    pass(2 * minute);
    await looks(app);
    await ada.sees('*A reply has been waiting* since');
    await ada.presses('Mute');
    await ada.sees('Only admins can do this');
    await grace.presses('Mute');
    await grace.sees(/has been waiting[\s\S]*Muted by <@U0ADMIN>/);
    await grace.presses('Unmute');
    await grace.sees(/has been waiting(?![\s\S]*Muted by)/);
    await grace.presses('Mute');
    await grace.sees(/has been waiting[\s\S]*Muted by <@U0ADMIN>/);
    pass(26 * hour);
    await looks(app);
    await ada.presses('Mark as done');
    await ada.sees(/\*Done\*/);
    await looks(app);
    await ada.sees(/A reply was waiting\* since[\s\S]*Marked as done[\s\S]*Resolved(?![\s\S]*Muted)/);
    assert.equal(said(app, /A reply (?:has been|was) waiting/).length, 1);
    assert.deepEqual(said(app, 'Daily digest'), [], 'muted');
    const all = (await entries(app)).filter(({ action }) => action.startsWith('watch.'));
    assert.deepEqual(
      all.map(({ action, subject, userId }) => [action, subject, userId]),
      ['watch.mute', 'watch.unmute', 'watch.mute'].map((action) => [action, 'reply', 'U0ADMIN']),
    );

    await app.provider.receive({ from: '2348051234510', to: '55019', text: 'Are you open?' });
    await ada.sees(/Are you open\?/);
    pass(61 * minute);
    await looks(app);
    await ada.sees('*A reply has been waiting* since');
    await ada.presses('Reply');
    await ada.seesModal('Reply', 'Are you open?');
    await ada.fills('Message', 'Until six.');
    await ada.submits();
    await ada.seesModal('Message review', 'Until six.');
    await ada.submits();
    await ada.sees(/Until six\.[\s\S]*Sent by <@U0AGENT>/);
    await looks(app);
    await ada.sees(/A reply was waiting\* since .*\*Answered by <@U0AGENT>\.\*[\s\S]*Resolved/);
  });

  it('tell of a campaign that the provider paused, and that it goes on', async (test) => {
    const { app, after } = await watched(test, { kinds: ['A campaign needs someone'], hour: '11:00 PM' });
    const { ada, grace, provider } = app;
    provider.setBalance(0);
    await compose(ada, { pasted: recipients(3).join('\n'), name: 'Harvest 0803 123 4567' });
    await start(ada);
    await ada.sees(/[Pp]aused/);
    await after(0);
    await ada.sees(/A campaign needs someone:\* Harvest •••\. /);
    assert.equal(said(app, 'A campaign needs someone').length, 1);
    provider.setBalance(10_000);
    await grace.presses('Open');
    await grace.seesModal(/Campaign/);
    await grace.presses('Resume');
    await ada.sees(/\*Done:\*/);
    await after(minute);
    await ada.sees(
      /A campaign was paused:\* Harvest •••\. \*Resumed by <@U0ADMIN>\.\*[\s\S]*Resolved(?![\s\S]*waits)/,
    );
  });

  it('tell of a campaign that needs approval, and that it has it', async (test) => {
    const { app, after } = await watched(test, { kinds: ['A campaign needs someone'], hour: '11:00 PM' });
    const { ada, grace } = app;
    await switchOnApprovals(grace, { recipients: '2', channel: campaigns, invites: true });
    await compose(ada, { pasted: recipients(3).join(' '), name: 'Harvest' });
    await start(ada);
    await ada.seesModal('Approval', 'Waiting for approval');
    await after(0);
    await ada.sees(/A campaign needs someone:\* Harvest\. It needs approval\./);
    await grace.presses('Approve');
    await ada.sees(/\*Done:\*/);
    await after(minute);
    await ada.sees(/A campaign needed approval:\* Harvest\.\n.*\*Approved by <@U0ADMIN>\*[\s\S]*Resolved/);
    assert.deepEqual(said(app, /Harvest[\s\S]*(?:waits|It needs approval)/), []);

    await compose(ada, { pasted: recipients(3).join(' '), name: 'Winter' });
    await start(ada);
    await ada.seesModal('Approval', 'Waiting for approval');
    await after(0);
    await ada.sees(/A campaign needs someone:\* Winter\. It needs approval\./);
    await grace.presses('Reject');
    await grace.fills('Reason', 'As agreed');
    await grace.submits();
    await ada.sees(/Winter[\s\S]*Rejected by <@U0ADMIN>/);
    await after(minute);
    await ada.sees(
      /A campaign needed approval:\* Winter\.\n.*\*Rejected by <@U0ADMIN>\*[\s\S]*Nothing was started[\s\S]*Resolved/,
    );
  });

  it('say nothing of a request for approval that is in the same channel', async (test) => {
    const { app, after } = await watched(test, { kinds: ['A campaign needs someone'], hour: '11:00 PM' });
    const { ada, grace } = app;
    await switchOnApprovals(grace, { recipients: '2', channel: support });
    await compose(ada, { pasted: recipients(3).join(' '), name: 'Harvest' });
    await start(ada);
    await ada.seesModal('Approval', 'Waiting for approval');
    await grace.sees(/Harvest[\s\S]*Waiting for approval/);
    await after(0);
    await app.app().settled();
    assert.deepEqual(said(app, /needs someone/), []);
  });

  it('tell of a route on which messages fail, and that they do no more', async (test) => {
    const { app, after } = await watched(test, {
      kinds: ['Messages on a route fail'],
      hour: '11:00 PM',
      env: reportEnv,
    });
    const { ada, provider } = app;
    const address = await makesReportAddress(app);
    const to = recipients(24);
    await compose(ada, { pasted: to.join(' ') });
    await start(ada);
    await ada.sees(/\*Done:\*/);
    const [{ id, from, text, at } = assert.fail('nothing was sent')] = provider.record;
    const data = to.map((receiver, index) => ({
      message_id: id,
      receiver,
      sender: from,
      message: text,
      sent_at: at.slice(0, 19).replace('T', ' '),
      status: index < 14 ? 'DND Active on Phone Number' : 'DELIVERED',
    }));
    assert.equal(await postReport(address, JSON.stringify({ data }), { key: provider.account.key }), 200);
    await ada.sees(/10 delivered · 14 not delivered/);
    await after(6 * minute);
    await ada.sees(/Transactional \(DND\) messages are failing:\* 58%/);
    await after(2 * hour);
    await ada.sees(/Transactional \(DND\) messages were failing:\* 58%[\s\S]*Resolved/);
    assert.equal(said(app, /messages (?:are|were) failing/).length, 1);
  });

  it('tell of eSIMs whose data or time runs out from then on, by the end of their numbers', async (test) => {
    const { app, after } = await watched(test, {
      kinds: ['An eSIM is almost out of data or time'],
      hour: '11:00 PM',
    });
    const { digest } = app.app().services.watchers;
    await after(0);
    const { length } = await digest('T0SWITCH');
    assert.ok(length > 0, 'some were used up before');
    assert.deepEqual(said(app, /eSIM 89/), []);
    const asked = app.provider.arrivals.length;
    await after(5 * hour);
    assert.equal(app.provider.arrivals.length, asked);
    const iccid = await createEsim(app);
    const own = new RegExp(`eSIM 89•••${iccid.slice(-4)}:\\* all of its data is used`);
    await after(24 * hour);
    await app.ada.sees(own);
    await after(6 * hour);
    assert.equal(said(app, own).length, 1);
  });

  it('post one digest a day, at the hour that was chosen, and none where there is nothing', async (test) => {
    const { app, after } = await watched(test, { kinds: ['The balance is low'], hour: '9:00 AM' });
    const { ada, provider } = app;
    await after(2 * hour);
    assert.deepEqual(said(app, 'Daily digest'), []);
    provider.setBalance(4_000);
    await after(hour);
    await ada.sees('*Balance below ₦5,000:* ₦4,000');
    await after(21.5 * hour);
    assert.deepEqual(said(app, 'Daily digest'), []);
    await after(0.6 * hour);
    await ada.sees(/Daily digest[\s\S]*1 open, 0 closed[\s\S]*₦4,000/);
    await app.restart();
    await after(hour);
    provider.setBalance(40_000);
    await after(hour);
    await ada.sees(/Balance was below[\s\S]*Resolved/);
    await after(22 * hour);
    await ada.sees(/Daily digest[\s\S]*0 open, 1 closed/);
    await after(24 * hour);
    assert.equal(said(app, 'Daily digest').length, 2);
  });

  it('tell the admin who chose the channel where it is archived', async (test) => {
    const { app, after } = await watched(test, { kinds: ['The balance is low'], hour: '11:00 PM' });
    const { grace, slack, provider } = app;
    slack.fault('chat.postMessage', { error: 'is_archived' });
    provider.setBalance(4_000);
    await after(16 * minute);
    const told = await grace.sees(/is archived[\s\S]*Balance below/);
    assert.notEqual(told.channel, support);
    provider.setBalance(40_000);
    await after(16 * minute);
    assert.equal((await grace.sees(/Balance was below[\s\S]*Resolved/)).ts, told.ts);
  });

  it('end what they said where they are switched off, and watch nothing more', async (test) => {
    const { app, after } = await watched(test, { kinds: ['The balance is low'], hour: '11:00 PM' });
    const { ada, grace, provider } = app;
    provider.setBalance(4_000);
    await after(16 * minute);
    await ada.sees('*Balance below ₦5,000:* ₦4,000');
    await grace.types('/switchboard');
    await grace.presses('Change alerts');
    await grace.seesModal('Alerts');
    await grace.fills('Alerts', []);
    await grace.submits();
    await grace.seesModal('Alerts', 'Saved.');
    await ada.sees(/Balance below[\s\S]*Alert turned off/);
    const asked = provider.arrivals.length;
    await after(48 * hour);
    assert.equal(provider.arrivals.length, asked);
    assert.deepEqual(
      await app
        .app()
        .services.watchers.digest('T0SWITCH')
        .then((rows) => rows.filter((row) => row.isWatched)),
      [],
    );
  });

  it('are gone with a workspace that removes the app in the middle', async (test) => {
    const { clock, pass } = runningClock(morning);
    const app = await startTestApp(test, {
      clock,
      install: 'oauth',
      env: profileEnv({ balancePath: '/api/get-balance' }),
    });
    const { slack, provider, ada } = app;
    await app.install({ workspace: 'T0SWITCH', person: 'U0ADMIN' });
    await app.connect();
    await choosesWatchers(app, { kinds: ['The balance is low'] });
    provider.setBalance(4_000);
    const held = slack.hold('chat.postMessage');
    pass(16 * minute);
    await looks(app);
    await slack.uninstall('T0SWITCH');
    await app.app().settled();
    held.release();
    await slack.until(() => app.log().includes('the app was removed') || undefined, 'the removal');
    pass(hour);
    const asked = provider.arrivals.length;
    await looks(app);
    assert.equal(provider.arrivals.length, asked);
    assert.ok(ada.messages().filter((each) => wordsOf(each).includes('Balance below')).length <= 1);
  });
});
