import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../../src/store/store.ts';
import { forEachDatabase } from '../../../support/store/databases.ts';
import { temporaryStore } from '../../../support/store/temporary-store.ts';

const numbers = Array.from({ length: 250 }, (_, index) => `+23480512300${String(index).padStart(2, '0')}`);

const [first = '', second = ''] = numbers;

const campaign = { workspaceId: 'T1', id: 'sale' };

async function begin(store: Store) {
  const writer = await store.campaigns.begin({
    ...campaign,
    createdBy: 'U1',
    name: 'Sale',
    route: 'dnd',
    senderId: 'PalmMarket',
    personal: false,
    text: 'Hello',
  });
  assert.ok(writer);
  await writer.add(
    numbers.map((number, line) => ({ kind: 'recipient', line, number, pages: 2, quiet: false })),
  );
  return writer;
}

async function waiting(store: Store): Promise<string[]> {
  const chunks = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', ['waiting']));
  return chunks.flatMap(({ to }) => to);
}

const list = (store: Store, ...who: string[]) => store.suppressionList.add('T1', who, 'U2');

forEachDatabase(() => {
  test('removes a suppressed number from a campaign that is ready', async (t) => {
    const store = await temporaryStore(t);
    await (await begin(store)).finish();
    assert.equal(await list(store, first, second, '+2348031234567'), 3);
    assert.deepEqual(await waiting(store), numbers.slice(2));
    const { counts } = (await store.campaigns.find('T1', 'sale')) ?? assert.fail();
    assert.deepEqual([counts.recipients, counts.suppressed, counts.pages], [248, 2, 496]);
  });

  test('excludes all numbers that are suppressed while a list is imported', async (t) => {
    const store = await temporaryStore(t);
    const writer = await begin(store);
    await list(store, ...numbers.slice(1));
    const { counts } = await writer.finish();
    assert.deepEqual([counts.recipients, counts.suppressed], [1, 249]);
    assert.deepEqual(await waiting(store), [first]);
  });

  test('excludes a number that is suppressed while the import of a list ends', async (t) => {
    const store = await temporaryStore(t);
    const writer = await begin(store);
    let left = numbers;
    let isFinished = false;
    const finishing = writer.finish().then(() => {
      isFinished = true;
    });
    while (!isFinished) {
      const [next = '', ...others] = left;
      await list(store, next);
      left = others;
    }
    await finishing;
    assert.deepEqual(await waiting(store), left);
  });
});
