import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { by, type CampaignBench, campaignBench, startOf } from '../../support/campaign-bench.ts';
import { heldAnswers } from '../../support/provider/held-responses.ts';
import { dueIds } from '../../support/store/due-notices.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
/** The scheduler's. */
const pollMs = 1_000;
const zone = 'Africa/Lagos';
const isDone = ({ state }: Campaign) => state === 'done';

describe('a scheduled campaign', { concurrency: true }, () => {
  it('starts at its time, and not before', async (test) => {
    const { bench, clock, pass } = await scheduled(test);
    const time = new Date(clock.wall().getTime() + hour);
    bench.begin();
    pass(hour - 1);
    await checkDue(bench);
    const waiting = await bench.outcome('later');
    assert.deepEqual([waiting.campaign.state, waiting.waiting], ['scheduled', 250]);
    pass(1);
    await bench.timers.advance(pollMs);
    const { startAt, startedAt } = await bench.until('later', isDone);
    assert.deepEqual([startAt, startedAt], [time, time]);
    assert.equal((await bench.outcome('later')).accepted, 250);
  });

  it('starts late, when the program was down at its time', async (test) => {
    const { bench, pass } = await scheduled(test, { maxDelayMs: 4 * hour });
    await bench.restart();
    pass(4 * hour);
    bench.begin();
    const { startAt, startedAt } = await bench.until('later', isDone);
    assert.ok(startAt && startedAt);
    assert.equal(startedAt.getTime() - startAt.getTime(), 3 * hour);
    assert.equal((await bench.outcome('later')).accepted, 250);
  });

  it('starts however late, when there is no limit', async (test) => {
    const { bench, pass } = await scheduled(test);
    await bench.restart();
    pass(1_000 * hour);
    bench.begin();
    await bench.until('later', isDone);
  });

  it('is missed, and sends nothing, when it would start later than its limit', async (test) => {
    const { bench, pass } = await scheduled(test, { maxDelayMs: hour });
    await bench.restart();
    pass(2 * hour + 1);
    bench.begin();
    const { endedAt, startedAt } = await bench.until('later', ({ state }) => state === 'missed');
    assert.ok(endedAt !== undefined && startedAt === undefined);
    assert.equal((await bench.outcome('later')).waiting, 250);
    assert.equal(bench.asked(), 0);
    assert.deepEqual(await dueIds(bench.store), ['later']);
    assert.equal((await bench.services.campaigns.cancel(by('creator', 'later'))).kind, 'too_late');
  });

  it('starts once, at its time by a clock that was set back for good', async (test) => {
    const { bench, pass, leap } = await scheduled(test);
    bench.begin();
    leap(-2 * hour);
    await checkDue(bench);
    pass(hour);
    await checkDue(bench);
    assert.equal((await bench.outcome('later')).campaign.state, 'scheduled');
    pass(2 * hour);
    await bench.timers.advance(pollMs);
    await bench.until('later', isDone);
    leap(-3 * hour);
    pass(hour);
    await checkDue(bench);
    assert.equal((await bench.outcome('later')).accepted, 250);
    assert.equal(bench.asked(), 3);
  });

  for (const [what, maxDelayMs] of [
    ['is not missed', hour],
    ['does not start', undefined],
  ] as const) {
    it(`${what} by a clock that leaps six hours ahead for three seconds, and starts at its time`, async (test) => {
      const { bench, clock, pass, leap } = await scheduled(
        test,
        maxDelayMs === undefined ? {} : { maxDelayMs },
      );
      const time = clock.wall().getTime() + hour;
      bench.begin();
      pass(2 * minute);
      await checkDue(bench);
      leap(6 * hour);
      for (let seconds = 0; seconds < 3; seconds += 1) {
        await checkDue(bench);
        assert.equal((await bench.outcome('later')).campaign.state, 'scheduled');
        pass(1_000);
      }
      leap(-6 * hour);
      pass(hour - 2 * minute - 3_000);
      await bench.timers.advance(pollMs);
      const { startedAt } = await bench.until('later', isDone);
      assert.equal(startedAt?.getTime(), time);
    });
  }

  it('goes on when the clock is set back while it is sent', async (test) => {
    const answers = heldAnswers(test);
    const { bench, pass, leap } = await scheduled(test, {}, { wait: answers.wait });
    bench.provider.orderFault({ operation: 'messages.sendBulk', fault: { kind: 'slow_headers' }, times: 2 });
    pass(hour);
    bench.begin();
    await answers.held(2);
    leap(-24 * hour);
    answers.release();
    await bench.until('later', isDone);
    assert.equal((await bench.outcome('later')).accepted, 250);
  });

  it('does not start after it was cancelled', async (test) => {
    const { bench, pass } = await scheduled(test);
    bench.begin();
    const cancelled = await bench.services.campaigns.cancel(by('creator', 'later'));
    assert.ok(cancelled.kind === 'done' && cancelled.campaign.endedAt !== undefined);
    pass(hour);
    await checkDue(bench);
    assert.equal((await bench.outcome('later')).waiting, 250);
    assert.equal(bench.asked(), 0);
  });

  it('is paused when no key is connected at its time', async (test) => {
    const { bench, pass } = await scheduled(test);
    await bench.services.workspaces.disconnect('T0SWITCH');
    bench.begin();
    pass(hour);
    await bench.timers.advance(pollMs);
    const { pause } = await bench.until('later', ({ state }) => state === 'paused');
    assert.match(pause?.error?.message ?? '', /key was removed/);
    assert.equal((await bench.outcome('later')).waiting, 250);
  });
});

/** A campaign that is scheduled in an hour, by a clock that the test moves. */
async function scheduled(
  test: Parameters<typeof campaignBench>[0],
  start: { maxDelayMs?: number } = {},
  provider: { wait?: ReturnType<typeof heldAnswers>['wait'] } = {},
) {
  const { clock, pass, leap } = stoppedClock();
  const bench = await campaignBench(test, { clock, provider });
  await bench.read('later', 250);
  const at = { time: new Date(clock.wall().getTime() + hour), zone };
  await bench.services.campaigns.start({ ...startOf('later'), at, ...start });
  return { bench, clock, pass, leap };
}

/** Has the scheduler check at once what is due, as it does whenever a campaign is started; resolves when it has. */
async function checkDue(bench: CampaignBench): Promise<void> {
  const at = { time: new Date('2100-01-01'), zone };
  const id = `another, ${Math.random()}`;
  await bench.read(id, 1);
  await bench.services.campaigns.start({ ...startOf(id), at });
}
