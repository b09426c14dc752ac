import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastRecorded, leftOfRemoved, tablesOf } from '../support/app/removed-workspace.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { compose, recipients } from '../support/campaigns.ts';
import { review } from '../support/slack/sms-steps.ts';
import { connectAs } from '../support/slack/workspace-steps.ts';
import { steppedTimers } from '../support/stepped-timers.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

const workspace = 'T0SWITCH';
const number = '+2348031234567';

/** How Slack says that the app has no place in a workspace any more. */
const endings = {
  app_uninstalled: ({ slack }: TestApp) => slack.uninstall(workspace),
  tokens_revoked: ({ slack }: TestApp) => slack.revokeTokens(workspace),
} as const;

/** Installs and connects the app. Each minute of `minutes` passes at once. */
async function installed(test: Parameters<typeof startTestApp>[0]) {
  const timers = steppedTimers({ from: 60_000 });
  const { clock, pass } = stoppedClock();
  const testApp = await startTestApp(test, { install: 'oauth', clock, timers });
  await testApp.install({ workspace, person: 'U0ADMIN' });
  await connectAs(testApp.slack, 'U0ADMIN', testApp.provider.account.key);
  return {
    testApp,
    async minutes(count: number) {
      for (let minute = 0; minute < count; minute += 1) {
        pass(60_000);
        await timers.advance(60_000);
      }
      await testApp.app().settled();
    },
  };
}

/** Asserts that nothing is left of the workspace, and that nothing happens for it any more. */
async function assertGone(
  testApp: TestApp,
  minutes: (count: number) => Promise<void>,
  sentBefore: number,
): Promise<void> {
  const { ada, slack, provider, app, stopApp, log } = testApp;
  assert.deepEqual(await lastActions(testApp), ['installation slack']);
  const shown = ada.messages().length;
  const called = () =>
    slack.exchanges.filter(({ from, what }) => from === 'app' && isOfMessages(what)).length;
  const before = called();
  // Through every retry, and the second deletion.
  await minutes(15);
  await app().settled();
  assert.equal(called(), before, 'nothing is posted');
  assert.equal(ada.messages().length, shown);
  assert.equal(provider.arrivals.length, sentBefore, 'nothing is sent');
  await stopApp();
  assert.deepEqual(
    await tablesOf(testApp, workspace),
    leftOfRemoved.filter((table) => table !== 'slack_removal'),
  );
  assert.doesNotMatch(log(), /unexpected error|unhandled|could not be deleted yet/);
  assert.doesNotMatch(
    log(),
    /could not be delivered yet[\s\S]*could not be delivered yet[\s\S]*could not be delivered yet/,
  );
}

const isOfMessages = (what: string) => /^(chat|conversations|files|views)\./.test(what);

async function lastActions(testApp: TestApp): Promise<string[]> {
  const [action = '', surface = ''] = (await lastRecorded(testApp, workspace)) ?? [];
  return [`${action.split('.', 1)[0]} ${surface}`];
}

for (const [event, end] of Object.entries(endings)) {
  describe(event, () => {
    it('ends an import, and leaves no row of it', async (test) => {
      const { testApp, minutes } = await installed(test);
      const { ada, slack, provider, app } = testApp;
      const download = slack.hold('files-pri');
      await compose(ada, {
        file: ['Phone,Name', ...recipients(30_000).map((to) => `${to},Ada`)].join('\n'),
      });
      await ada.seesModal('New campaign', 'Importing recipients');
      const sent = provider.arrivals.length;
      await end(testApp);
      download.release();
      await app().settled();
      await testApp.stopApp();
      assert.deepEqual(await tablesOf(testApp, workspace), leftOfRemoved, 'at once');
      await testApp.startApp();
      await assertGone(testApp, minutes, sent);
    });

    it('drops a notice that waits for Slack, and one that is being posted', async (test) => {
      const { testApp, minutes } = await installed(test);
      const { ada, slack, provider, app } = testApp;
      for (const text of ['Hello', 'Hello again']) {
        await review(ada, { to: number, text });
        await ada.seesModal('Message review');
        const posted = text === 'Hello' ? undefined : slack.hold('conversations.open');
        if (posted === undefined) {
          slack.fault('conversations.open', { error: 'internal_error' });
        }
        await ada.submits();
        if (posted === undefined) {
          await ada.seesModal('Message sent');
          await ada.closes();
        } else {
          await posted.arrived;
          const sent = provider.arrivals.length;
          const ended = end(testApp);
          posted.release();
          await ended;
          await app().settled();
          await assertGone(testApp, minutes, sent);
        }
      }
    });
  });
}
