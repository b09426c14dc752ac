import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { followDatabaseTime } from '../../../src/lib/time/database-time.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const start = Date.UTC(2026, 5, 1);

/** Follows a database's clock that began at `start`, and that the test sets and takes away. */
async function follow(test: TestContext) {
  const timers = steppedTimers();
  let jumped = 0;
  let isAway = false;
  const readMs = () =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve(start + jumped + timers.elapsed());
  const { time, stop } = await followDatabaseTime(readMs, { elapsed: timers.elapsed, timers });
  test.after(stop);
  return {
    passed: () => time.now().getTime() - start,
    pass: timers.advance,
    jump(ms: number) {
      jumped += ms;
    },
    setAway() {
      isAway = true;
    },
  };
}

it('is the time of the database from the first reading on', async (test) => {
  const { passed, pass } = await follow(test);
  assert.equal(passed(), 0);
  await pass(3_000);
  assert.equal(passed(), 3_000);
});

it('follows the database’s clock within ten seconds where that is set', async (test) => {
  for (const jumped of [3_600_000, -3_600_000]) {
    const { passed, pass, jump } = await follow(test);
    jump(jumped);
    await pass(10_000);
    assert.equal(passed(), 10_000 + jumped);
  }
});

it('goes on while the database is away', async (test) => {
  const { passed, pass, jump, setAway } = await follow(test);
  setAway();
  jump(3_600_000);
  await pass(60_000);
  assert.equal(passed(), 60_000);
});
