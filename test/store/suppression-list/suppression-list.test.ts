import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const [first = '', second = '', third = ''] = manyNumbers(3);

forEachDatabase(() => {
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

  test('lists every number once, page by page', async (t) => {
    const { suppressionList } = await temporaryStore(t);
    const numbers = manyNumbers(503);
    await suppressionList.add('T1', numbers, 'U1');
    await suppressionList.add('T2', [first], 'U1');
    const paged: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await suppressionList.list({ workspaceId: 'T1', limit: 200, after });
      paged.push(...page.map(({ number = '' }) => number));
      after = page.at(-1)?.cursor;
      if (after === undefined) {
        break;
      }
    }
    assert.deepEqual(paged.toSorted(), numbers);
  });

  test('keeps how a number was added first', async (t) => {
    const { suppressionList } = await temporaryStore(t);
    const name = 'opt-outs of Ada.csv';
    await suppressionList.add('T1', [first], 'U1', { source: { kind: 'file', name } });
    await suppressionList.add('T1', [first, second], 'U2', { source: { kind: 'typed' } });
    await suppressionList.add('T1', [third], 'U2');
    const found = await suppressionList.find('T1', [first, second, third, '+2348031234567']);
    const sources = new Map(found.map(({ number, createdBy, source }) => [number, [createdBy, source]]));
    assert.deepEqual(sources.get(first), ['U1', { kind: 'file', name }]);
    assert.deepEqual(sources.get(second), ['U2', { kind: 'typed' }]);
    assert.deepEqual(sources.get(third), ['U2', undefined]);
    assert.equal(sources.size, 3);
    assert.deepEqual(await suppressionList.find('T2', [first]), []);
  });

  test('finds more numbers than one statement can name', async (t) => {
    const { suppressionList } = await temporaryStore(t);
    const numbers = manyNumbers(1_000);
    await suppressionList.add('T1', numbers.slice(300), 'U1');
    const found = await suppressionList.find('T1', numbers);
    assert.deepEqual(found.map(({ number }) => number).toSorted(), numbers.slice(300));
  });

  test('counts the entries up to a cursor, also after others were added', async (t) => {
    const { clock, pass } = stoppedClock();
    const { suppressionList } = await temporaryStore(t, { time: clock });
    await suppressionList.add('T1', manyNumbers(90), 'U1');
    await suppressionList.add('T2', manyNumbers(5), 'U1');
    const page = await suppressionList.list({ workspaceId: 'T1', limit: 40 });
    const cursor = page.at(-1)?.cursor ?? '';
    assert.equal(await suppressionList.countUpTo('T1', cursor), 40);
    pass(1);
    await suppressionList.add('T1', ['+2348031234567'], 'U1');
    assert.equal(await suppressionList.countUpTo('T1', cursor), 41);
  });
});
