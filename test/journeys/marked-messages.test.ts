import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv, reportOf } from '../support/reports/signed-report.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

/** The provider takes the message and cuts the connection. */
const cutAfter = '+2348030009003';

async function sendUnconfirmed({ ada, connect }: TestWorkspace): Promise<void> {
  await connect();
  await send(ada, { to: cutAfter, text: 'Your order A1204 is ready' });
  await ada.seesModal('Message unconfirmed', /may or may not have been sent/);
}

describe('an unconfirmed message that the provider can’t be asked about', () => {
  it('is marked as received by its sender, and waits for nobody any more', async (test) => {
    const app = await joinTestApp(test);
    const { ada, provider } = app;
    await sendUnconfirmed(app);
    await ada.seesHome(/unconfirmed/);
    await ada.presses('Mark as received');
    await ada.seesModal(
      'Message unconfirmed',
      /\*Marked as received\* by <@U0AGENT\w*>.*: the message to \+234/,
    );
    await ada.closes();
    const changed = wordsOf(await ada.sees(/\*Marked as received\*/));
    assert.doesNotMatch(changed, /Mark as|Send again/);
    await ada.types('/sms', 'history');
    await ada.seesModal('History', /\*Marked as received\* <!date/);
    await ada.closes();
    await ada.seesHome(/^(?![\s\S]*Needs your attention)/);
    assert.equal(provider.record.length, 1);
  });

  it('is sent again once it is marked as not received, and not before', async (test) => {
    const app = await joinTestApp(test);
    const { ada, provider } = app;
    await sendUnconfirmed(app);
    await ada.closes();
    const told = wordsOf(await ada.sees(/may or may not have been sent/));
    assert.doesNotMatch(told, /Send again/);
    await ada.presses('Mark as not received');
    await ada.sees(/\*Marked as not received\*/);
    await ada.presses('Send again');
    await ada.seesModal('New message', 'Your order A1204 is ready');
    await ada.submits();
    await ada.seesModal('Message review');
    assert.equal(provider.record.length, 1);
    await ada.submits();
    await ada.seesModal('Message unconfirmed');
    assert.equal(provider.record.length, 2);
  });

  it('is what a later report says, whatever it was marked as', async (test) => {
    const app = await joinTestApp(test, { env: reportEnv });
    const { ada, provider } = app;
    await sendUnconfirmed(app);
    await ada.closes();
    const address = await makesReportAddress(app);
    await ada.presses('Mark as not received');
    await ada.sees(/\*Marked as not received\*/);
    assert.equal(await postReport(address, reportOf(app), provider.account), 200);
    await ada.sees(/Update on an unconfirmed message[\s\S]*\*Delivered\*/);
    await ada.sees(/^(?![\s\S]*Marked as)[\s\S]*\*Delivered\*/);
  });
});
