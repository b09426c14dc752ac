import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, recipients } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { openSettings } from '../support/slack/open-settings.ts';
import { entersPrice } from '../support/slack/price-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt, review, send } from '../support/slack/sms-steps.ts';

describe('delivery warnings before a send', () => {
  it('name the recipients on Do-Not-Disturb for the generic route', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await review(ada, {
      to: '+2348051234567, +2348051234568',
      text: 'Sale today',
      route: 'Promotional (generic)',
    });
    const shown = await ada.seesModal('Message review', 'won’t receive this on Promotional (generic)');
    assert.match(JSON.stringify(shown.view), /Do-Not-Disturb\.\* \+234\s805\s123\s4567 won’t/);
    assert.match(wordsOf(shown.view), /Send anyway/);
    assert.equal(provider.record.length, 0);
    await ada.submits();
    await ada.seesModal('Message sent');
  });

  it('name quiet hours at 21:00 in Lagos', async (test) => {
    const { ada, connect } = await startTestApp(test, { clock: lagosAt(21) });
    await connect();
    const to = '+2348031234568, +2348051234568';
    await review(ada, { to, text: 'Sale today', route: 'Promotional (generic)' });
    const { view } = await ada.seesModal('Message review', 'Quiet hours, 8:00 PM to 8:00 AM WAT.');
    assert.match(wordsOf(view), /Quiet hours on other networks, 8:00 PM to 8:00 AM WAT\./);
  });

  it('are absent at noon for a number that is not on Do-Not-Disturb', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234568', text: 'Sale today', route: 'Promotional (generic)' });
    const shown = await ada.seesModal('Message review');
    assert.equal(shown.view.submit && JSON.stringify(shown.view.submit).includes('Send anyway'), false);
  });

  it('name a one-time code on the generic route', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234568', text: 'Your code is 482913', route: 'Promotional (generic)' });
    await ada.seesModal('Message review', 'looks like a one-time code');
  });

  it('say what a { costs, and swap what has a plain twin', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234568', text: `{name}, ${'your order is on its way. '.repeat(3)}` });
    const shown = await ada.seesModal('Message review', '{ } make this 2 pages instead of 1.');
    assert.match(wordsOf(shown.view), /Send anyway/);
  });

  it('offer plain text where that saves a page, and show the swapped message', async (test) => {
    const env = profileEnv({ unicodeType: 'unicode' });
    const { ada, provider, connect } = await joinTestApp(test, { env });
    await connect();
    await review(ada, { to: '+2348031234568', text: `Ready — ${'for you. '.repeat(10)}` });
    await ada.seesModal('Message review', '— makes this 2 pages instead of 1.');
    await ada.presses('Replace with plain text');
    const shown = await ada.seesModal('Message review', 'Ready - for you.');
    assert.doesNotMatch(wordsOf(shown.view), /anyway|Replace/);
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.match(provider.record[0]?.text ?? '', /^Ready - for/);
  });

  it('are absent for characters that cost nothing', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234568', text: 'It’s ready “today”' });
    const shown = await ada.seesModal('Message review');
    assert.doesNotMatch(wordsOf(shown.view), /anyway|make this|Replace/);
  });

  it('ask once where the balance is short of what the message probably costs', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    await entersPrice(grace, { amount: '4.25' });
    provider.setBalance(9);
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await review(ada, { to: '+2348031234567, +2348051234567', text: 'Hello' });
    const shown = await ada.seesModal('Message review', /Cost: about 8\.50 [\s\S]*Balance too low/);
    assert.match(wordsOf(shown.view), /Send anyway/);
    assert.doesNotMatch(wordsOf(shown.view), /enough for/);
  });

  it('do not ask about Do-Not-Disturb for a number that is not Nigerian', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+447911123456', text: 'Sale today', route: 'Promotional (generic)' });
    const shown = await ada.seesModal('Message review');
    assert.doesNotMatch(wordsOf(shown.view), /Disturb|anyway/);
    assert.ok(provider.arrivals.every(({ operation }) => operation !== 'insight.checkDnd'));
  });

  it('name the recipients whose Do-Not-Disturb state could not be checked', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, {
      to: '+2348030009401, +2348051234568',
      text: 'Sale today',
      route: 'Promotional (generic)',
    });
    const shown = await ada.seesModal('Message review', 'Do-Not-Disturb unknown* for +234 803 000 9401');
    assert.doesNotMatch(wordsOf({ submit: shown.view.submit }), /anyway/, 'a remark');
  });
});

describe('landlines among the recipients', () => {
  const mixed = '+234 203 123 4567, +44 20 7946 0018, +2348031234568';
  const warning = '2 of 3 numbers checked are landlines.';

  it('are counted in the review of a message and of a campaign, and block neither', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: mixed, text: 'Our shop opens at nine' });
    const shown = await ada.seesModal('Message review', warning);
    assert.doesNotMatch(wordsOf(shown.view), /anyway/);
    await ada.closes();
    await review(ada, { to: '+442079460018', text: 'Our shop opens at nine' });
    await ada.seesModal('Message review', 'The number is a landline.');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.equal(provider.record.length, 1);
    await ada.closes();
    await compose(ada, { pasted: mixed });
    const campaign = await ada.seesModal('Campaign review', warning);
    assert.match(wordsOf(campaign.view), /Send to 3/);
  });

  it('are no matter for a voice call', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+442079460018', text: 'Our shop opens at nine', route: 'Voice' });
    const shown = await ada.seesModal('Message review');
    assert.doesNotMatch(wordsOf(shown.view), /andline/);
  });
});

describe('delivery checks', () => {
  const risky = 'Win a free phone, or reply STOP';

  it('stand in the review, change no button, and are gone once an admin has switched them off', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234568', text: risky, route: 'Promotional (generic)' });
    const { view } = await ada.seesModal('Message review', '“win” and “free”');
    assert.match(wordsOf(view), /Recipients can’t reply to the name \*PalmMarket\*/);
    assert.doesNotMatch(wordsOf(view), /anyway/);
    await ada.closes();

    await openSettings(grace);
    await grace.presses('Change delivery checks');
    await grace.seesModal('Delivery checks');
    await grace.fills('Warn about', ['Links', 'Quiet hours']);
    await grace.submits();
    await grace.seesModal('Delivery checks', 'Saved.');
    await grace.closes();
    await grace.closes();
    await review(ada, { to: '+2348031234568', text: risky, route: 'Promotional (generic)' });
    assert.doesNotMatch(wordsOf((await ada.seesModal('Message review')).view), /Filtered|No replies/);
    await ada.closes();
    await openSettings(grace);
    await grace.presses('Change delivery checks');
    assert.match(
      JSON.stringify((await grace.seesModal('Delivery checks')).view),
      /"initial_options":\[\{[^[]*"links"[^[]*"night"[^[]*\]/,
    );
  });

  it('ask for the approval of each network once per sender ID, and only admins', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    const to = '+2348031234568, +2348051234568';
    const approval = /Approval by each network\.\* [^\n]*Glo and MTN[^\n]*\*PalmMarket\*/;
    const without = /^(?![\s\S]*Approval by each network)/;
    await review(ada, { to, text: 'Our shop opens at nine' });
    await ada.seesModal('Message review', without);
    await review(grace, { to, text: 'Our shop opens at nine' });
    await grace.seesModal('Message review', approval);
    await grace.presses('Edit');
    await grace.seesModal('New message');
    await grace.submits();
    await grace.seesModal('Message review', approval);
    await grace.closes();

    await compose(grace, { pasted: to });
    await grace.seesModal('Campaign review', without);
    await grace.closes();
    await review(grace, { to, text: 'Our shop opens at nine', from: 'PalmCare' });
    await grace.seesModal('Message review', /\*PalmCare\*\. Only admins/);
  });

  it('name an answer that a name can’t receive, in a message as in a campaign', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    const words = 'Recipients can’t reply to the name *PalmCare*: neither replies nor STOP will reach you.';
    const asking = { text: 'Reply YES to keep your visit', from: 'PalmCare' };
    await review(ada, { ...asking, to: '+2348031234568' });
    await ada.seesModal('Message review', words);
    await ada.closes();
    await compose(ada, { ...asking, pasted: recipients(3).join(' ') });
    await ada.seesModal('Campaign review', words);
  });

  it('stand in the review of a campaign, by its start', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    const from = 'Palm24';
    await compose(ada, {
      pasted: recipients(3).join(' '),
      text: risky,
      route: 'Promotional (generic)',
      from,
    });
    const { view } = await ada.seesModal('Campaign review', '“win” and “free”');
    const shown = wordsOf(view);
    assert.match(shown, /No replies\..*Palm24/);
    assert.match(shown, /Digits in the sender ID\./);
    assert.match(shown, /\*Palm24\* isn’t one of the account’s active sender IDs/);
    assert.doesNotMatch(shown, /Quiet hours on other|anyway/);
    await ada.fills('Start', 'Schedule');
    await ada.fills('Time', '22:00');
    await ada.seesModal('Campaign review', 'Quiet hours on other networks, 8:00 PM to 8:00 AM WAT.');
    await ada.submits();
  });
});

describe('a sender that is not active on the account', () => {
  it('is warned of in the first review, though nobody has opened the list of senders', async (test) => {
    const { ada, app, connect, teamId } = await joinTestApp(test);
    await connect();
    const defaults = { country: 'NG', route: 'dnd', senderId: 'NotMine', esimPurchases: true } as const;
    await app().services.workspaces.saveDefaults(teamId, defaults);
    await ada.types('/sms', '+2348031234568 Our shop opens at nine');
    await ada.sees('*Sender ID not active.* *NotMine* isn’t one of');
  });

  it('holds up no review where the provider does not give the list', async (test) => {
    const { ada, app, provider, connect, teamId } = await joinTestApp(test);
    await connect();
    const defaults = { country: 'NG', route: 'dnd', senderId: 'NotMine', esimPurchases: true } as const;
    await app().services.workspaces.saveDefaults(teamId, defaults);
    const fault = { kind: 'status', status: 500, message: 'Out of order' } as const;
    provider.orderFault({ operation: 'senderIds.list', fault, times: Infinity });
    await ada.types('/sms', '+2348031234568 Our shop opens at nine');
    const review = await ada.sees('1 recipient, 1 page');
    assert.doesNotMatch(wordsOf(review), /not active/);
  });
});
