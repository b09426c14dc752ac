import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, provided, recipients, start } from '../support/campaigns.ts';
import { sendCode, setCodes } from '../support/slack/otp-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';
import { createTemplate } from '../support/slack/template-steps.ts';

describe('/sender-id', () => {
  it('lists the sender IDs with their status, and filters by name and status', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sender-id');
    const all = wordsOf((await ada.seesModal('Sender IDs', 'PalmMarket* · active')).view);
    assert.match(all, /PalmSale\* · pending/);
    assert.match(all, /FreeCash\* · declined/);
    await ada.fills('Status', 'Pending');
    const pending = await ada.seesModal('Sender IDs', /\n1 total/);
    assert.ok(!wordsOf(pending.view).includes('PalmMarket'));
    await ada.closes();
    await ada.types('/sender-id', 'basket active');
    await ada.seesModal('Sender IDs', /PalmBasket[\s\S]*1 total/);
  });

  it('requests one from the list, and shows it as pending', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sender-id');
    await ada.presses('Request a sender ID');
    await ada.seesModal('Sender ID request');
    await ada.fills('Sender ID', 'Palm Fresh');
    await ada.seesModal('Sender ID request', 'A sender ID has no spaces.');
    await ada.fills('Sender ID', 'PalmFresh');
    await ada.seesModal('Sender ID request', 'Looks good (9/11).');
    await ada.fills('Sample message', 'Fresh mangoes have arrived at our shop');
    await ada.fills('Company', 'Palm Market Ltd');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('Sender ID requested', 'Requested: PalmFresh');
    const requests = provider.arrivals.filter(({ path }) => path === '/api/sender-id/request');
    assert.equal(requests.length, 1);
    assert.partialDeepStrictEqual(requests[0]?.body, {
      sender_id: 'PalmFresh',
      use_case: 'Fresh mangoes have arrived at our shop',
      company: 'Palm Market Ltd',
    });
    await ada.types('/sender-id', 'PalmFresh');
    await ada.seesModal('Sender IDs', 'PalmFresh* · pending');
  });

  it('requests one again from the form that was rejected, filled in', async (test) => {
    const { grace, provider, connect } = await joinTestApp(test);
    await connect();
    provider.orderFault({
      operation: 'senderIds.request',
      fault: { kind: 'status', status: 400, message: 'No' },
    });
    await grace.types('/sender-id', 'request');
    await grace.fills('Sender ID', 'PalmFresh');
    await grace.fills('Sample message', 'Fresh mangoes have arrived at our shop');
    await grace.fills('Company', 'Palm Market Ltd');
    await grace.submits();
    await grace.seesModal('Request rejected');
    await grace.presses('Send again');
    const { view } = await grace.seesModal('Sender ID request', 'PalmFresh');
    assert.match(JSON.stringify(view), /Fresh mangoes have arrived at our shop[\s\S]*Palm Market Ltd/);
    assert.equal(provider.arrivals.filter(({ path }) => path === '/api/sender-id/request').length, 1);
  });

  it('pages through a long list', async (test) => {
    const { ada, grace, provider } = await joinTestApp(test);
    await grace.types('/switchboard', 'connect');
    await grace.fills('API key', provider.otherAccount.key);
    await grace.submits();
    await grace.seesModal('Switchboard', 'Connected');
    await ada.types('/sender-id');
    await ada.seesModal('Sender IDs', 'Page 1 of 2');
    await ada.presses('Next');
    await ada.seesModal('Sender IDs', 'Page 2 of 2');
    await ada.presses('Previous');
    await ada.seesModal('Sender IDs', 'Page 1 of 2');
  });

  it('shows what is missing beside its field', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sender-id', 'request');
    await ada.fills('Sender ID', 'ab');
    await ada.fills('Sample message', ' x ');
    await ada.fills('Company', ' ');
    await ada.submits();
    assert.match(ada.errorBeside('Sender ID') ?? '', /at least 3/);
    assert.match(ada.errorBeside('Company') ?? '', /full name of the company/);
  });

  it('refuses what reviewers would decline, beside the field, and only then asks the provider', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sender-id', 'request');
    await ada.fills('Sender ID', '12');
    await ada.seesModal('Sender ID request', 'A sender ID has at least 3 characters.');
    await ada.fills('Sample message', 'x');
    await ada.fills('Company', 'P');
    await ada.submits();
    assert.match(ada.errorBeside('Sender ID') ?? '', /at least 3/);
    assert.match(ada.errorBeside('Sample message') ?? '', /Write a whole message, at least 20 characters/);
    assert.match(ada.errorBeside('Company') ?? '', /full name of the company/);
    await ada.fills('Sample message', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
    await ada.submits();
    assert.match(ada.errorBeside('Sample message') ?? '', /Write a whole message/);
    assert.equal(provider.arrivals.filter(({ operation }) => operation === 'senderIds.request').length, 0);
  });

  it('says why the list is missing when the provider is unreachable', async (test) => {
    const { ada, provider, connect } = await startTestApp(test, {
      providerLimits: { totalTimeout: 1_000 },
    });
    await connect();
    await provider.goDown();
    await ada.types('/sender-id');
    await ada.seesModal('Sender IDs', /no connection|reach/i);
  });
});

describe('a sender ID that the account lists as active', () => {
  const odd = 'H-Alert';

  /** Connects an account with a sender ID that nobody could request, as the workspace's default. */
  async function connectHarbour(test: Parameters<typeof joinTestApp>[0]) {
    const joined = await joinTestApp(test);
    await joined.connect(joined.provider.fullAccount.key);
    await startFrom(joined.grace, odd);
    await joined.grace.closes();
    return joined;
  }

  const sentFrom = ({ provider }: Pick<TestWorkspace, 'provider'>) => provider.record.map(({ from }) => from);

  it('is the default of messages and codes, in the short form too', async (test) => {
    const { ada, ...joined } = await connectHarbour(test);
    await ada.types('/sms', '+2348031234568 Your order is ready');
    await ada.sees(`From *${odd}*`);
    await ada.presses('Send');
    await ada.sees('*Sent* to');
    await sendCode(ada, 'SMS', { 'Phone number': '+2348031234568' });
    await ada.seesModal('Code sent');
    await ada.closes();
    await sendCode(ada, 'SMS (provider’s code)', { 'Phone number': '+2348031234569' });
    await ada.seesModal('Code sent');
    assert.deepEqual(sentFrom(joined), [odd, odd, odd]);
  });

  it('sends campaigns, and is kept by templates and the settings of codes', async (test) => {
    const { ada, grace, ...joined } = await connectHarbour(test);
    await createTemplate(ada, { from: odd });
    await setCodes(grace, { 'Sender ID': odd });
    await compose(ada, { pasted: recipients(2).join('\n'), from: odd });
    await start(ada);
    await provided(joined.provider, 2);
    assert.deepEqual(sentFrom(joined), [odd]);
  });

  it('is the only one of its form: one that is pending is refused', async (test) => {
    const { ada, provider } = await connectHarbour(test);
    await review(ada, { to: '+2348031234568', text: 'Hello', from: 'Harbour Pay' });
    assert.equal(
      ada.errorBeside('Sender ID'),
      'A sender ID has no spaces, unless your account lists it as active.',
    );
    assert.equal(provider.record.length, 0);
  });

  it('is used while the provider’s list is out of reach', async (test) => {
    const { ada, provider } = await connectHarbour(test);
    provider.orderFault({
      account: provider.fullAccount.key,
      operation: 'senderIds.list',
      fault: { kind: 'status', status: 500, message: 'No' },
      times: Infinity,
    });
    await review(ada, { to: '+2348031234568', text: 'Hello', from: odd });
    await ada.seesModal('Message review', odd);
  });
});
