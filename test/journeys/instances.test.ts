import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RunningApp, startApp } from '../../src/app.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createLog } from '../../src/lib/log.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { asSeen } from '../support/campaign-harness.ts';
import { compose, eventually, recipients } from '../support/campaigns.ts';
import { type SlackUser, slackUserAt, support } from '../support/slack/slack-user.ts';
import { advanceUntil, steppedTimers } from '../support/stepped-timers.ts';
import { forEachDatabase, onlyOn } from '../support/store/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runningClock } from '../support/time/test-clock.ts';

const minute = 60_000;

interface Instances extends TestApp {
  /** The second instance of the program, on the same database. Slack sends its requests to the first. */
  second: RunningApp;
  /** Lets time pass for the second. */
  step(ms: number): Promise<void>;
}

async function startInstances(test: { after(end: () => void | Promise<void>): void }): Promise<Instances> {
  const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
  const timers = steppedTimers({ from: 10_000 });
  const standing = steppedTimers({ from: 10_000 });
  let second: RunningApp | undefined;
  // Before the database goes.
  test.after(() => second?.stop());
  const first = await startTestApp(test, { database: 'postgres', clock, timers: standing });
  const settings = await readSettings({ ...first.env, DATA_DIR: temporaryFolder(test) });
  second = await startApp(settings, { time: clock, timers, log: createLog('silent'), drainMs: 0 });
  return {
    ...first,
    second,
    async step(ms) {
      pass(ms);
      await timers.advance(ms);
    },
  };
}

/** Schedules a campaign whose progress is shown in a channel. */
async function schedule(user: SlackUser, count: number): Promise<void> {
  await compose(user, { pasted: recipients(count).join(' ') });
  await user.seesModal('Campaign review');
  await user.fills('Start', 'Schedule');
  await user.fills('Date', '2077-07-05');
  await user.fills('Time', '18:30');
  await user.fills('Post progress to', 'A channel');
  await user.fills('Channel', support);
  await user.submits();
}

forEachDatabase(() => {
  describe('two instances', onlyOn('postgres', 'several instances share it'), () => {
    it('show a campaign in one message, whichever of them changes it', async (test) => {
      const { grace, slack, connect, second } = await startInstances(test);
      await connect();
      await schedule(grace, 2);
      await grace.sees('*Scheduled for');
      const calls = () => slack.exchanges.filter(({ what }) => what === 'chat.update').length;
      const before = calls();
      const [campaign] = await second.services.campaigns.listActive();
      assert.ok(campaign);
      const by = { workspaceId: campaign.workspaceId, userId: grace.id, isAdmin: true };
      const result = await second.services.campaigns.cancel({ ...by, id: campaign.id });
      assert.equal(result.kind, 'done');
      await grace.sees('Cancelled by <@U0ADMIN>');
      assert.equal(calls() - before, 1, 'one instance shows it');
      const shown = slack.snapshot(grace.id).messages.filter(({ channel }) => channel === support);
      assert.equal(shown.length, 1);
    });

    it('one shows the end of a campaign at once, though the other was showing it just then', async (test) => {
      const { grace, slack, connect, app, second } = await startInstances(test);
      await connect();
      await schedule(grace, 2);
      await grace.sees('*Scheduled for');
      const [campaign] = await second.services.campaigns.listActive();
      assert.ok(campaign);
      const { workspaceId, id } = campaign;
      const by = { workspaceId, userId: grace.id, isAdmin: true };
      const at = { time: new Date(Date.UTC(2077, 6, 5, 19)), zone: 'Africa/Lagos' };
      const update = slack.hold('chat.update');
      const { campaigns } = app().services;
      const changed = await campaigns.changeTime(await asSeen(campaigns, { ...by, id, at }));
      assert.equal(changed.kind, 'done');
      await update.arrived;
      const { outbox } = second.context.store;
      const { deliver } = outbox;
      const tried = Promise.withResolvers<void>();
      outbox.deliver = (key, send) => deliver(key, send).finally(tried.resolve);
      assert.equal((await second.services.campaigns.cancel({ ...by, id })).kind, 'done');
      await tried.promise;
      update.release();
      // Periodic work would show it up to a minute later.
      await slackUserAt(slack, grace.id, { patience: 15_000 }).sees('Cancelled by <@U0ADMIN>');
    });

    it('one shows what the other could not before it ended', async (test) => {
      const { grace, slack, connect, app, second, step, stopApp, log } = await startInstances(test);
      await connect();
      await schedule(grace, 2);
      await grace.sees('*Scheduled for');
      const [campaign] = await second.services.campaigns.listActive();
      assert.ok(campaign);
      const { workspaceId, id } = campaign;
      slack.goDown();
      const at = { time: new Date(Date.UTC(2077, 6, 5, 19)), zone: 'Africa/Lagos' };
      const by = { workspaceId, userId: grace.id, isAdmin: true };
      assert.equal(
        (await app().services.campaigns.changeTime(await asSeen(app().services.campaigns, { ...by, id, at })))
          .kind,
        'done',
      );
      await eventually(() => log().includes('progress could not be shown yet'), 'Slack to be missed');
      await stopApp();
      slack.comeUp();
      await advanceUntil(grace.sees(/5 Jul 2077, 7:00 PM UTC/), () => step(minute));
      const shown = slack.snapshot(grace.id).messages.filter(({ channel }) => channel === support);
      assert.equal(shown.length, 1, 'in the same message');
    });
  });
});
