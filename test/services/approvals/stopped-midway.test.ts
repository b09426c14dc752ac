import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Approval } from '../../../src/store/approvals/approvals.ts';
import { askToBuy, askToStart, decide, standing, switchOn } from '../../support/approvals.ts';
import {
  type CampaignHarness,
  campaignHarness,
  createdBy,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { killAtEachStep } from '../../support/kill-walk.ts';
import { unlimited } from '../../support/limits.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { dueIds } from '../../support/store/due-notices.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

/** Longer than an instance takes to start an approved action. */
const minute = 60_000;

/** Approves the waiting request, like an approver who sees its message. */
const approve = ({ services }: CampaignHarness, asked: Approval) => services.approvals.approve(decide(asked));

/** Asserts that pressing the button again can't perform the action twice. */
async function assertRefused(harness: CampaignHarness, asked: Approval, where: string): Promise<void> {
  const found = await harness.services.approvals.find(workspaceId, asked.id);
  assert.notEqual(found?.state, 'waiting', where);
  assert.equal((await approve(harness, asked)).kind, 'ended', where);
}

forEachDatabase(() => {
  it('buys an approved eSIM once, wherever the program is killed, and also where its data are restored', async (test) => {
    const { clock, pass } = stoppedClock();
    const harness = await campaignHarness(test, { clock, limits: { numbers: unlimited('purchases') } });
    await switchOn(harness);
    const bought = () =>
      harness.provider.arrivals.filter(({ operation }) => operation === 'esims.create').length;
    const tick = async () => {
      pass(minute);
      await harness.services.approvals.tick();
    };
    /** Asserts that an order was placed once, or that its user was told that it may have been. */
    const assertBoughtOrTold = async ({ key, before }: { key: string; before: number }, where: string) => {
      const operation = await harness.services.operations.findEnded(workspaceId, key, createdBy);
      assert.ok(bought() === before + 1 || operation?.state === 'unconfirmed', where);
      assert.ok((await dueIds(harness.store)).includes(operation?.key ?? ''), where);
    };
    const steps = await killAtEachStep(test, harness, {
      begin: async (key) => ({ key, before: bought(), asked: await askToBuy(harness, key) }),
      work: ({ asked }) => approve(harness, asked),
      async again({ key, before, asked }, where) {
        await tick();
        if ((await standing(harness, asked)).state === 'waiting') {
          assert.equal(bought(), before, where);
          assert.equal((await approve(harness, asked)).kind, 'done', where);
        }
        assert.equal((await standing(harness, asked)).state, 'approved', where);
        await assertBoughtOrTold({ key, before }, where);
        assert.deepEqual(await harness.store.approvals.unperformed(), []);
      },
      async restored({ key, before, asked }, where) {
        const after = bought();
        await tick();
        await assertRefused(harness, asked, where);
        await tick();
        assert.equal(bought(), after, where);
        assert.deepEqual(await harness.store.approvals.unperformed(), []);
        if ((await standing(harness, asked)).state === 'approved') {
          await assertBoughtOrTold({ key, before }, where);
        } else {
          assert.equal((await standing(harness, asked)).cause, 'restored', where);
        }
      },
    });
    assert.ok(steps >= 4, `${steps} steps`);
  });

  it('sends an approved campaign once, wherever the program is killed, and also where its data are restored', async (test) => {
    const harness = await campaignHarness(test);
    await switchOn(harness);
    const state = async (id: string) => (await harness.store.campaigns.find(workspaceId, id))?.state;
    await killAtEachStep(test, harness, {
      async begin(id) {
        await harness.read(id, 3);
        return { id, before: harness.asked(), asked: await askToStart(harness, id) };
      },
      work: ({ asked }) => approve(harness, asked),
      async again({ id, before, asked }, where) {
        const { state: decision } = await standing(harness, asked);
        assert.equal(await state(id), decision === 'approved' ? 'running' : 'ready', where);
        if (decision === 'waiting') {
          assert.equal((await approve(harness, asked)).kind, 'done', where);
        }
        harness.begin();
        await harness.advanceUntil(id, (campaign) => campaign.state === 'done');
        assert.equal(harness.asked() - before, 1, where);
      },
      async restored({ id, before, asked }, where) {
        await assertRefused(harness, asked, where);
        assert.match((await state(id)) ?? '', /ready|paused/, where);
        harness.begin();
        await harness.stopSending();
        assert.equal(harness.asked() - before, 1, where);
      },
    });
  });
});
