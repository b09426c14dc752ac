import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grant } from '../../../src/domain/access/decision.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const everyone: Grant = { to: { kind: 'everyone' }, role: 'agent' };

const group: Grant = { to: { kind: 'group', id: 'S1' }, role: 'sender' };

forEachDatabase(() => {
  test('of changes to one version at the same time one is made, also to the first', async (t) => {
    const { roles } = await temporaryStore(t);
    assert.deepEqual(await roles.read('T1'), { version: 0 });
    for (const version of [0, 1]) {
      const made = await Promise.all(
        [everyone, group, everyone].map((grant, index) =>
          roles.replace({ workspaceId: 'T1', version, grants: [grant], userId: `U${index}` }),
        ),
      );
      assert.equal(made.filter((isMade) => isMade).length, 1);
      const { version: now, grants, changedBy } = await roles.read('T1');
      assert.equal(now, version + 1);
      assert.deepEqual(grants, [made[1] ? group : everyone]);
      assert.equal(changedBy, `U${made.indexOf(true)}`);
    }
  });

  test('a change of a version that is gone, or is yet to come, is not made', async (t) => {
    const store = await temporaryStore(t);
    const { roles } = store;
    assert.equal(await roles.replace({ workspaceId: 'T1', version: 3, grants: [], userId: 'U1' }), false);
    await roles.replace({ workspaceId: 'T1', version: 0, grants: [everyone], userId: 'U1' });
    assert.equal(await roles.replace({ workspaceId: 'T1', version: 0, grants: [], userId: 'U2' }), false);
    await store.forget('T1');
    assert.equal(await roles.replace({ workspaceId: 'T1', version: 1, grants: [], userId: 'U2' }), false);
    assert.equal((await roles.read('T1')).grants, undefined);
  });
});
