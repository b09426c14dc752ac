import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startAckDeadline } from '../../../../src/slack/middleware/router/ack-deadline.ts';

/** A request that has just arrived. */
function arrive(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return startAckDeadline();
}

test('what is there soon stands in the answer, be it good or bad', async (t) => {
  const soon = arrive(t);
  t.mock.timers.tick(1_400);
  assert.equal(await soon(Promise.resolve('faulty')), 'faulty');
  await assert.rejects(soon(Promise.reject(new Error('broken'))), /broken/);
});

test('what takes long is not waited for, and what was done before counts', async (t) => {
  const soon = arrive(t);
  t.mock.timers.tick(1_400);
  const { promise, reject } = Promise.withResolvers<string>();
  const early = soon(promise);
  t.mock.timers.tick(100);
  assert.equal(await early, undefined);
  assert.equal(await soon(promise), undefined);
  // Nobody is left who would hear of it but who asks again.
  reject(new Error('broken'));
  await assert.rejects(promise, /broken/);
});
