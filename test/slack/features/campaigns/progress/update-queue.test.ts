import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { UpdateQueue } from '../../../../../src/slack/features/campaigns/progress/update-queue.ts';
import { rounds } from '../../../../support/sizes.ts';
import { steppedTimers } from '../../../../support/stepped-timers.ts';

interface Update {
  name: number;
  isUrgent: boolean;
}

const minute = 60_000;
/** Slack: tier 3. */
const slackTakes = 50;

function queueOf() {
  const timers = steppedTimers();
  const begun: { name: number; at: number }[] = [];
  const queue = new UpdateQueue<Update>({
    isBefore: (one, other) => one.isUrgent && !other.isUrgent,
    begin: ({ name }) => void begun.push({ name, at: timers.elapsed() }),
    timers,
  });
  return { timers, begun, queue };
}

function busiestMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minute).length));
}

describe('the queue of the updates of campaign messages', () => {
  it('are free at once for a few', () => {
    const { begun, queue } = queueOf();
    for (const name of [1, 2, 3]) {
      queue.add('T1', { name, isUrgent: false });
    }
    assert.deepEqual(
      begun.map(({ name }) => name),
      [1, 2, 3],
    );
  });

  it('of 1,000 at once come as often as Slack takes them, and each comes', async () => {
    const { timers, begun, queue } = queueOf();
    for (let name = 0; name < 1_000; name += 1) {
      queue.add('T1', { name, isUrgent: false });
    }
    assert.equal(timers.pending(), 1, 'one turn is waited for');
    await timers.advance(25 * minute);
    assert.equal(new Set(begun.map(({ name }) => name)).size, 1_000);
    assert.ok(busiestMinute(begun.map(({ at }) => at)) <= slackTakes);
    assert.equal(timers.pending(), 0);
  });

  it('come first to what is urgent, however many others wait', async () => {
    const { timers, begun, queue } = queueOf();
    for (let name = 0; name < 100; name += 1) {
      queue.add('T1', { name, isUrgent: false });
    }
    const before = begun.length;
    queue.add('T1', { name: 1_000, isUrgent: true });
    await timers.advance(1_500);
    assert.equal(begun[before]?.name, 1_000);
  });

  it('of one workspace do not wait for another’s', () => {
    const { begun, queue } = queueOf();
    for (let name = 0; name < 100; name += 1) {
      queue.add('T1', { name, isUrgent: false });
    }
    queue.add('T2', { name: 1_000, isUrgent: false });
    assert.equal(begun.at(-1)?.name, 1_000);
  });

  it('of a workspace are no more where another one’s come between them', () => {
    const { begun, queue } = queueOf();
    for (let name = 0; name < 100; name += 1) {
      queue.add(name % 2 === 0 ? 'T1' : 'T2', { name, isUrgent: false });
    }
    assert.ok(begun.length < 20, `${begun.length} at once`);
  });

  for (const instances of [2, 3, 5, 10]) {
    it(`of ${instances} instances are together as many as Slack takes, and each has one at once`, async () => {
      const all: number[] = [];
      for (let instance = 0; instance < instances; instance += 1) {
        const { timers, begun, queue } = queueOf();
        queue.shareWith(instances);
        for (let name = 0; name < 100; name += 1) {
          queue.add('T1', { name, isUrgent: false });
        }
        assert.ok(begun.length > 0);
        await timers.advance(5 * minute);
        all.push(...begun.map(({ at }) => at));
      }
      assert.ok(busiestMinute(all) <= slackTakes, `${busiestMinute(all)}`);
    });
  }

  it('begin nothing once they are stopped', async () => {
    const { timers, begun, queue } = queueOf();
    for (let name = 0; name < 20; name += 1) {
      queue.add('T1', { name, isUrgent: false });
    }
    const before = begun.length;
    queue.stop();
    await timers.advance(minute);
    assert.equal(begun.length, before);
  });

  it('are never more in a minute than Slack takes of a workspace, whatever waits when in which', async () => {
    const arrival = fc.tuple(fc.nat({ max: 5_000 }), fc.nat({ max: 30 }), fc.constantFrom('T1', 'T2'));
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 30 }), async (steps) => {
        const { timers, begun, queue } = queueOf();
        const workspaceOf: string[] = [];
        for (const [ms, count, workspaceId] of steps) {
          for (let added = 0; added < count; added += 1) {
            queue.add(workspaceId, { name: workspaceOf.push(workspaceId) - 1, isUrgent: added % 2 === 0 });
          }
          await timers.advance(ms);
        }
        for (const workspaceId of ['T1', 'T2']) {
          const own = begun.filter(({ name }) => workspaceOf[name] === workspaceId);
          assert.ok(busiestMinute(own.map(({ at }) => at)) <= slackTakes);
        }
      }),
      { numRuns: rounds(50) },
    );
  });
});
