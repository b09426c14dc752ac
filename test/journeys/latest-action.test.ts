import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { patientTimers } from '../support/hurried-timers.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

/** The form with text just typed; the update with its page count is held on its way to Slack. */
async function countUnderWay({ ada, slack, connect }: TestWorkspace) {
  await connect();
  await ada.types('/sms');
  await ada.fills('To', '+2348031234567');
  await ada.fills('Sender ID', 'PalmMarket');
  const count = slack.hold('views.update');
  await ada.fills('Message', 'Hello');
  await count.arrived;
  return count;
}

forOneAndThreeInstances(() => {
  describe('after the latest action a modal', () => {
    it('shows the choice, not the page count of earlier typing', async (test) => {
      const testApp = await joinTestApp(test);
      const count = await countUnderWay(testApp);
      const { ada, app } = testApp;
      await ada.fills('Route', 'Chat app');
      await ada.seesModal('New message', 'Device');
      count.release();
      await app().settled();
      assert.match(wordsOf(ada.modal()?.view), /Device/);
      assert.match(JSON.stringify(ada.modal()?.values), /Hello/);
    });

    it('shows the choice, even if the page count of earlier typing came in between', async (test) => {
      const testApp = await joinTestApp(test);
      const count = await countUnderWay(testApp);
      const { ada, slack } = testApp;
      const choice = slack.hold('views.update');
      await ada.fills('Route', 'Chat app');
      await choice.arrived;
      count.release();
      await ada.seesModal('New message', '5 characters');
      choice.release();
      await ada.seesModal('New message', 'Device');
    });

    it('shows the review, even if the answer to an earlier choice had to be sent once more', async (test) => {
      // Only the instance that sends the answer knows of it.
      const testApp = await startTestApp(test, { instances: 1, timers: patientTimers, patience: 30_000 });
      const count = await countUnderWay(testApp);
      const { ada, grace, slack, stopApp } = testApp;
      const choice = slack.hold('views.update');
      await ada.fills('Route', 'Transactional (DND)');
      await choice.arrived;
      count.release();
      await ada.seesModal('New message', '5 characters');
      const again = slack.hold('views.update');
      choice.release();
      await again.arrived;
      const submitted = ada.submits();
      // Takes longer than an acknowledgement that does not wait.
      await grace.types('/number', '+2348031234567');
      await grace.sees('Route to use');
      again.release();
      await submitted;
      await stopApp();
      await ada.seesModal('Message review', 'Hello');
    });

    it('shows the review, not the form with the page count of earlier typing', async (test) => {
      const testApp = await joinTestApp(test);
      const count = await countUnderWay(testApp);
      const { ada, provider, app } = testApp;
      await ada.submits();
      await ada.seesModal('Message review', 'Hello');
      count.release();
      await app().settled();
      await ada.seesModal('Message review', 'Hello');
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.equal(provider.record.length, 1);
    });
  });
});
