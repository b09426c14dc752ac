import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedSemaphore } from '../../../src/provider/http/transport.ts';

const neverAborted = new AbortController().signal;

/** Whether a permit of the key is free now. */
async function hasFreePermit(
  semaphore: ReturnType<typeof createKeyedSemaphore>,
  key: string,
): Promise<boolean> {
  const canceller = new AbortController();
  const acquired = semaphore.acquire(key, canceller.signal);
  canceller.abort();
  const release = await acquired;
  release?.();
  return release !== undefined;
}

test('grants the permits of a key in order of arrival', async () => {
  const semaphore = createKeyedSemaphore(2);
  const order: string[] = [];
  const acquire = async (name: string) => {
    const release = await semaphore.acquire('a', neverAborted);
    assert.ok(release);
    order.push(name);
    return release;
  };
  const [first, second] = await Promise.all([acquire('first'), acquire('second')]);
  const third = acquire('third');
  const fourth = acquire('fourth');
  assert.equal(await hasFreePermit(semaphore, 'a'), false);
  second();
  const releaseThird = await third;
  assert.equal(await hasFreePermit(semaphore, 'a'), false);
  first();
  const releaseFourth = await fourth;
  assert.equal(await hasFreePermit(semaphore, 'a'), false);
  releaseThird();
  assert.equal(await hasFreePermit(semaphore, 'a'), true);
  releaseFourth();
  assert.deepEqual(order, ['first', 'second', 'third', 'fourth']);
});

test('keys do not wait for each other', async () => {
  const semaphore = createKeyedSemaphore(1);
  assert.ok(await semaphore.acquire('a', neverAborted));
  assert.equal(await hasFreePermit(semaphore, 'a'), false);
  assert.equal(await hasFreePermit(semaphore, 'b'), true);
});

test('an aborted waiter takes no permit', async () => {
  const semaphore = createKeyedSemaphore(1);
  const release = await semaphore.acquire('a', neverAborted);
  const canceller = new AbortController();
  const waiting = semaphore.acquire('a', canceller.signal);
  canceller.abort();
  assert.equal(await waiting, undefined);
  release?.();
  assert.equal(await hasFreePermit(semaphore, 'a'), true);
});

test('an aborted signal gets no permit', async () => {
  assert.equal(await createKeyedSemaphore(1).acquire('a', AbortSignal.abort()), undefined);
});
