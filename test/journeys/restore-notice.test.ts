import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startRestorable } from '../support/app/restorable.ts';
import { compose, personal, provided, recipients, start } from '../support/campaigns.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';

describe('the notice of a restore', () => {
  /** Backs up data in which Grace has connected the provider and a campaign of Ada's is running. */
  async function restorable(test: TestContext) {
    const testApp = await startRestorable(test, { env: { CAMPAIGN_MESSAGES_PER_SECOND: '8' } });
    await testApp.connect();
    await compose(testApp.ada, { file: personal(recipients(900)), text: 'Hello {{name}}' });
    await start(testApp.ada);
    await provided(testApp.provider, 1);
    await testApp.backUp();
    return testApp;
  }
  const restoreNotices = (person: SlackUser) =>
    person.messages().filter(({ text }) => text.startsWith('Switchboard’s data was restored'));

  it('reaches the others when one user cannot be reached', async (test) => {
    const { ada, grace, slack, putBack, restart } = await restorable(test);
    // The admin is notified first.
    slack.fault('conversations.open', { status: 503 });
    await putBack();
    await ada.sees('Paused: 1 campaign or scheduled message.');
    assert.deepEqual(restoreNotices(grace), []);
    await restart();
    await grace.sees('Paused: 1 campaign or scheduled message.');
    assert.deepEqual([restoreNotices(ada).length, restoreNotices(grace).length], [1, 1]);
  });

  it('is marked as a possible repetition when its first delivery is uncertain', async (test) => {
    const { ada, grace, slack, putBack, restart } = await restorable(test);
    slack.faultBy((method) => (method === 'chat.postMessage' ? { status: 503, after: true } : undefined));
    await putBack();
    await grace.sees('Paused: 1 campaign or scheduled message.');
    await ada.sees('Paused: 1 campaign or scheduled message.');
    slack.faultBy(() => undefined);
    await restart();
    for (const person of [ada, grace]) {
      await person.sees(/You may have this message already[\s\S]*Paused: 1 campaign or scheduled message\./);
      assert.equal(restoreNotices(person).length, 2);
    }
  });
});
