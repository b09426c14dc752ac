import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { watchKinds } from '../../../src/domain/watch/watch.ts';
import { watchNotice } from '../../../src/store/watch/watches.ts';
import { campaignHarness, workspaceId } from '../../support/campaign-harness.ts';
import { killAtEachStep } from '../../support/kill-walk.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const settings = { channelId: 'C1', setBy: 'U0ADMIN', hour: 9, zone: 'Africa/Lagos', off: [] };
const alert = { subject: 'esim:1', kind: 'esim' } as const;

async function startWatching(test: TestContext) {
  const { clock, pass } = stoppedClock();
  const harness = await campaignHarness(test, { clock });
  const destination = { userId: 'U0ADMIN', channelId: 'C1' };
  return {
    harness,
    watchers: () => harness.services.watchers,
    watched: () => harness.store.watches.workspaces(),
    /** A check once everything is due. */
    async look() {
      pass(7 * 60 * 60_000);
      await harness.services.watchers.tick(new AbortController().signal);
    },
    /** Raises an alert that Slack shows. */
    async raise() {
      const now = clock.now();
      const raised = {
        state: 'raised',
        since: now,
        changedAt: now,
        mutedBy: undefined,
        tells: true,
      } as const;
      const facts = { step: 'nearly_used' };
      await harness.store.watches.change({ workspaceId, ...alert }, destination, () => ({
        ...raised,
        facts,
      }));
    },
    alert: () => harness.store.watches.find({ workspaceId, subject: alert.subject }),
    notices: async () =>
      (
        await harness.store.db
          .selectFrom('outbox')
          .select('subjectId')
          .where('subject', '=', 'watch')
          .execute()
      ).map(({ subjectId }) => subjectId),
    /**
     * Kills the work at each step and restores the data from then. What holds `after` a kill has to hold
     * after the restore too.
     */
    atEachStep: ({
      before = async () => {},
      work,
      after,
    }: {
      before?: () => Promise<unknown>;
      work: () => Promise<unknown>;
      after: () => Promise<unknown>;
    }) =>
      killAtEachStep(test, harness, {
        begin: async () => void (await before()),
        work,
        again: async () => void (await after()),
        restored: async () => void (await after()),
      }),
  };
}

forEachDatabase(() => {
  describe('watchers, where the program is killed at any step, and where its data are restored', () => {
    it('are looked at whenever the settings say that they are on', async (test) => {
      const { watched, watchers, atEachStep } = await startWatching(test);
      await atEachStep({
        work: () => watchers().settings.save(workspaceId, settings),
        async after() {
          const { settings: on } = watchers();
          if ((await on.read(workspaceId)) !== undefined) {
            assert.deepEqual(await watched(), [workspaceId]);
            await on.remove(workspaceId, 'U0ADMIN');
          }
        },
      });
    });

    it('end every alert once they are switched off, or its kind is', async (test) => {
      const { watched, watchers, atEachStep, raise, alert: found, look } = await startWatching(test);
      const off = watchKinds.filter((kind) => kind !== 'reply');
      const before = async () => {
        await watchers().settings.save(workspaceId, {
          ...settings,
          off: off.filter((kind) => kind !== 'esim'),
        });
        await raise();
      };
      await atEachStep({
        before,
        work: () => watchers().settings.save(workspaceId, { ...settings, off }),
        async after() {
          await look();
          const isOff = (await watchers().settings.read(workspaceId))?.off.includes('esim');
          assert.equal((await found())?.state, isOff ? 'cleared' : 'raised');
        },
      });
      await atEachStep({
        before,
        work: () => watchers().settings.remove(workspaceId, 'U0ADMIN'),
        async after() {
          await look();
          if ((await watchers().settings.read(workspaceId)) === undefined) {
            assert.equal((await found())?.state, 'cleared');
            assert.deepEqual(await watched(), []);
          }
        },
      });
    });

    it('have the audit say who muted an alert that is muted', async (test) => {
      const { harness, watchers, atEachStep, raise, alert: found } = await startWatching(test);
      await watchers().settings.save(workspaceId, settings);
      await raise();
      const entries = async () =>
        (await Array.fromAsync(harness.services.audit.all({ workspaceId, actions: ['watch.mute'] }))).length;
      await atEachStep({
        async work() {
          const row = await found();
          assert.ok(row);
          const by = { workspaceId, userId: 'U0ADMIN' };
          await watchers().mute(by, watchNotice(row), true);
        },
        async after() {
          const [isMuted, count] = [(await found())?.mutedBy !== undefined, await entries()];
          assert.equal(count, isMuted ? 1 : 0);
        },
      });
    });

    it('call nothing news that an account had when it was connected', async (test) => {
      const { harness, watchers, atEachStep, look, notices } = await startWatching(test);
      const off = watchKinds.filter((kind) => kind !== 'sender_id');
      await watchers().settings.save(workspaceId, { ...settings, off });
      await atEachStep({
        before: async () => {
          await harness.services.workspaces.connect(workspaceId, harness.provider.account.key, 'U0ADMIN');
        },
        work: look,
        async after() {
          await look();
          assert.deepEqual(await notices(), []);
        },
      });
      // A replaced key, with a crash before the old findings are deleted.
      await atEachStep({
        work: () =>
          harness.services.workspaces.connect(workspaceId, harness.provider.otherAccount.key, 'U0ADMIN'),
        async after() {
          await look();
          assert.deepEqual(await notices(), []);
          await harness.services.workspaces.connect(workspaceId, harness.provider.account.key, 'U0ADMIN');
          await look();
        },
      });
    });
  });
});
