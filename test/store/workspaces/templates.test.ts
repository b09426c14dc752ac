import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxTemplates, maxVersions } from '../../../src/store/workspaces/templates.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { newTemplate } from '../../support/store/stored-templates.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

forEachDatabase(() => {
  test('a template is saved by one of two changes of the same version, and keeps its last texts', async (t) => {
    const { templates } = await temporaryStore(t);
    assert.equal(await templates.areAny('T1'), false);
    const created = await templates.save(newTemplate());
    assert.equal(created.kind, 'saved');
    const change = (version: number, text: string) =>
      templates.save(newTemplate({ version, content: { text } }));
    const both = await Promise.all([change(1, 'One'), change(1, 'Other')]);
    assert.deepEqual(both.map(({ kind }) => kind).sort(), ['outdated', 'saved']);
    assert.equal((await change(0, 'Late')).kind, 'outdated');
    for (let version = 2; version <= maxVersions + 2; version += 1) {
      assert.equal((await change(version, `Text ${version + 1}`)).kind, 'saved');
    }
    const versions = await templates.versions('T1', 'order');
    assert.deepEqual(
      versions.map(({ version, text, state }) => [version, text, state]),
      Array.from({ length: maxVersions }, (_, index) => {
        const version = maxVersions + 3 - index;
        return [version, `Text ${version}`, index === 0 ? 'current' : 'previous'];
      }),
    );
    assert.deepEqual(await templates.current('T1'), versions.slice(0, 1));
    assert.deepEqual(await templates.versions('T2', 'order'), []);
  });

  test('has an entry in the audit with each change that is saved, and with no other', async (t) => {
    const { templates, audit } = await temporaryStore(t);
    for (const version of [0, 1, 0]) {
      await templates.save(newTemplate({ version }));
    }
    await templates.save(newTemplate({ version: 2, state: 'deleted' }));
    const { entries } = await audit.page({ workspaceId: 'T1', limit: 9 });
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['template.delete', 'template.change', 'template.create'],
    );
  });

  test('has each name once, and as many as there is room for', async (t) => {
    const { templates } = await temporaryStore(t);
    const named = (id: string, name: string) => templates.save(newTemplate({ id, content: { name } }));
    const both = await Promise.all([named('a', 'Order ready'), named('b', ' order  READY')]);
    assert.deepEqual(both.map(({ kind }) => kind).sort(), ['name_taken', 'saved']);
    for (let count = 1; count < maxTemplates; count += 1) {
      assert.equal((await named(`more ${count}`, `Name ${count}`)).kind, 'saved');
    }
    assert.equal((await named('last', 'Last')).kind, 'too_many');
    const other = newTemplate({ workspaceId: 'T2' });
    assert.equal((await templates.save(other)).kind, 'saved');
    const removed = newTemplate({ id: 'more 1', version: 1, state: 'deleted', content: { name: 'Name 1' } });
    assert.equal((await templates.save(removed)).kind, 'saved');
    assert.equal((await named('last', 'name 1')).kind, 'saved');
    const back = newTemplate({ id: 'more 1', version: 2, content: { name: 'Name 1' } });
    assert.equal((await templates.save(back)).kind, 'name_taken');
  });

  test('a deleted one is kept until it expires, and can be saved again until then', async (t) => {
    const { clock: time, pass } = stoppedClock();
    const { templates } = await temporaryStore(t, { time });
    const deletedAt = time.now();
    for (const id of ['gone', 'back', 'stays']) {
      await templates.save(newTemplate({ id, content: { name: id } }));
    }
    await templates.save(newTemplate({ id: 'gone', version: 1, state: 'deleted' }));
    await templates.save(newTemplate({ id: 'back', version: 1, state: 'deleted' }));
    await templates.save(newTemplate({ id: 'back', version: 2, content: { name: 'back' } }));
    assert.deepEqual((await templates.current('T1')).map(({ id }) => id).sort(), ['back', 'stays']);
    await templates.expire(deletedAt);
    assert.equal((await templates.versions('T1', 'gone')).length, 2);
    pass(1);
    await templates.expire(time.now());
    assert.deepEqual(await templates.versions('T1', 'gone'), []);
    assert.equal((await templates.versions('T1', 'back')).length, 3);
    assert.equal((await templates.versions('T1', 'stays')).length, 1);
  });
});
