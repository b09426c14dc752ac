import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTime, type KnownTime } from '../../../src/lib/time/trusted-time.ts';
import { stateWhenDue } from '../../../src/services/campaigns/sending/is-due.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A program that has run for a day. */
function settled() {
  const moved = stoppedClock();
  const leaps: number[] = [];
  const time = createTime(moved.clock, (leap) => leaps.push(leap));
  moved.pass(day);
  assert.ok(time.trustedForDeletion());
  return { ...moved, time, leaps };
}

describe('a clock in step', () => {
  it('is believed at once when something is due', () => {
    const { time, clock, pass } = settled();
    for (const passed of [1, second, hour, 40 * day]) {
      pass(passed);
      assert.deepEqual(time.trustedNow(), clock.wall());
      assert.deepEqual(time.trustedForDeletion(), clock.wall());
    }
  });

  it('may be put right by a second at a time', () => {
    const { time, clock, pass, leap, leaps } = settled();
    for (let times = 0; times < 100; times += 1) {
      pass(second);
      leap(-second);
      assert.deepEqual(time.trustedNow(), clock.wall());
    }
    assert.deepEqual(leaps, []);
  });
});

describe('a clock that leaps', () => {
  for (const [far, milliseconds] of [
    ['a minute ahead', minute],
    ['40 days ahead', 40 * day],
    ['a day back', -day],
  ] as const) {
    it(`${far} for three seconds is not believed, and is again once it is back`, () => {
      const { time, clock, pass, leap, leaps } = settled();
      const before = clock.wall().getTime();
      leap(milliseconds);
      for (let seconds = 0; seconds < 3; seconds += 1) {
        assert.deepEqual(
          [time.trustedNow(), time.trustedForDeletion(), time.snapshot()],
          [undefined, undefined, undefined],
        );
        assert.equal(time.now().getTime(), before + seconds * second);
        pass(second);
      }
      leap(-milliseconds);
      assert.deepEqual(time.trustedNow()?.getTime(), before + 3 * second);
      assert.deepEqual(time.trustedForDeletion()?.getTime(), before + 3 * second);
      assert.deepEqual(leaps, [milliseconds]);
    });
  }

  it('for good is followed after a minute, and nothing is deleted by it for an hour, or a day if it leapt far', () => {
    for (const [milliseconds, until] of [
      [6 * hour, hour],
      [-6 * hour, hour],
      [40 * day, day],
    ] as const) {
      const { time, clock, pass, leap } = settled();
      leap(milliseconds);
      time.now();
      pass(minute - 1);
      assert.equal(time.trustedNow(), undefined);
      pass(1);
      assert.deepEqual(time.trustedNow(), clock.wall());
      assert.deepEqual(time.now(), clock.wall());
      pass(until - minute - 1);
      assert.equal(time.trustedForDeletion(), undefined);
      pass(1);
      assert.deepEqual(time.trustedForDeletion(), clock.wall());
    }
  });

  it('to and fro is not believed by adding up its moments there', () => {
    const { time, pass, leap } = settled();
    for (let times = 0; times < 100; times += 1) {
      leap(6 * hour);
      pass(50 * second);
      assert.equal(time.trustedNow(), undefined);
      leap(-6 * hour);
      pass(second);
      assert.ok(time.trustedNow());
    }
  });
});

describe('a start', () => {
  it('believes the clock at once where the machine has run on since the last one', () => {
    const { time, clock, pass } = settled();
    const known = time.snapshot();
    assert.ok(known);
    pass(3 * day);
    const next = createTime(clock);
    next.restore(known);
    assert.deepEqual(next.trustedForDeletion(), clock.wall());
  });

  it('waits a minute where it knows nothing of before, or the machine was started too', () => {
    const { time, clock, pass, reboot } = settled();
    const known = time.snapshot();
    assert.ok(known);
    reboot();
    pass(hour);
    for (const start of [createTime(clock), recalling(clock, known)]) {
      assert.equal(start.trustedNow(), undefined);
      assert.deepEqual(start.now(), clock.wall());
    }
    const next = recalling(clock, known);
    pass(minute);
    assert.deepEqual(next.trustedNow(), clock.wall());
  });

  it('with the clock 40 days ahead deletes nothing for a day', () => {
    const { time, clock, pass, leap, reboot } = settled();
    const known = time.snapshot();
    assert.ok(known);
    leap(40 * day);
    for (const restarted of [false, true]) {
      if (restarted) {
        reboot();
      }
      const next = recalling(clock, known);
      pass(day - 1);
      assert.equal(next.trustedForDeletion(), undefined);
      leap(-40 * day);
      assert.equal(next.trustedForDeletion(), undefined);
      leap(40 * day);
    }
  });

  it('with the clock set back goes on from what was known, until the clock has kept that for a minute', () => {
    const { time, clock, pass, leap } = settled();
    const known = time.snapshot();
    assert.ok(known);
    leap(-day);
    const next = recalling(clock, known);
    assert.equal(next.now().getTime(), known.wall);
    pass(minute);
    assert.deepEqual(next.now(), clock.wall());
  });
});

const recalling = (...[clock, known]: [Parameters<typeof createTime>[0], KnownTime]) => {
  const time = createTime(clock);
  time.restore(known);
  return time;
};

/** What happens to a machine whose clock is never wrong for a whole minute. */
const event = fc.oneof(
  fc.record({ what: fc.constant('runs' as const), for: fc.integer({ min: second, max: 3 * hour }) }),
  fc.record({
    what: fc.constant('leaps' as const),
    by: fc.integer({ min: -40 * day, max: 40 * day }),
    for: fc.integer({ min: 1, max: 59 * second }),
  }),
  fc.record({
    what: fc.constant('restarts' as const),
    machineToo: fc.boolean(),
    isDownFor: fc.oneof(fc.integer({ min: 0, max: 5 * minute }), fc.integer({ min: 0, max: 40 * day })),
    by: fc.integer({ min: -40 * day, max: 40 * day }),
    for: fc.integer({ min: 0, max: 59 * second }),
  }),
);

describe('whatever the clock does, within a minute each time,', () => {
  it('nothing starts early or too late, nothing is missed in its time or deleted before it, and all of it happens', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 12 }),
        fc.array(
          fc.record({ in: fc.integer({ max: 3 * day, min: 1 }), late: fc.integer({ min: 0, max: day }) }),
          {
            minLength: 1,
            maxLength: 8,
          },
        ),
        (events, plans) => {
          const { clock, pass, leap, reboot } = stoppedClock();
          let wrongBy = 0;
          const truly = () => clock.wall().getTime() - wrongBy;
          const begun = truly();
          let kept: KnownTime | undefined;
          let time = createTime(clock);
          const all = plans.map((plan) => ({
            startAt: new Date(begun + plan.in),
            latestStart: new Date(begun + plan.in + plan.late),
            became: undefined as ReturnType<typeof stateWhenDue>,
            deleted: false,
          }));

          const look = () => {
            const now = truly();
            const toStart = time.trustedNow();
            const toDelete = time.trustedForDeletion();
            for (const one of all) {
              if (one.became === undefined && toStart !== undefined) {
                one.became = stateWhenDue(one, toStart);
                if (one.became === 'running') {
                  assert.ok(now >= one.startAt.getTime(), 'started early');
                  assert.ok(now <= one.latestStart.getTime(), 'started too late');
                }
                if (one.became === 'missed') {
                  assert.ok(now > one.latestStart.getTime(), 'missed in its time');
                }
              }
              if (!one.deleted && toDelete !== undefined && toDelete > one.latestStart) {
                assert.ok(now > one.latestStart.getTime(), 'deleted early');
                one.deleted = true;
              }
            }
            kept = time.snapshot() ?? kept;
          };
          const run = (milliseconds: number, every = minute) => {
            for (let left = milliseconds; left > 0; left -= every) {
              pass(Math.min(left, every));
              look();
            }
          };
          const setWrong = (by: number) => {
            leap(by - wrongBy);
            wrongBy = by;
          };

          run(day);
          for (const happens of events) {
            if (happens.what === 'restarts') {
              pass(happens.isDownFor);
              if (happens.machineToo) {
                reboot();
              }
            }
            if (happens.what !== 'runs') {
              setWrong(happens.by);
            }
            if (happens.what === 'restarts') {
              time = createTime(clock);
              if (kept !== undefined) {
                time.restore(kept);
              }
            }
            const onTime = time.trustedNow() !== undefined;
            look();
            run(happens.for, happens.what === 'runs' ? minute : 3 * second);
            setWrong(0);
            look();
            if (onTime) {
              assert.ok(time.trustedNow(), 'a leap that is over is still in doubt');
            }
            if (happens.what === 'leaps') {
              assert.ok(Math.abs(time.now().getTime() - truly()) < 3 * second);
            }
          }
          run(minute);
          look();
          assert.ok(time.trustedNow(), 'believed after a minute');
          pass(41 * day);
          look();
          run(day, hour);
          assert.ok(all.every(({ became, deleted }) => became !== undefined && deleted));
        },
      ),
    );
  });
});
