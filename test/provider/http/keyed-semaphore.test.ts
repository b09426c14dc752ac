import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedSemaphore } from '../../../src/provider/http/keyed-semaphore.ts';

const patient = new AbortController().signal;

/** Whether a call that asks now is let in without anybody leaving first. */
async function isLetIn(lanes: ReturnType<typeof createKeyedSemaphore>, lane: string): Promise<boolean> {
  const impatient = new AbortController();
  const asked = lanes.acquire(lane, impatient.signal);
  impatient.abort();
  const leave = await asked;
  leave?.();
  return leave !== undefined;
}

test('a lane lets in as many as it is wide, in the order in which they came', async () => {
  const lanes = createKeyedSemaphore(2);
  const order: string[] = [];
  const enter = async (name: string) => {
    const leave = await lanes.acquire('a', patient);
    assert.ok(leave);
    order.push(name);
    return leave;
  };
  const [first, second] = await Promise.all([enter('first'), enter('second')]);
  const third = enter('third');
  const fourth = enter('fourth');
  assert.equal(await isLetIn(lanes, 'a'), false);
  second();
  const leaveThird = await third;
  assert.equal(await isLetIn(lanes, 'a'), false);
  first();
  const leaveFourth = await fourth;
  assert.equal(await isLetIn(lanes, 'a'), false);
  leaveThird();
  assert.equal(await isLetIn(lanes, 'a'), true);
  leaveFourth();
  assert.deepEqual(order, ['first', 'second', 'third', 'fourth']);
});

test('lanes do not wait for each other', async () => {
  const lanes = createKeyedSemaphore(1);
  assert.ok(await lanes.acquire('a', patient));
  assert.equal(await isLetIn(lanes, 'a'), false);
  assert.equal(await isLetIn(lanes, 'b'), true);
});

test('who gives up waiting takes no place', async () => {
  const lanes = createKeyedSemaphore(1);
  const leave = await lanes.acquire('a', patient);
  const impatient = new AbortController();
  const waiting = lanes.acquire('a', impatient.signal);
  impatient.abort();
  assert.equal(await waiting, undefined);
  leave?.();
  assert.equal(await isLetIn(lanes, 'a'), true);
});

test('who gave up before asking is not let in', async () => {
  assert.equal(await createKeyedSemaphore(1).acquire('a', AbortSignal.abort()), undefined);
});
