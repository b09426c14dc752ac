import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

describe('connecting the provider', () => {
  it('shows the error of a wrong key beside the field, and only the last four characters of the right one', async (test) => {
    const { grace, provider } = await joinTestApp(test);
    await grace.types('/switchboard');
    await grace.seesModal('Connect the provider');
    await grace.fills('API key', 'sandbox-key-that-is-wrong');
    await grace.submits();
    assert.match(grace.errorBeside('API key') ?? '', /provider does not know this key/);

    await grace.fills('API key', provider.account.key);
    await grace.submits();
    const settings = await grace.seesModal('Switchboard', provider.account.key.slice(-4));
    assert.ok(!JSON.stringify(settings.view).includes(provider.account.key.slice(-5)));
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
    assert.match(grace.errorBeside('API key') ?? '', /does not look like an API key/);
    assert.equal(provider.arrivals.length, 0);
  });

  it('saves no key while the provider is unreachable, and says so', async (test) => {
    const { grace, provider } = await startTestApp(test);
    await provider.goDown();
    await grace.types('/switchboard', 'connect');
    await grace.fills('API key', provider.account.key);
    await grace.submits();
    await grace.seesModal('Connect the provider', /could not be tried, so it was not saved|Connect/);
    await provider.comeUp();
    await grace.closes();
    await grace.types('/sms');
    await grace.sees('isn’t connected to the provider');
  });

  it('shows a member the state and whom to ask, and lets only admins change it', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await ada.types('/sms');
    await ada.sees('Ask an admin of this workspace to type `/switchboard`');
    await connect();
    await ada.types('/switchboard', 'connect');
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
    await grace.presses('Limits');
    assert.doesNotMatch(wordsOf((await grace.seesModal('Limits')).view), /PROVIDER_|ESIM_|LIMIT_/);
    await ada.types('/switchboard');
    assert.ok(!wordsOf(await ada.sees('Connected')).includes('PROVIDER_'));
  });

  it('fills the form with the defaults that an admin saved', async (test) => {
    const { grace, ada, connect } = await joinTestApp(test);
    await connect();
    await grace.types('/switchboard');
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
});
