import { deepEqual, equal } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createSteering } from '../../../src/services/campaigns/steering.ts';
import { switchOn } from '../../support/approvals.ts';
import { asSeen, by, campaignHarness, startOf, workspaceId } from '../../support/campaign-harness.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { testContext } from '../../support/test-context.ts';

const at = { time: new Date(Date.now() + 60 * 60_000), zone: 'Africa/Lagos' };

/** Steering during which something happens: after everything was checked, and before the campaign is moved. */
async function interrupted(t: TestContext, meanwhile: (harness: Harness) => Promise<unknown>) {
  const harness = await campaignHarness(t);
  const { services, store } = harness;
  const { campaigns: limiter } = services.limits;
  const steering = createSteering(testContext(store), {
    workspaces: services.workspaces,
    limiter: {
      ...limiter,
      async move(campaign, to, move) {
        await meanwhile(harness);
        return limiter.move(campaign, to, move);
      },
    },
    approvals: services.approvals,
    campaignApprovals: services.campaigns.approvals,
    changes: { changed: () => {}, moved: async () => {} },
    senderIds: services.senderIds,
  });
  const found = async () => {
    const campaign = await store.campaigns.find(workspaceId, 'sale');
    return [campaign?.state, campaign?.counts.recipients];
  };
  return { harness, steering, found };
}

type Harness = Awaited<ReturnType<typeof campaignHarness>>;

forEachDatabase(() => {
  for (const [when, start] of [
    ['now', startOf('sale')],
    ['at a time', { ...startOf('sale'), at }],
  ] as const) {
    test(`a draft that is started ${when} stays one where another took its place after it was checked`, async (t) => {
      const { harness, steering, found } = await interrupted(t, ({ read }) => read('sale', 50));
      await harness.read('sale', 1);
      await switchOn(harness);
      equal((await steering.start(await asSeen(harness.services.campaigns, start))).kind, 'changed');
      deepEqual(await found(), ['ready', 50]);
      equal((await harness.services.limits.pagesUsed(workspaceId)).day, 0);
    });
  }

  test('a scheduled campaign does not start early where another took its place after it was checked', async (t) => {
    const { harness, steering, found } = await interrupted(t, async ({ read, services }) => {
      await services.campaigns.unschedule(by('creator', 'sale'));
      await read('sale', 50);
      await services.campaigns.start(await asSeen(services.campaigns, { ...startOf('sale'), at }));
    });
    await harness.read('sale', 1);
    await harness.services.campaigns.start(
      await asSeen(harness.services.campaigns, { ...startOf('sale'), at }),
    );
    const early = await asSeen(harness.services.campaigns, by('creator', 'sale'));
    equal((await steering.startNow(early)).kind, 'changed');
    deepEqual(await found(), ['scheduled', 50]);
  });
});
