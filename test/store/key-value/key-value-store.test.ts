import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const { clock, pass } = stoppedClock();

const store = await temporaryStore({ after }, { time: clock });

const { db } = store;

const day = 24 * 60 * 60_000;

const unreadable = { name: 'StoreError', fault: 'unreadable' };

forEachDatabase(() => {
  test('sets, gets, changes and deletes a value', async () => {
    const settings = store.keyv('T1', 'settings');
    assert.equal(await settings.get('route'), undefined);
    await settings.set('route', { name: 'generic', pages: [1, 2] });
    assert.deepEqual(await settings.get('route'), { name: 'generic', pages: [1, 2] });
    await settings.set('route', 'dnd');
    assert.equal(await settings.get('route'), 'dnd');
    assert.equal(await settings.has('route'), true);
    assert.equal(await settings.delete('route'), true);
    assert.equal(await settings.delete('route'), false);
    assert.equal(await settings.has('route'), false);
    assert.equal(await settings.get('route'), undefined);
  });

  test('sets, gets and deletes many at once', async () => {
    const many = store.keyv('T1', 'many');
    await many.setMany([
      { key: 'a', value: 1 },
      { key: 'b', value: 2 },
    ]);
    assert.deepEqual(await many.getMany(['b', 'none', 'a']), [2, undefined, 1]);
    assert.deepEqual(await many.hasMany(['b', 'none']), [true, false]);
    assert.deepEqual(await many.deleteMany(['b', 'none']), [true, false]);
    const left: unknown[] = [];
    for await (const entry of many.iterator()) {
      left.push(entry);
    }
    assert.deepEqual(left, [['a', 1]]);
  });

  test('allows writes while iterating', async () => {
    const all = store.keyv('T1', 'all');
    await all.setMany(['a', 'b'].map((key) => ({ key, value: 1 })));
    for await (const [key, value] of all.iterator()) {
      await all.set(key, value + 1);
    }
    assert.deepEqual(await all.getMany(['a', 'b']), [2, 2]);
  });

  test('separates workspaces and areas', async () => {
    await store.keyv('T1', 'apart').set('key', 'of T1');
    await store.keyv('T2', 'apart').set('key', 'of T2');
    await store.keyv('T1', 'elsewhere').set('key', 'of T1, elsewhere');
    await store.keyv('T1', 'apart').clear();
    assert.equal(await store.keyv('T1', 'apart').get('key'), undefined);
    assert.equal(await store.keyv('T2', 'apart').get('key'), 'of T2');
    assert.equal(await store.keyv('T1', 'elsewhere').get('key'), 'of T1, elsewhere');
  });

  test('refuses an empty workspace or area', () => {
    assert.throws(() => store.keyv('', 'settings'), TypeError);
    assert.throws(() => store.keyv('T1', ''), TypeError);
  });

  test('hides an expired value, and deletes it with the next write of an expiring value', async () => {
    pass(day);
    const codes = store.keyv('T1', 'codes');
    await codes.set('first', 'one', 60_000);
    await codes.set('lasting', 'two');
    pass(59_000);
    assert.equal(await codes.get('first'), 'one');
    pass(1_000);
    assert.equal(await codes.get('first'), undefined);
    assert.equal(await codes.has('first'), false);
    await codes.set('second', 'three', 60_000);
    const rows = await db
      .selectFrom('keyv')
      .select('key')
      .where('area', '=', 'codes')
      .orderBy('key')
      .execute();
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['lasting', 'second'],
    );
  });

  for (const [moved, change] of Object.entries({
    'to another workspace': { workspaceId: 'T9' },
    'to another area': { area: 'other' },
    'to another key': { key: 'other' },
  })) {
    test(`refuses a value that was moved ${moved}`, async () => {
      const here = { workspaceId: 'T8', area: `here, ${moved}`, key: 'key' };
      await store.keyv(here.workspaceId, here.area).set(here.key, 'mine');
      const { workspaceId, area, key } = { ...here, ...change };
      await db.updateTable('keyv').set(change).where('area', '=', here.area).execute();
      await assert.rejects(store.keyv(workspaceId, area).get(key), unreadable);
    });
  }

  test('refuses a value whose expiry was removed', async () => {
    const codes = store.keyv('T1', 'lasting codes');
    await codes.set('code', '123456', 60_000);
    await db.updateTable('keyv').set({ expires: null }).where('area', '=', 'lasting codes').execute();
    await assert.rejects(codes.get('code'), unreadable);
  });

  test('throws for an altered value, and does not hide it', async () => {
    const altered = store.keyv('T1', 'altered');
    await altered.set('key', 'value');
    await db.updateTable('keyv').set({ value: '{"value":"mine"}' }).where('area', '=', 'altered').execute();
    await assert.rejects(altered.get('key'), unreadable);
    await assert.rejects(altered.getMany(['key']), unreadable);
    await assert.rejects(async () => {
      for await (const _ of altered.iterator()) {
      }
    }, unreadable);
  });

  test('serves more workspaces than it caches', async () => {
    for (let number = 0; number < 600; number += 1) {
      store.keyv(`T${number}`, 'crowd');
    }
    const early = store.keyv('T0', 'crowd');
    await early.set('key', 'still here');
    for (let number = 0; number < 600; number += 1) {
      store.keyv(`T${number}`, 'crowd');
    }
    assert.equal(await early.get('key'), 'still here');
    assert.equal(await store.keyv('T0', 'crowd').get('key'), 'still here');
    assert.equal(store.keyv('T0', 'crowd'), store.keyv('T0', 'crowd'));
  });

  test('stores no value in the clear', async (t) => {
    const dataDir = temporaryFolder(t);
    const closed = await temporaryStore(t, { dataDir });
    await closed.keyv('T1', 'secrets').set('provider', 'a key that nobody may see');
    const found = () =>
      readdirSync(dataDir).filter((file) => readFileSync(join(dataDir, file)).includes('nobody may see'));
    assert.deepEqual(found(), []);
    await closed.close();
    assert.deepEqual(found(), []);
  });
});
