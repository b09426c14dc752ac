import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWatchNotices } from '../../../../src/slack/features/watchers/notices.ts';
import { createNotifier } from '../../../../src/slack/notifier/notices.ts';
import { campaignHarness, workspaceId } from '../../../support/campaign-harness.ts';
import { eventually } from '../../../support/campaigns.ts';
import { killAtEachStep } from '../../../support/kill-walk.ts';
import { allNoticesBy } from '../../../support/notices.ts';
import { startPostingFor } from '../../../support/slack/posting-slack.ts';
import { support } from '../../../support/slack/slack-user.ts';
import { forEachDatabase } from '../../../support/store/databases.ts';
import { endLeases } from '../../../support/store/due-notices.ts';
import { breakTable } from '../../../support/store/faults.ts';
import { stoppedClock } from '../../../support/time/test-clock.ts';

const destination = { userId: 'U0ADMIN', channelId: support };

const chosen = {
  channelId: support,
  setBy: destination.userId,
  hour: 9,
  zone: 'Africa/Lagos',
  off: [],
};

forEachDatabase(() => {
  it('an alert and a digest are posted once, or told to their admin, wherever the program is killed, and also where its data are restored', async (test) => {
    const { clock, pass } = stoppedClock();
    const harness = await campaignHarness(test, { clock });
    const { slack, context } = await startPostingFor(test, harness.store);
    await harness.services.watchers.settings.save(workspaceId, chosen);
    const notify = async () => {
      const { store, services } = harness;
      const { watch, digest } = createWatchNotices({ ...context, store, services });
      await createNotifier({ ...context, store }, { ...allNoticesBy(async () => {}), watch, digest })();
    };
    const notifyAgain = async () => {
      await endLeases(harness.store);
      await notify();
    };
    const messages = () => slack.snapshot(destination.userId).messages;
    let asked = 0;
    const raise = () => {
      const now = clock.now();
      const times = { since: now, changedAt: now, mutedBy: undefined, tells: true } as const;
      const facts = { step: 'nearly_used', name: `89•••${asked}`, share: 0.95 };
      const key = { workspaceId, subject: `esim:${asked}`, kind: 'esim' } as const;
      return harness.store.watches.change(key, destination, () => ({ state: 'raised', ...times, facts }));
    };
    const sum = () =>
      harness.store.watches.digest(workspaceId, {
        date: new Date(clock.now().getTime() + asked * 24 * 60 * 60_000).toISOString().slice(0, 10),
        destination,
        isNeeded: true,
      });
    for (const ask of [raise, sum]) {
      const steps = await killAtEachStep(test, harness, {
        async begin() {
          pass(60_000);
          asked += 1;
          await ask();
          return { before: messages().length };
        },
        work: notify,
        async again({ before }, where) {
          await notifyAgain();
          assertToldOnce(messages().slice(before), where);
        },
        async restored({ before }, where) {
          const posted = messages().length;
          await notifyAgain();
          assertToldOnce(messages().slice(before), where);
          // A repeated notice says that it may be there already.
          for (const { channel, text } of messages().slice(posted)) {
            assert.notEqual(channel, support, where);
            assert.match(text, /This may be in|You may have this message already/, where);
          }
        },
      });
      assert.ok(steps >= 3, `${steps} steps`);
    }
  });
});

forEachDatabase(() => {
  it('an alert is posted once where its position can’t be stored at first, and is changed there later', async (test) => {
    const { clock, pass } = stoppedClock();
    const harness = await campaignHarness(test, { clock });
    const { store, services } = harness;
    await services.watchers.settings.save(workspaceId, chosen);
    const { slack, context } = await startPostingFor(test, store);
    const key = { workspaceId, subject: 'esim:1', kind: 'esim' } as const;
    const changeTo = async (state: 'raised' | 'cleared') => {
      const now = clock.now();
      const times = { since, changedAt: now, mutedBy: undefined, tells: true } as const;
      const facts = { step: 'nearly_used', name: '89•••1', share: 0.95 };
      await store.watches.change(key, destination, () => ({ state, ...times, facts }));
    };
    const since = clock.now();
    const { watch } = createWatchNotices({ ...context, store, services });
    const notify = () => createNotifier({ ...context, store }, { ...allNoticesBy(async () => {}), watch })();
    await changeTo('raised');
    const repair = await breakTable(store.db, 'watch', 'update');
    await notify();
    await repair();
    const isStored = async () => (await store.watches.find(key))?.message !== undefined;
    await eventually(isStored, 'its position');
    pass(60_000);
    await changeTo('cleared');
    await notify();
    const { messages } = slack.snapshot(destination.userId);
    assert.deepEqual(
      messages.map(({ channel, text }) => [channel, /^:white_check_mark:/.test(text)]),
      [[support, true]],
    );
  });
});

/** Asserts that the notice is in the channel once, or that its admin knows it may be. */
function assertToldOnce(posted: readonly { channel: string; text: string }[], where: string): void {
  const inChannel = posted.filter(({ channel }) => channel === support);
  const told = posted.filter(({ channel }) => channel !== support);
  assert.ok(inChannel.length <= 1 && posted.length >= 1, `${where}: ${JSON.stringify(posted)}`);
  for (const { text } of told) {
    assert.match(text, /This may be in/, where);
  }
}
