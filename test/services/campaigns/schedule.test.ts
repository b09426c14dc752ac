import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { marketAccount } from '../../../sandbox/provider/state/seed.ts';
import { describeFailure } from '../../../src/services/operations/outcomes.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  type HarnessOptions,
  startOf,
} from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { manualTiming } from '../../support/time/manual-timing.ts';
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
    const { harness, pass, leap } = await scheduled(test, {}, { provider: { wait: responses.wait } });
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

  it('waits for the provider to list the active sender IDs, however slow, and keeps no other workspace waiting', async (test) => {
    const responses = heldResponses(test);
    const { harness, clock, pass } = await scheduled(test, {}, { provider: { wait: responses.wait } });
    const other = { ...marketAccount(clock.now()), key: 'key-of-the-other-workspace' };
    harness.provider.addAccount(other);
    const { campaigns, workspaces } = harness.services;
    const theirs = { workspaceId: 'T0OTHER', userId: 'U0THEIRS', id: 'theirs' };
    await workspaces.connect(theirs.workspaceId, other.key, theirs.userId);
    const form = { text: 'Hello', route: 'dnd', senderId: 'PalmMarket' };
    await campaigns.importRecipients({
      ...theirs,
      source: { kind: 'pasted', text: '+2348050000001' },
      form,
    });
    const at = { time: new Date(clock.now().getTime() + hour - minute), zone };
    const seen = { sender: 'active' } as const;
    const { kind } = await campaigns.start(await asSeen(campaigns, { ...theirs, at, seen }));
    assert.equal(kind, 'started');
    other.senderIds = other.senderIds.map((each) => ({ ...each, status: 'blocked' }));
    harness.provider.orderFault({
      operation: 'senderIds.list',
      account: other.key,
      fault: { kind: 'slow_headers' },
    });
    pass(hour - minute);
    harness.begin();
    await responses.arrived;
    pass(minute);
    await harness.advanceUntil('later', isDone);
    const find = () => harness.store.campaigns.find(theirs.workspaceId, theirs.id);
    assert.equal((await find())?.state, 'scheduled');
    responses.release();
    while ((await find())?.state !== 'paused') {
      await harness.timers.advance(pollMs);
      await setImmediate();
    }
    assert.equal((await find())?.pause?.error?.reason, 'sender_inactive');
  });

  it('does not start, and lets the program stop, while the provider lists them', async (test) => {
    const responses = heldResponses(test);
    const { harness, pass } = await scheduled(test, {}, { provider: { wait: responses.wait } });
    harness.provider.orderFault({ operation: 'senderIds.list', fault: { kind: 'slow_headers' } });
    pass(hour);
    harness.begin();
    await responses.arrived;
    await harness.stopSending();
    assert.equal((await harness.outcome('later')).campaign.state, 'scheduled');
  });

  it('starts where the provider has not listed them by the deadline of a request', async (test) => {
    const { timing, passDeadlines } = manualTiming();
    const { harness, pass } = await scheduled(test, {}, { timing });
    const fault = { kind: 'silence' } as const;
    harness.provider.orderFault({ operation: 'senderIds.list', fault, times: Infinity });
    const before = harness.provider.arrivals.length;
    pass(hour);
    harness.begin();
    while (harness.provider.arrivals.length === before) {
      await harness.timers.advance(pollMs);
      await setImmediate();
    }
    await harness.timers.advance(30 * pollMs);
    assert.equal((await harness.outcome('later')).campaign.state, 'scheduled');
    passDeadlines();
    await harness.advanceUntil('later', isDone);
    assert.equal((await harness.outcome('later')).accepted, 250);
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
  options: HarnessOptions = {},
) {
  const { clock, pass, leap } = stoppedClock();
  const harness = await campaignHarness(test, { ...options, clock });
  await harness.read('later', 250);
  const at = { time: new Date(clock.now().getTime() + hour), zone };
  await harness.services.campaigns.start(
    await asSeen(harness.services.campaigns, { ...startOf('later'), at, ...start }),
  );
  return { harness, clock, pass, leap };
}

/** Makes the scheduler check at once, as every start does. Resolves when it has checked. */
async function checkDue(harness: CampaignHarness): Promise<void> {
  const at = { time: new Date('2100-01-01'), zone };
  const id = `another, ${Math.random()}`;
  await harness.read(id, 1);
  await harness.services.campaigns.start(await asSeen(harness.services.campaigns, { ...startOf(id), at }));
}
