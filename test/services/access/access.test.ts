import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type AccessDecision, type Grant, maxGrants } from '../../../src/domain/access/decision.ts';
import { type Broadcast, noOthers } from '../../../src/lib/broadcast.ts';
import { createAccessService } from '../../../src/services/access/access.ts';
import { admitted } from '../../support/decisions.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';

const workspaceId = 'T1';
const ofPerson = (id: string): Grant => ({ to: { kind: 'person', id }, role: 'sender' });

async function accessWith(
  t: Parameters<typeof temporaryStore>[0],
  options: {
    installer?: string;
    decide?: () => Promise<AccessDecision>;
    isAlone?: boolean;
    broadcast?: Broadcast;
  } = {},
) {
  const store = await temporaryStore(t);
  const {
    installer,
    isAlone = false,
    broadcast = noOthers,
    decide = async () => admitted('agent'),
  } = options;
  if (installer !== undefined) {
    await store.slackInstallations.save({
      ownerId: workspaceId,
      isEnterpriseWide: false,
      name: 'Harbor',
      token: 'token-1',
      scopes: [],
      botId: 'B1',
      botUserId: 'U1',
      installedBy: installer,
      installedAt: 0,
    });
  }
  return {
    db: store.db,
    access: createAccessService(
      testContext(
        { ...store, instances: { ...store.instances, isAlone } },
        { broadcast, time: { ...store.time, elapsed: () => 0 } },
      ),
      { decide },
    ),
  };
}

it('begins with what is stored of who installed the app, and the first change keeps that', async (t) => {
  const { access } = await accessWith(t, { installer: 'U9' });
  const before = await access.settings(workspaceId);
  assert.equal(before.origin, 'default');
  assert.deepEqual(before.grants[0], { to: { kind: 'person', id: 'U9' }, role: 'admin' });
  const change = (grants: readonly Grant[]) => [...grants, ofPerson('U1')];
  const changed = await access.change({ workspaceId, userId: 'U9', version: 0, change });
  assert.ok(changed.kind === 'changed');
  assert.partialDeepStrictEqual(changed.settings, { origin: 'set', grants: change(before.grants) });
});

it('makes no change to a version that somebody else has changed, or of too many', async (t) => {
  const { access } = await accessWith(t);
  await access.change({ workspaceId, userId: 'U1', version: 0, change: () => [ofPerson('U1')] });
  const late = await access.change({ workspaceId, userId: 'U2', version: 0, change: () => [] });
  assert.ok(late.kind === 'outdated');
  assert.partialDeepStrictEqual(late.settings, { changedBy: 'U1', grants: [ofPerson('U1')] });
  const many = Array.from({ length: maxGrants + 1 }, (_, index) => ofPerson(`U${index}`));
  const full = await access.change({ workspaceId, userId: 'U1', version: 1, change: () => many });
  assert.equal(full.kind, 'too_many');
  assert.equal((await access.settings(workspaceId)).version, 1);
});

it('reads the roles of a workspace once where it keeps them, and again after any change, also one under way', async (t) => {
  const { access, db } = await accessWith(t, { isAlone: true });
  const give = (id: string, version: number) =>
    access.change({ workspaceId, userId: 'U1', version, change: () => [ofPerson(id)] });
  await give('U1', 0);
  assert.deepEqual(await access.grants(workspaceId), [ofPerson('U1')]);
  await db.updateTable('workspaceRoles').set({ grants: [] }).execute();
  assert.deepEqual(await access.grants(workspaceId), [ofPerson('U1')], 'kept');
  const [, underWay] = await Promise.all([give('U2', 1), access.grants(workspaceId)]);
  assert.deepEqual(underWay, [ofPerson('U1')]);
  assert.deepEqual(await access.grants(workspaceId), [ofPerson('U2')]);
  await db.deleteFrom('workspaceRoles').execute();
  access.forget(workspaceId);
  assert.notDeepEqual(await access.grants(workspaceId), [ofPerson('U2')]);
});

it('reads them each time where another instance may change them, and keeps recent ones until it is told of a change', async (t) => {
  const tell = new Map<string, (key: string | undefined) => void>();
  const sent: string[] = [];
  const broadcast: Broadcast = {
    send: (...told) => void sent.push(told.join(' ')),
    on: (topic, handler) => void tell.set(topic, handler),
  };
  const { access, db } = await accessWith(t, { broadcast });
  await access.change({ workspaceId, userId: 'U1', version: 0, change: () => [ofPerson('U1')] });
  assert.deepEqual(sent, [`roles ${workspaceId}`]);
  assert.deepEqual(await access.recentGrants(workspaceId), [ofPerson('U1')]);
  for (const [told, grants] of [
    [workspaceId, []],
    [undefined, [ofPerson('U2')]],
  ] as const) {
    const before = await access.recentGrants(workspaceId);
    await db
      .updateTable('workspaceRoles')
      .set({ grants: [...grants] })
      .execute();
    assert.deepEqual(await access.grants(workspaceId), grants);
    assert.deepEqual(await access.recentGrants(workspaceId), before, 'kept');
    tell.get('roles')?.('T2');
    assert.deepEqual(await access.recentGrants(workspaceId), before, 'those of another workspace');
    tell.get('roles')?.(told);
    assert.deepEqual(await access.recentGrants(workspaceId), grants);
  }
});

it('knows nothing of a person while the decision fails', async (t) => {
  const decide = async (): Promise<AccessDecision> => {
    throw new Error('no answer');
  };
  const { access } = await accessWith(t, { decide });
  assert.equal(await access.permissionState(workspaceId, 'U1', 'campaign'), 'unknown');
});
