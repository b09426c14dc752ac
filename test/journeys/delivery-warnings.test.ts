import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt, review } from '../support/slack/sms-steps.ts';

describe('delivery warnings before a send', () => {
  it('name the recipients on Do-Not-Disturb for the generic route', async (test) => {
    const { ada, provider, connect } = await startTestApp(test, { clock: lagosAt(12) });
    await connect();
    await review(ada, { to: '+2348051234567, +2348051234568', text: 'Sale today', route: 'Generic' });
    const shown = await ada.seesModal('Message review', 'will not get this on the generic route');
    assert.match(JSON.stringify(shown.view), /Do-Not-Disturb\.\* \+234\s805\s123\s4567 will/);
    assert.match(wordsOf(shown.view), /Send anyway/);
    assert.equal(provider.record.length, 0);
    await ada.submits();
    await ada.seesModal('Message accepted');
  });

  it('name quiet hours at 21:00 in Lagos', async (test) => {
    const { ada, connect } = await startTestApp(test, { clock: lagosAt(21) });
    await connect();
    await review(ada, { to: '+2348031234568', text: 'Sale today', route: 'Generic' });
    await ada.seesModal('Message review', 'Quiet hours.');
  });

  it('are absent at noon for a number that is not on Do-Not-Disturb', async (test) => {
    const { ada, connect } = await startTestApp(test, { clock: lagosAt(12) });
    await connect();
    await review(ada, { to: '+2348031234568', text: 'Sale today', route: 'Generic' });
    const shown = await ada.seesModal('Message review');
    assert.equal(shown.view.submit && JSON.stringify(shown.view.submit).includes('Send anyway'), false);
  });

  it('name a one-time code on the generic route', async (test) => {
    const { ada, connect } = await startTestApp(test, { clock: lagosAt(12) });
    await connect();
    await review(ada, { to: '+2348031234568', text: 'Your code is 482913', route: 'Generic' });
    await ada.seesModal('Message review', 'looks like a one-time code');
  });

  it('say that a { halves the page', async (test) => {
    const { ada, connect } = await startTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234568', text: `{name}, ${'your order is on its way. '.repeat(3)}` });
    await ada.seesModal('Message review', '2 instead of 1 for each recipient');
  });

  it('name the recipients whose Do-Not-Disturb state could not be checked', async (test) => {
    const { ada, connect } = await startTestApp(test, { clock: lagosAt(12) });
    await connect();
    await review(ada, { to: '+2348030009401, +2348051234568', text: 'Sale today', route: 'Generic' });
    await ada.seesModal('Message review', 'could not be checked for +234 803 000 9401');
  });
});
