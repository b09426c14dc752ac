import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { review } from '../support/sms.ts';
import { startWorkbench } from '../support/workbench.ts';

describe('nothing is lost in silence', () => {
  it('tells an outcome once Slack is back, if it was away when the message went', async (test) => {
    const { ada, slack, provider, connect, restart } = await startWorkbench(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Send this?');
    slack.fault('conversations.open', { error: 'internal_error' });
    await ada.submits();
    await ada.seesModal('Sent');
    assert.ok(!ada.messages().some(({ text }) => text.includes('accepted the message')));
    await restart();
    await ada.sees('accepted the message');
    assert.equal(provider.record.length, 1);
  });

  it('finishes what is under way before it stops', async (test) => {
    const { ada, provider, connect, stopApp } = await startWorkbench(test, { slowness: 300 });
    await connect();
    await review(ada, { to: '+2348030009603', text: 'Hello' });
    await ada.seesModal('Send this?');
    await ada.submits();
    await stopApp();
    assert.equal(provider.record.length, 1);
    await ada.sees('accepted the message');
  });
});
