import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFailure } from '../../../src/services/operations/outcomes.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { by, type CampaignHarness, campaignHarness, startOf } from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
/** The scheduler's polling interval. */
const pollMs = 1_000;
const zone = 'Africa/Lagos';
const isDone = ({ state }: Campaign) => state === 'done';

describe('a scheduled campaign', { concurrency: true }, () => {
  it('starts at its time, and not before', async (test) => {
    const { harness, clock, pass } = await scheduled(test);
    const time = new Date(clock.now().getTime() + hour);
    harness.begin();
    pass(hour - 1);
    await checkDue(harness);
    const waiting = await harness.outcome('later');
    assert.deepEqual([waiting.campaign.state, waiting.waiting], ['scheduled', 250]);
    pass(1);
    await harness.timers.advance(pollMs);
    const { startAt, startedAt } = await harness.until('later', isDone);
    assert.deepEqual([startAt, startedAt], [time, time]);
    assert.equal((await harness.outcome('later')).accepted, 250);
  });

  it('starts however late if there is no limit', async (test) => {
    const { harness, pass } = await scheduled(test);
    await harness.restart();
    pass(1_000 * hour);
    harness.begin();
    await harness.until('later', isDone);
  });

  it('starts once, at its time by a clock that was set back for good', async (test) => {
    const { harness, pass, leap } = await scheduled(test);
    harness.begin();
    leap(-2 * hour);
    await checkDue(harness);
    pass(hour);
    await checkDue(harness);
    assert.equal((await harness.outcome('later')).campaign.state, 'scheduled');
    pass(2 * hour);
    await harness.timers.advance(pollMs);
    await harness.until('later', isDone);
    leap(-3 * hour);
    pass(hour);
    await checkDue(harness);
    assert.equal((await harness.outcome('later')).accepted, 250);
    assert.equal(harness.asked(), 3);
  });

  it('continues when the clock is set back during the send', async (test) => {
    const responses = heldResponses(test);
    const { harness, pass, leap } = await scheduled(test, {}, { wait: responses.wait });
    harness.provider.orderFault({
      operation: 'messages.sendBulk',
      fault: { kind: 'slow_headers' },
      times: 2,
    });
    pass(hour);
    harness.begin();
    await responses.held(2);
    leap(-24 * hour);
    responses.release();
    await harness.until('later', isDone);
    assert.equal((await harness.outcome('later')).accepted, 250);
  });

  it('does not start after it was cancelled', async (test) => {
    const { harness, pass } = await scheduled(test);
    harness.begin();
    const cancelled = await harness.services.campaigns.cancel(by('creator', 'later'));
    assert.ok(cancelled.kind === 'done' && cancelled.campaign.endedAt !== undefined);
    pass(hour);
    await checkDue(harness);
    assert.equal((await harness.outcome('later')).waiting, 250);
    assert.equal(harness.asked(), 0);
  });

  it('is paused if no key is connected at its time', async (test) => {
    const { harness, pass } = await scheduled(test);
    await harness.services.workspaces.disconnect('T0SWITCH');
    harness.begin();
    pass(hour);
    await harness.timers.advance(pollMs);
    const { pause } = await harness.until('later', ({ state }) => state === 'paused');
    assert.match(describeFailure(pause?.error).happened, /key was removed/);
    assert.equal((await harness.outcome('later')).waiting, 250);
  });
});

/** A campaign scheduled in an hour, with a clock that the test moves. */
async function scheduled(
  test: Parameters<typeof campaignHarness>[0],
  start: { maxDelayMs?: number } = {},
  provider: { wait?: ReturnType<typeof heldResponses>['wait'] } = {},
) {
  const { clock, pass, leap } = stoppedClock();
  const harness = await campaignHarness(test, { clock, provider });
  await harness.read('later', 250);
  const at = { time: new Date(clock.now().getTime() + hour), zone };
  await harness.services.campaigns.start({ ...startOf('later'), at, ...start });
  return { harness, clock, pass, leap };
}

/** Makes the scheduler check at once, as every start does. Resolves when it has checked. */
async function checkDue(harness: CampaignHarness): Promise<void> {
  const at = { time: new Date('2100-01-01'), zone };
  const id = `another, ${Math.random()}`;
  await harness.read(id, 1);
  await harness.services.campaigns.start({ ...startOf(id), at });
}
