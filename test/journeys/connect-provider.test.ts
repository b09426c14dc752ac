import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { switchesOnReplies } from '../support/reports/reply-steps.ts';
import { reportEnv } from '../support/reports/signed-report.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { openSettings } from '../support/slack/open-settings.ts';
import { giveRole } from '../support/slack/role-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

describe('connecting the provider', () => {
  it('shows the error of a wrong key beside the field, and only the last four characters of the right one', async (test) => {
    const { grace, provider } = await joinTestApp(test);
    await grace.types('/switchboard');
    await grace.seesModal('Provider connection');
    await grace.fills('API key', 'sandbox-key-that-is-wrong');
    await grace.submits();
    assert.match(grace.errorBeside('API key') ?? '', /provider does not know this key/);

    await grace.fills('API key', provider.account.key);
    await grace.submits();
    const settings = await grace.seesModal('Switchboard', provider.account.key.slice(-4));
    assert.ok(!JSON.stringify(settings.view).includes(provider.account.key.slice(-5)));
    await grace.presses('Open the audit log');
    await grace.seesModal(
      'Audit log',
      /\*Provider connected\*\n[^\n]* done .*\*Connecting the provider\*\n[^\n]* failed /s,
    );
  });

  it('keeps the key across a restart', async (test) => {
    const { grace, connect, restart, ada } = await startTestApp(test);
    await connect();
    await restart();
    await grace.types('/switchboard');
    await grace.seesModal('Switchboard', 'Connected');
    await ada.types('/sms');
    await ada.seesModal('New message');
  });

  it('refuses text that does not look like a key, without asking the provider', async (test) => {
    const { grace, provider } = await joinTestApp(test);
    await grace.types('/switchboard', 'connect');
    await grace.fills('API key', 'my key');
    await grace.submits();
    assert.match(grace.errorBeside('API key') ?? '', /doesn’t look like an API key/);
    assert.equal(provider.arrivals.length, 0);
  });

  it('saves no key while the provider is unreachable, and says so', async (test) => {
    const { grace, provider } = await startTestApp(test);
    await provider.goDown();
    await grace.types('/switchboard', 'connect');
    await grace.fills('API key', provider.account.key);
    await grace.submits();
    await grace.seesModal('Provider connection', /could not be tested, so it was not saved|Connect/);
    await provider.comeUp();
    await grace.closes();
    await grace.types('/sms');
    await grace.sees('isn’t connected to the provider');
  });

  it('shows a member the state and whom to ask, and lets only admins change it', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await ada.types('/sms', '0803 123 4567 Your order is ready');
    await ada.sees('Ask an admin of this workspace to type `/switchboard`');
    await ada.presses('Continue');
    await ada.sees('Then press *Continue*: your text is kept here.');
    await connect();
    await ada.presses('Continue');
    await ada.seesModal('New message', /\+?0?803 123 4567[\s\S]*Your order is ready/);
    await ada.closes();
    await ada.types('/switchboard', 'connect');
    await ada.sees('Only admins can do this. Nothing was changed.');
    await ada.types('/switchboard');
    await ada.sees('Only admins of this workspace can change the settings');
    assert.equal(ada.modal(), undefined);
  });

  it('shows an admin which features are on, and names no variable of the program', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test, { env: profileEnv({ currency: 'NGN' }) });
    await connect();
    await grace.types('/switchboard');
    const { view } = await grace.seesModal('Switchboard', 'Features');
    const words = wordsOf(view);
    assert.match(words, /\*Emoji and all alphabets\*: off, `unicodeType` is not set\n/);
    assert.match(words, /\*Deleting contacts\*: off, `contactDeleteBy` is not set\n/);
    assert.match(words, /\*Currency of the balance\*: NGN/);
    assert.doesNotMatch(words, /PROVIDER_|ESIM_|LIMIT_/);
    await grace.presses('Change limits');
    assert.doesNotMatch(wordsOf((await grace.seesModal('Limits')).view), /PROVIDER_|ESIM_|LIMIT_/);
    await ada.types('/switchboard');
    assert.ok(!wordsOf(await ada.sees('Connected')).includes('PROVIDER_'));
  });

  it('fills the form with the defaults that an admin saved', async (test) => {
    const { grace, ada, connect } = await joinTestApp(test);
    await connect();
    await grace.types('/switchboard');
    await grace.presses('Change defaults');
    await grace.fills('Sender ID', 'PalmMarket');
    await grace.fills('Country', 'Ghana (+233)');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    await ada.types('/sms');
    const form = await ada.seesModal('New message');
    assert.match(JSON.stringify(form.values), /PalmMarket/);
    await ada.fills('To', '024 123 4567');
    await ada.fills('Message', 'Good morning');
    await ada.submits();
    await ada.seesModal('Message review', '+233 24 123 4567');
  });

  it('offers the sender IDs of the current key, even when those of the previous one arrive later', async (test) => {
    const responses = heldResponses(test);
    const { grace, ada, provider, connect } = await startTestApp(test, { wait: responses.wait });
    const connectOther = async () => {
      await grace.types('/switchboard', 'connect');
      await grace.fills('API key', provider.otherAccount.key);
      await grace.submits();
      await grace.seesModal('Switchboard', 'to send the first message');
    };
    const offered = () => ada.searches('Sender ID', 'market');
    await connect();
    await ada.types('/sms');
    assert.deepEqual(await offered(), ['PalmMarket', 'market']);
    await connectOther();
    assert.deepEqual(await offered(), ['market']);

    await connect();
    provider.orderFault({ operation: 'senderIds.list', fault: { kind: 'slow_headers' } });
    const late = offered();
    await responses.arrived;
    await connectOther();
    assert.deepEqual(await offered(), ['market']);
    responses.release();
    await late;
    assert.deepEqual(await offered(), ['market']);
  });

  it('deletes the key on a disconnect, after which nobody can send', async (test) => {
    const { grace, ada, connect } = await joinTestApp(test);
    await connect();
    await grace.types('/switchboard');
    await grace.presses('Disconnect');
    await grace.seesModal('Switchboard', 'Not connected');
    await ada.types('/sms', '+2348031234567 Hello');
    await ada.sees('isn’t connected to the provider');
  });

  it('is followed by settings that say what is set', async (test) => {
    const app = await joinTestApp(test, { env: reportEnv });
    const { ada, grace, channels, connect } = app;
    await connect();
    await openSettings(grace);
    const unset = wordsOf((await grace.seesModal('Switchboard', 'Account')).view);
    for (const line of [
      '*Balance:* not known yet',
      '*Alerts:* no channel yet',
      '*Roles:* campaign manager (everyone) · buyer (everyone)',
      '*Phonebooks:* none yet',
      '*One-time codes:* 6 characters · expire after 10 minutes',
      '*Delivery checks:* all 8 on',
      '*Reports:* not set up',
      '*Replies:* no channel yet',
      '*Approvals:* off',
      '*Limits:* no page budget, 0 pages this month',
    ]) {
      assert.ok(unset.includes(line), `${line} in ${unset}`);
    }
    await grace.presses('Change limits');
    await grace.seesModal('Limits');
    await grace.presses('Change page budget and countries');
    await grace.fills('Pages per month', '40,000');
    await grace.submits();
    await grace.seesModal('Limits', 'Saved');
    await grace.closes();
    await grace.closes();
    await switchOnApprovals(grace, { recipients: '5000', channel: channels.support });
    await switchesOnReplies(app);
    await giveRole(grace, 'Approver', { People: [ada.id, grace.id] });
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await openSettings(grace);
    const set = wordsOf((await grace.seesModal('Switchboard', 'Account')).view);
    assert.match(set, /\*Balance:\* 24,995\.75 \(/);
    for (const line of [
      '*Roles:* campaign manager (everyone) · buyer (everyone) · approver (2 people)',
      '*Reports:* none yet',
      `*Replies:* <#${channels.support}>`,
      '*Approvals:* campaigns over 5,000',
      '*Limits:* 40,000 pages a month, 1 used',
    ]) {
      assert.ok(set.includes(line), `${line} in ${set}`);
    }
  });
});
