import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { describeFailure } from '../../../src/services/operations/outcomes.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  by,
  campaignHarness,
  type HarnessOptions,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const zone = 'Africa/Lagos';

/** A campaign that repeats every day from tomorrow at nine in Lagos on. */
async function daily(test: TestContext, options: HarnessOptions = {}, text = 'We open at nine') {
  const { clock, pass } = stoppedClock();
  const harness = await campaignHarness(test, Object.assign(options, { clock }));
  const from = new Date(clock.now().getTime() + day).toISOString().slice(0, 10);
  const until = new Date(clock.now().getTime() + 60 * day).toISOString().slice(0, 10);
  const first = new Date(`${from}T08:00Z`);
  await harness.read('daily', 3, { text });
  await harness.services.campaigns.start({
    ...startOf('daily'),
    at: { time: first, zone },
    repeat: { every: 'day', from, until, time: '09:00', plainCells: false },
  });
  return { harness, clock, pass, first };
}

/** Resolves as soon as the campaign that repeats is so, while the program looks again and again. */
async function until(
  { services, timers }: Awaited<ReturnType<typeof campaignHarness>>,
  isSo: (campaign: Campaign) => boolean,
): Promise<Campaign> {
  for (;;) {
    const campaign = await services.campaigns.find(by('creator', 'daily'), 'daily');
    if (campaign !== undefined && isSo(campaign)) {
      return campaign;
    }
    await timers.advance(1_000);
    await setImmediate();
  }
}

describe('a campaign that repeats', { concurrency: true }, () => {
  it('goes on after the data was restored with the next run from then on, and none of before', async (test) => {
    const { harness, pass, clock, first } = await daily(test);
    const pause = { by: 'program', error: { reason: 'restored' } } as const;
    await harness.store.campaigns.move(workspaceId, 'daily', ['repeating'], 'paused', { pause });
    harness.begin();
    pass(5 * day);
    const resumed = await harness.services.campaigns.resume(by('creator', 'daily'));
    assert.ok(resumed.kind === 'done' && resumed.campaign.state === 'repeating');
    const { startAt } = resumed.campaign;
    assert.ok(startAt !== undefined && startAt > clock.now());
    assert.equal((startAt.getTime() - first.getTime()) % day, 0);
    pass(startAt.getTime() - clock.now().getTime());
    await until(harness, (campaign) => campaign.startAt?.getTime() === startAt.getTime() + day);
    const runs = await harness.store.campaigns.recent({ workspaceId, limit: 100 });
    assert.deepEqual(
      runs.filter(({ retryOf }) => retryOf === 'daily').map((run) => run.startAt),
      [startAt],
    );
  });

  it('is paused with the reason where its text can no longer be sent as it is', async (test) => {
    const options: HarnessOptions = { optOutAddress: 'sms.acme.example' };
    const { harness, pass } = await daily(test, options, 'We open at nine {{opt_out}}');
    options.optOutAddress = undefined;
    await harness.restart();
    pass(day);
    harness.begin();
    const { pause } = await until(harness, ({ state }) => state === 'paused');
    assert.match(describeFailure(pause?.error).happened, /next run can’t be made/);
  });

  it('is prepared without a provider key too: the run is paused at its time, and says why', async (test) => {
    const { harness, pass, first } = await daily(test);
    await harness.services.workspaces.disconnect(workspaceId);
    pass(2 * day);
    harness.begin();
    await until(harness, ({ startAt }) => startAt !== undefined && startAt > first);
    for (;;) {
      const [run] = await harness.store.campaigns.recent({ workspaceId, states: ['paused'], limit: 1 });
      if (run !== undefined) {
        assert.match(describeFailure(run.pause?.error).happened, /key was removed/);
        return;
      }
      await harness.timers.advance(1_000);
      await setImmediate();
    }
  });
});
