import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTime } from '../../../src/lib/time/trusted-time.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const [first = '', second = '', third = ''] = manyNumbers(3);

test('has a number on its workspace’s list until it is removed', async (t) => {
  const { suppressionList } = await temporaryStore(t);
  assert.equal(await suppressionList.add('T1', [first, second, first], 'U1'), 2);
  assert.equal(await suppressionList.add('T1', [second, third], 'U2'), 1);
  assert.equal(await suppressionList.count('T1'), 3);
  assert.deepEqual(await suppressionList.among('T1', ['+2348031234567', second, first]), [second, first]);
  assert.deepEqual(await suppressionList.among('T2', [first]), []);
  assert.equal(await suppressionList.remove('T2', [first]), 0);
  assert.equal(await suppressionList.remove('T1', [first, first, second]), 2);
  assert.deepEqual(await suppressionList.among('T1', [first]), []);
  assert.equal(await suppressionList.count('T1'), 1);
});

test('keeps who added a number first, and when', async (t) => {
  const { clock, pass } = stoppedClock();
  const { suppressionList } = await temporaryStore(t, { time: createTime(clock) });
  const createdAt = clock.wall();
  await suppressionList.add('T1', [first], 'U1');
  pass(1_000);
  await suppressionList.add('T1', [first], 'U2');
  const [entry] = await suppressionList.list({ workspaceId: 'T1', limit: 9 });
  assert.equal(entry?.number, first);
  assert.equal(entry?.createdBy, 'U1');
  assert.deepEqual(entry?.createdAt, createdAt);
});

test('lists every number once, page by page', async (t) => {
  const { suppressionList } = await temporaryStore(t);
  const numbers = manyNumbers(1_203);
  await suppressionList.add('T1', numbers, 'U1');
  await suppressionList.add('T2', [first], 'U1');
  const paged: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await suppressionList.list({ workspaceId: 'T1', limit: 400, after });
    paged.push(...page.map(({ number }) => number));
    after = page.at(-1)?.cursor;
    if (after === undefined) {
      break;
    }
  }
  assert.deepEqual(paged.toSorted(), numbers);
});

test('lists the latest first', async (t) => {
  const { clock, pass } = stoppedClock();
  const { suppressionList } = await temporaryStore(t, { time: createTime(clock) });
  await suppressionList.add('T1', [first], 'U1');
  pass(1);
  await suppressionList.add('T1', [second], 'U1');
  const listed = await suppressionList.list({ workspaceId: 'T1', limit: 9 });
  assert.deepEqual(
    listed.map(({ number }) => number),
    [second, first],
  );
});
