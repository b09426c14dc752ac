import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createYield } from '../../src/lib/yield-to-event-loop.ts';

/** Counts the turns of the event loop until it is stopped. */
function countTurns(): () => number {
  let turns = 0;
  let isOver = false;
  void (async () => {
    for (; !isOver; turns += 1) {
      await setImmediate();
    }
  })();
  return () => {
    isOver = true;
    return turns;
  };
}

/** A clock on which each look at it takes a quarter of a millisecond. */
function ticking(): () => number {
  let now = 0;
  return () => {
    now += 0.25;
    return now;
  };
}

describe('giving way', () => {
  it('goes on at once while the work has not gone on for a millisecond', () => {
    const giveWay = createYield(() => 7);
    for (let step = 0; step < 1000; step += 1) {
      assert.equal(giveWay(), undefined);
    }
  });

  it('lets everything else run each time it has', async () => {
    const stop = countTurns();
    const giveWay = createYield(ticking());
    let times = 0;
    for (let step = 0; step < 400; step += 1) {
      const turn = giveWay();
      if (turn !== undefined) {
        times += 1;
      }
      await turn;
    }
    assert.ok(times >= 75, `${times} times`);
    assert.ok(stop() >= times);
  });

  it('has one of many works go on at each turn, and each of them in its turn', async () => {
    const stop = countTurns();
    const works = Array.from({ length: 10 }, async () => {
      const giveWay = createYield(ticking());
      let times = 0;
      for (let step = 0; step < 40; step += 1) {
        const turn = giveWay();
        if (turn !== undefined) {
          times += 1;
        }
        await turn;
      }
      return times;
    });
    const times = await Promise.all(works);
    const [first = 0] = times;
    assert.ok(first > 5);
    assert.ok(times.every((each) => each === first));
    assert.ok(stop() >= 10 * first);
  });
});
