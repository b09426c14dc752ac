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

/** A clock that has run steadily for a day. */
function settled() {
  const moved = stoppedClock();
  const leaps: number[] = [];
  const time = createTime(moved.clock, (leap) => leaps.push(leap));
  moved.pass(day);
  assert.ok(time.trustedForDeletion());
  return { ...moved, time, leaps };
}

describe('a steady clock', () => {
  it('is trusted at once', () => {
    const { time, clock, pass } = settled();
    for (const passed of [1, second, hour, 40 * day]) {
      pass(passed);
      assert.deepEqual(time.trustedNow(), clock.wall());
      assert.deepEqual(time.trustedForDeletion(), clock.wall());
    }
  });

  it('may be corrected by a second at a time', () => {
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
    it(`${far} for three seconds is not trusted until it is back`, () => {
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

  it('for good is followed after a minute, and trusted for deletion after an hour, or a day if it leapt far', () => {
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

  it('back and forth is not trusted, however often', () => {
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
  it('trusts the clock at once if the machine has kept running', () => {
    const { time, clock, pass } = settled();
    const known = time.snapshot();
    assert.ok(known);
    pass(3 * day);
    const next = createTime(clock);
    next.restore(known);
    assert.deepEqual(next.trustedForDeletion(), clock.wall());
  });

  it('waits a minute if nothing is known from before, or the machine was restarted too', () => {
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

  it('with the clock set back continues from the last known time, until the clock has been steady for a minute', () => {
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

/** Events on a machine whose clock is never wrong for a whole minute. */
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

describe('on a clock that is never wrong for a whole minute', () => {
  it('nothing starts early or late, nothing is missed or deleted too soon, and everything is done in the end', () => {
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

          /** A clock that is out by two seconds at most is in step: what goes by it may be early or late by as much. */
          const unnoticed = () => (Math.abs(wrongBy) <= 2 * second ? Math.abs(wrongBy) : 0);

          const look = () => {
            const now = truly();
            const [earliest, latest] = [now - unnoticed(), now + unnoticed()];
            const toStart = time.trustedNow();
            const toDelete = time.trustedForDeletion();
            for (const one of all) {
              if (one.became === undefined && toStart !== undefined) {
                one.became = stateWhenDue(one, toStart);
                if (one.became === 'running') {
                  assert.ok(latest >= one.startAt.getTime(), 'started early');
                  assert.ok(earliest <= one.latestStart.getTime(), 'started too late');
                }
                if (one.became === 'missed') {
                  assert.ok(latest > one.latestStart.getTime(), 'missed in its time');
                }
              }
              if (!one.deleted && toDelete !== undefined && toDelete > one.latestStart) {
                assert.ok(latest > one.latestStart.getTime(), 'deleted early');
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
