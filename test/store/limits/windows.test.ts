import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { createLimitStore } from '../../../src/store/workspaces/limits/limit-store.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;

const charge = { key: 'messages/person/U1/minute', points: 1, limit: 3, ends: { after: minute } };
/** How long the row of a window that has ended is kept. */
const kept = 60 * minute;

async function begin(test: { after: TestContext['after'] }) {
  const moved = stoppedClock();
  const store = await temporaryStore(test, { time: moved.clock });
  return { ...moved, ...store, now: () => moved.clock.now().getTime() };
}

forEachDatabase(() => {
  describe('a window', () => {
    it('takes no more than its limit, costs nothing where it refuses, and frees up exactly when it says', async (test) => {
      const { limits, pass, now } = await begin(test);
      const began = now();
      const first = await limits.take('T1', [{ ...charge, points: 2 }]);
      assert.ok(first.kind === 'taken');
      assert.deepEqual(
        first.charges.map(({ used, endsAt }) => ({ used, endsAt })),
        [{ used: 2, endsAt: new Date(began + minute) }],
      );
      pass(20_000);
      for (let again = 0; again < 3; again += 1) {
        const refused = await limits.take('T1', [{ ...charge, points: 2 }]);
        assert.ok(refused.kind === 'full');
        assert.deepEqual(
          refused.full.map(({ used, freesAt }) => ({ used, freesAt })),
          [{ used: 2, freesAt: new Date(began + minute) }],
        );
      }
      assert.equal((await limits.take('T1', [charge])).kind, 'taken', 'one more fits');
      pass(minute - 20_000 - 1);
      assert.equal((await limits.take('T1', [charge])).kind, 'full');
      pass(1);
      assert.equal((await limits.take('T1', [{ ...charge, points: 3 }])).kind, 'taken', 'a window begins');
      assert.deepEqual(await limits.used('T1', [charge.key]), [3]);
    });

    it('never takes more at once than its limit', async (test) => {
      const { limits } = await begin(test);
      const refused = await limits.take('T1', [{ ...charge, points: 4 }]);
      assert.ok(refused.kind === 'full');
      assert.equal(refused.full[0]?.freesAt, undefined);
      assert.deepEqual(await limits.used('T1', [charge.key]), [0]);
    });

    it('takes all of several charges or none, and names every one that is full', async (test) => {
      const { limits } = await begin(test);
      const other = { ...charge, key: 'messages/workspace/minute', limit: 1 };
      assert.equal((await limits.take('T1', [charge, other])).kind, 'taken');
      const refused = await limits.take('T1', [charge, other]);
      assert.ok(refused.kind === 'full');
      assert.deepEqual(
        refused.full.map((each) => each.charge.key),
        [other.key],
      );
      assert.deepEqual(await limits.used('T1', [charge.key, other.key]), [1, 1]);
    });

    it('belongs to its workspace, and is forgotten with it', async (test) => {
      const { limits, forget } = await begin(test);
      await limits.take('T1', [charge]);
      assert.deepEqual(await limits.used('T2', [charge.key]), [0]);
      await forget('T1');
      assert.deepEqual(await limits.used('T1', [charge.key]), [0]);
    });

    it('is deleted an hour after its end, by whatever is taken next', async (test) => {
      const { limits, db, pass } = await begin(test);
      await limits.take('T1', [charge]);
      pass(minute + kept);
      await limits.take('T2', [charge]);
      const rows = await db.selectFrom('limitWindow').select('workspaceId').execute();
      assert.deepEqual(
        rows.map((row) => row.workspaceId),
        ['T2'],
      );
    });

    it('gives back what was taken, in its own window only and never more', async (test) => {
      const { limits, pass, now } = await begin(test);
      await limits.take('T1', [{ ...charge, points: 3 }]);
      await limits.giveBack('T1', [{ key: charge.key, points: 2 }]);
      assert.deepEqual(await limits.used('T1', [charge.key]), [1]);
      await limits.giveBack('T1', [{ key: charge.key, points: 9 }]);
      assert.deepEqual(await limits.used('T1', [charge.key]), [0]);
      pass(minute);
      const endsAt = new Date(now());
      await limits.giveBack('T1', [{ key: charge.key, points: 1, endsAt }]);
      await limits.take('T1', [{ ...charge, points: 3 }]);
      await limits.giveBack('T1', [{ key: charge.key, points: 1, endsAt }]);
      assert.equal((await limits.take('T1', [charge])).kind, 'full', 'a later window keeps what it has');
    });

    it('is shared by two instances on one database', async (test) => {
      const { limits, db, now } = await begin(test);
      const clock = () => new Date(now());
      const other = createLimitStore({
        db,
        phoneHashes: { of: async (_, numbers) => numbers.map(String) },
        clock,
      });
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? limits : other).take('T1', [charge])),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === 'taken').length, 3);
    });

    it('holds for any order of takings, giving back and passing time, also concurrently', async (test) => {
      const { limits, pass, now } = await begin(test);
      let run = 0;
      const step = fc.oneof(
        fc.record({
          kind: fc.constant('take' as const),
          points: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        }),
        fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          run += 1;
          const window = { ...charge, key: `run ${run}`, limit: 7 };
          let taken = 0;
          let ends = Number.NEGATIVE_INFINITY;
          for (const next of steps) {
            if (next.kind === 'pass') {
              pass(next.ms);
              continue;
            }
            if (now() >= ends) {
              taken = 0;
            }
            const outcomes = await Promise.all(
              next.points.map(async (points) => ({
                points,
                ...(await limits.take('T1', [{ ...window, points }])),
              })),
            );
            // On PostgreSQL they follow each other in any order.
            const ordered = outcomes.toSorted((one, other) => other.kind.localeCompare(one.kind));
            for (const outcome of ordered) {
              if (outcome.kind === 'taken') {
                ends = taken === 0 ? now() + minute : ends;
                taken += outcome.points;
              } else {
                assert.ok(outcome.kind === 'full');
                assert.equal(outcome.full[0]?.freesAt?.getTime(), ends);
                assert.ok(taken + outcome.points > 7 || outcomes.length > 1);
              }
            }
            assert.ok(taken <= 7);
            assert.deepEqual(await limits.used('T1', [window.key]), [taken]);
          }
        }),
        { numRuns: rounds(60) },
      );
    });
  });

  describe('a notice that is added once', () => {
    it('is in the outbox after the first call of its key, until the key is forgotten', async (test) => {
      const { limits, outbox, pass, now } = await begin(test);
      const notice = { workspaceId: 'T1', subject: 'limits' as const, subjectId: 'day', userId: 'U1' };
      const once = () =>
        limits.noticeOnce('T1', { key: 'warned/day', forgottenAt: new Date(now() + minute) }, [notice]);
      await once();
      assert.equal(await outbox.deliver(notice, async () => {}), 'taken');
      await once();
      assert.equal(await outbox.deliver(notice, async () => {}), 'gone');
      pass(minute);
      await once();
      assert.equal(await outbox.deliver(notice, async () => {}), 'taken');
    });
  });
});
