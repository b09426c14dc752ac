import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessDecision } from '../../../src/domain/access/decision.ts';
import { asSeen, by, campaignHarness, startOf } from '../../support/campaign-harness.ts';
import { admitted } from '../../support/decisions.ts';
import { dueIds } from '../../support/store/due-notices.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const hour = 60 * 60_000;
const pollMs = 1_000;
const unknown: AccessDecision = { kind: 'refused', why: 'unknown' };

/** A campaign that is due, of a creator of whom this is decided. */
async function due(
  test: Parameters<typeof campaignHarness>[0],
  first: AccessDecision,
  start: { maxDelayMs?: number } = {},
) {
  const { clock, pass } = stoppedClock();
  let decision = first;
  const asked: string[] = [];
  const harness = await campaignHarness(test, {
    clock,
    decide: async (_workspaceId, userId) => {
      asked.push(userId);
      return decision;
    },
  });
  await harness.read('later', 250);
  const at = { time: new Date(clock.now().getTime() + hour), zone: 'Africa/Lagos' };
  await harness.services.campaigns.start(
    await asSeen(harness.services.campaigns, { ...startOf('later'), at, ...start }),
  );
  harness.begin();
  pass(hour);
  await harness.timers.advance(pollMs);
  return {
    harness,
    asked,
    async pass(ms: number) {
      pass(ms);
      await harness.timers.advance(pollMs);
    },
    decides: (next: AccessDecision) => {
      decision = next;
    },
  };
}

describe('a scheduled campaign whose creator', { concurrency: true }, () => {
  const lost: [string, AccessDecision][] = [
    ['lost the role', admitted('agent')],
    ['has no role any more', admitted()],
    ['left', { kind: 'refused', why: 'deactivated' }],
    ['is a guest now', { kind: 'refused', why: 'guest' }],
  ];
  for (const [what, decision] of lost) {
    it(`${what} is paused with the reason, sends nothing, and is sent whole once it is resumed`, async (test) => {
      const { harness, asked } = await due(test, decision);
      const { pause, startedAt } = await harness.until('later', ({ state }) => state === 'paused');
      assert.deepEqual(pause, { by: 'program', error: { reason: 'not_permitted' } });
      assert.equal(startedAt, undefined);
      assert.equal(harness.asked(), 0);
      assert.equal((await harness.outcome('later')).waiting, 250);
      assert.deepEqual(await dueIds(harness.store), ['later']);
      assert.ok(asked.every((userId) => userId === startOf('later').userId));
      await harness.services.campaigns.resume(await asSeen(harness.services.campaigns, by('admin', 'later')));
      await harness.until('later', ({ state }) => state === 'done');
      assert.equal((await harness.outcome('later')).accepted, 250);
    });
  }

  it('is not known waits until Slack says who they are', async (test) => {
    const { harness, pass, decides } = await due(test, unknown);
    await pass(hour);
    assert.equal((await harness.outcome('later')).campaign.state, 'scheduled');
    decides({ ...admitted('agent'), isPartial: true } as AccessDecision);
    await pass(hour);
    assert.equal((await harness.outcome('later')).campaign.state, 'scheduled');
    assert.equal(harness.asked(), 0);
    decides(admitted('sender'));
    await pass(pollMs);
    await harness.until('later', ({ state }) => state === 'done');
    assert.equal((await harness.outcome('later')).accepted, 250);
  });

  it('is not known misses its time in the end', async (test) => {
    const { harness, pass } = await due(test, unknown, { maxDelayMs: hour });
    await pass(hour + 1);
    await harness.until('later', ({ state }) => state === 'missed');
    assert.equal(harness.asked(), 0);
  });
});
