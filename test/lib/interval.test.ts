import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startInterval } from '../../src/lib/interval.ts';

/** Work that lasts until the test has it end, and notes how often it was begun. */
function longWork(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let last = Promise.withResolvers<void>();
  const begun: AbortSignal[] = [];
  const stop = startInterval(1_000, (ending) => {
    begun.push(ending);
    last = Promise.withResolvers<void>();
    return last.promise;
  });
  const end = async () => {
    last.resolve();
    await new Promise(setImmediate);
  };
  return { begun, stop, end };
}

test('what is done again and again begins at once, and then each time that it is due', async (t) => {
  const { begun, stop, end } = longWork(t);
  assert.equal(begun.length, 1);
  await end();
  t.mock.timers.tick(1_000);
  assert.equal(begun.length, 2);
  await end();
  await stop();
});

test('what takes longer than its time is not done twice at once, nor piles up', async (t) => {
  const { begun, stop, end } = longWork(t);
  t.mock.timers.tick(5_000);
  assert.equal(begun.length, 1);
  await end();
  assert.equal(begun.length, 1);
  t.mock.timers.tick(1_000);
  assert.equal(begun.length, 2);
  await end();
  await stop();
});

test('what is under way at the end is told so, and waited for', async (t) => {
  const { begun, stop, end } = longWork(t);
  let isOver = false;
  const stopping = stop().then(() => {
    isOver = true;
  });
  assert.equal(begun[0]?.aborted, true);
  await new Promise(setImmediate);
  assert.equal(isOver, false);
  await end();
  await stopping;
  t.mock.timers.tick(5_000);
  assert.equal(begun.length, 1);
});
