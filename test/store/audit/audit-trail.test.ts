import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { withOrigin } from '../../../src/lib/request-origin.ts';
import type { Store } from '../../../src/store/store.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { rotateKeys } from '../../support/store/rotate-keys.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const looked = { workspaceId: 'T1', userId: 'U1', action: 'lookup.number', outcome: 'done' } as const;

function entriesOf({ db }: Store, workspaceId = 'T1') {
  return db
    .selectFrom('auditEntry')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('sequence')
    .execute();
}

/** That the entries are numbered from 1 on, each after the one before. */
function assertChained(entries: Awaited<ReturnType<typeof entriesOf>>): void {
  assert.deepEqual(
    entries.map(({ sequence }) => sequence),
    entries.map((_, index) => index + 1),
  );
  for (const [index, { previous }] of entries.entries()) {
    assert.ok(index === 0 || previous === entries[index - 1]?.mac);
  }
}

/** What somebody may do to the ends of a chain, after which it can be appended to. */
const tamperings: Record<string, (store: Store) => Promise<unknown>> = {
  'the latest entries were cut off, and the end was set back': async ({ db }) => {
    await db.deleteFrom('auditEntry').where('sequence', '>', 1).execute();
    await db.updateTable('auditChain').set({ last: 1 }).execute();
  },
  'the ends were deleted': ({ db }) => db.deleteFrom('auditChain').execute(),
  'all was deleted but the register': async ({ db }) => {
    await db.deleteFrom('auditEntry').execute();
    await db.deleteFrom('auditChain').execute();
  },
  'the register was emptied': async ({ db }) => {
    await db.deleteFrom('auditChain').execute();
    await db.updateTable('auditRegister').set({ chains: '[]' }).execute();
  },
  'the place of the next entry was taken': async ({ db }) => {
    const entry = await db.selectFrom('auditEntry').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('auditEntry')
      .values({ ...entry, sequence: 4 })
      .execute();
  },
};

forEachDatabase(() => {
  describe('the audit', () => {
    it('keeps who did what, when, from where and how it ended', async (t) => {
      const store = await temporaryStore(t);
      const now = () => store.time.now().getTime();
      const before = now();
      await withOrigin({ surface: 'command', channelId: 'C1' }, () =>
        store.audit.append({ ...looked, subject: '+234803•••4567', details: { numbers: 1 } }),
      );
      await store.audit.append({ workspaceId: 'T1', action: 'campaign.miss', outcome: 'failed' });
      const [first, second] = await entriesOf(store);
      assert.ok(first && second);
      assert.ok(first.at.getTime() >= before && first.at.getTime() <= now(), 'by the store’s own clock');
      assert.deepEqual(
        [
          first.userId,
          first.action,
          first.subject,
          first.outcome,
          first.surface,
          first.channelId,
          first.details,
        ],
        ['U1', 'lookup.number', '+234803•••4567', 'done', 'command', 'C1', '{"numbers":1}'],
      );
      assert.deepEqual(
        [second.userId, second.subject, second.surface, second.channelId, second.details],
        [undefined, undefined, 'background', undefined, undefined],
      );
    });

    it('keeps its chain under concurrent appends and across restarts and a rotation of keys', async (t) => {
      const dataDir = temporaryFolder(t);
      const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
      const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
      const workspaces = ['T1', 'T2', 'T1', 'T3', 'T1'];
      await Promise.all(workspaces.map((workspaceId) => store.audit.append({ ...looked, workspaceId })));
      await store.close();
      await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
      const after = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
      await after.audit.append(looked);
      const entries = await entriesOf(after);
      assert.equal(entries.length, 4);
      assertChained(entries);
      assert.equal((await entriesOf(after, 'T2')).length, 1);
      const { chains } = await after.db
        .selectFrom('auditRegister')
        .select('chains')
        .executeTakeFirstOrThrow();
      assert.equal(chains, '["*","T1","T2","T3"]');
    });

    it('appends in a transaction of its caller, or not at all', async (t) => {
      const store = await temporaryStore(t);
      const append = await store.audit.prepare();
      const failing = store.db.transaction().execute(async (transaction) => {
        await append(transaction, [looked, looked]);
        throw new Error('rolled back');
      });
      await assert.rejects(failing, { message: 'rolled back' });
      await store.db.transaction().execute((transaction) => append(transaction, [looked, looked]));
      const entries = await entriesOf(store);
      assert.equal(entries.length, 2);
      assertChained(entries);
    });

    it('masks numbers and addresses in the names that people give', async (t) => {
      const store = await temporaryStore(t);
      await store.audit.append({
        ...looked,
        details: { name: 'Call +2348031234567, a@b.example', rows: 2348031234567 },
      });
      const [entry] = await entriesOf(store);
      assert.deepEqual(JSON.parse(entry?.details ?? ''), { name: 'Call •••, •••@•••', rows: 2348031234567 });
    });

    it('keeps texts that a database would write otherwise', async (t) => {
      const store = await temporaryStore(t);
      await store.audit.append({
        ...looked,
        subject: 'a\ud800b\0c',
        details: { half: '\ud800', zero: '\0' },
      });
      const [entry] = await entriesOf(store);
      assert.equal(entry?.subject, 'a\u{fffd}b\u{fffd}c');
      assert.deepEqual(JSON.parse(entry?.details ?? ''), { half: '\ud800', zero: '\0' });
    });
  });

  for (const [what, tamper] of Object.entries(tamperings)) {
    test(`goes on, and says so, where ${what}`, async (t) => {
      const store = await temporaryStore(t);
      for (let count = 0; count < 3; count += 1) {
        await store.audit.append(looked);
      }
      await tamper(store);
      await store.audit.append({ ...looked, subject: 'the next' });
      const actions = (await entriesOf(store)).map(({ action, subject }) => [action, subject]);
      assert.deepEqual(actions.slice(-2), [
        ['audit.tampered', undefined],
        ['lookup.number', 'the next'],
      ]);
      await store.audit.append(looked);
      const later = (await entriesOf(store)).filter(({ action }) => action === 'audit.tampered');
      assert.equal(later.length, 1);
    });
  }

  test('an entry that cannot be written is retried until it is, and the store is not ready meanwhile', async (t) => {
    const timers = steppedTimers();
    const store = await temporaryStore(t, { timers });
    await store.audit.append(looked);
    await store.db.schema.alterTable('auditEntry').renameTo('elsewhere').execute();
    await assert.rejects(store.audit.append(looked));
    await assert.rejects(store.ready(), { fault: 'audit_waiting' });
    await store.db.schema.alterTable('elsewhere').renameTo('auditEntry').execute();
    await timers.advance(1_000);
    while (store.audit.waiting() > 0) {
      await store.db.selectFrom('auditChain').select('last').execute();
    }
    await store.ready();
    assertChained(await entriesOf(store));
    assert.equal((await entriesOf(store)).length, 2);
  });
});
