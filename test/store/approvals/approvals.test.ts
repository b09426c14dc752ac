import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Approval } from '../../../src/store/approvals/approvals.ts';
import type { SendingMove } from '../../../src/store/campaigns/campaign-moves.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { dueNotices } from '../../support/store/due-notices.ts';
import { whileLocked } from '../../support/store/lock-barrier.ts';
import { newApproval } from '../../support/store/stored-approvals.ts';
import { readyCampaign, recipient } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';

type Key = Pick<Approval, 'workspaceId' | 'id'>;

const yes = { by: 'U2', at: new Date() };

async function askedFor(store: Store, change: Parameters<typeof newApproval>[0] = {}) {
  return (await store.approvals.request(newApproval(change))).approval;
}

/** A campaign, and a request for its start. */
async function askedForSale(store: Store) {
  const { version } = await readyCampaign(store, [recipient('+2348031234567'), recipient('+2348031234568')]);
  return askedFor(store, {
    kind: 'campaign',
    subject: 'sale',
    campaign: { state: 'ready', recipients: 2, version },
  });
}

async function auditOf({ db }: Store) {
  const rows = await db.selectFrom('auditEntry').selectAll().orderBy('sequence').execute();
  return rows.filter(({ action }) => action.startsWith('approval.')).map((row) => [row.action, row.userId]);
}

forEachDatabase(() => {
  test('a request is stored once for its id, and once for its subject while it waits', async (t) => {
    const store = await temporaryStore(t);
    const first = await store.approvals.request(newApproval());
    assert.deepEqual([first.first, first.approval.state], [true, 'waiting']);
    const [again, other] = await Promise.all([
      store.approvals.request(newApproval()),
      store.approvals.request(newApproval({ id: 'U3.other', requestedBy: 'U3' })),
    ]);
    assert.deepEqual([again.first, again.approval.id], [false, 'U1.request']);
    assert.deepEqual([other.first, other.approval.id], [false, 'U1.request']);
    await store.approvals.end(first.approval, { state: 'withdrawn', by: 'U1' });
    assert.equal((await store.approvals.request(newApproval())).approval.state, 'withdrawn');
    assert.equal((await store.approvals.request(newApproval({ id: 'U1.new' }))).first, true);
  });

  test('nobody approves their own, another workspace’s, or too late', async (t) => {
    const store = await temporaryStore(t);
    const { approvals } = store;
    const asked = await askedFor(store, { owner: 'U9', expiresAt: new Date(yes.at.getTime() + 1_000) });
    const late = new Date(yes.at.getTime() + 1_000);
    assert.equal(await approvals.approve(asked, { ...yes, by: 'U1' }), undefined);
    assert.equal(await approvals.approve(asked, { ...yes, by: 'U9' }), undefined);
    assert.equal(await approvals.approve({ ...asked, workspaceId: 'T2' }, yes), undefined);
    assert.equal(await approvals.approve(asked, { ...yes, at: late }), undefined);
    assert.equal((await approvals.approve(asked, yes))?.endedBy, 'U2');
    assert.equal(await approvals.approve(asked, { ...yes, by: 'U3' }), undefined, 'once');
    assert.equal(await approvals.end(asked, { state: 'rejected', by: 'U3' }), undefined);
  });

  test('an approval and the move of its campaign are made together, or neither is', async (t) => {
    const store = await temporaryStore(t);
    const asked = await askedForSale(store);
    const sale = (await store.campaigns.find('T1', 'sale')) ?? assert.fail();
    const move = { id: 'sale', from: ['ready'], to: 'running', patch: {}, checked: sale } as const;
    const approve = (change: Partial<SendingMove> = {}) =>
      store.approvals.approveMove(asked, yes, { ...move, ...change });
    assert.deepEqual(await approve({ checked: { ...sale, version: 'another' } }), { kind: 'changed' });
    await assert.rejects(
      approve({
        async reserve() {
          throw new Error('no disk');
        },
      }),
    );
    assert.deepEqual(await approve({ from: ['missed'] }), { kind: 'changed' });
    assert.equal((await store.approvals.find('T1', asked.id))?.state, 'waiting');
    assert.equal((await store.campaigns.find('T1', 'sale'))?.state, 'ready');
    assert.deepEqual(
      await auditOf(store),
      [['approval.request', 'U1']],
      'what was rolled back is in no audit',
    );

    const [one, other] = await Promise.all([approve(), approve()]);
    assert.deepEqual([one.kind, other.kind].sort(), ['approved', 'ended']);
    assert.equal((await store.campaigns.find('T1', 'sale'))?.state, 'running');
  });

  test('what makes or ends a request leaves its notices, and its entry in the audit', async (t) => {
    const store = await temporaryStore(t);
    const subjects = async () => (await dueNotices(store)).map(({ subject }) => subject).sort();
    const first = await askedFor(store);
    assert.deepEqual(await subjects(), ['approval']);
    await store.approvals.end(first, { state: 'withdrawn', by: 'U1' });
    assert.deepEqual(await subjects(), ['approval', 'approval_end'], 'who withdrew it knows');
    const second = await askedFor(store, { id: 'second' });
    await store.approvals.end(second, { state: 'rejected', by: 'U2', reason: 'Too early \uD800' });
    assert.equal((await store.approvals.find('T1', 'second'))?.reason, 'Too early \uFFFD');
    const third = await askedFor(store, { id: 'third', expiresAt: new Date(0) });
    const swept = await store.approvals.sweep(new Date());
    assert.deepEqual(
      swept.map(({ id, state }) => [id, state]),
      [[third.id, 'expired']],
    );
    const fourth = await askedFor(store, { id: 'fourth' });
    await store.approvals.approve(fourth, yes);
    // Where there may be other instances, the one that approved it has time to begin.
    await store.db
      .updateTable('approval')
      .set({ endedAt: new Date(0) })
      .where('id', '=', 'fourth')
      .execute();
    assert.equal((await store.approvals.unperformed())[0]?.id, 'fourth');
    await store.approvals.revoke(fourth, 'late');
    assert.deepEqual(await store.approvals.unperformed(), []);
    const { state, cause } = (await store.approvals.find('T1', 'fourth')) ?? {};
    assert.deepEqual([state, cause], ['void', 'late']);
    assert.equal((await subjects()).filter((subject) => subject === 'approval_news').length, 3);
    assert.deepEqual(await auditOf(store), [
      ['approval.request', 'U1'],
      ['approval.withdraw', 'U1'],
      ['approval.request', 'U1'],
      ['approval.reject', 'U2'],
      ['approval.request', 'U1'],
      ['approval.expire', undefined],
      ['approval.request', 'U1'],
      ['approval.approve', 'U2'],
      ['approval.void', undefined],
    ]);
  });

  test('the end of a request is shown once more where it becomes void while it is shown as approved', async (t) => {
    const { approvals, outbox, ...store } = await temporaryStore(t);
    const asked = await askedFor({ approvals, outbox, ...store });
    await approvals.approve(asked, yes);
    for (const subject of ['approval_end', 'approval_news'] as const) {
      const shown: unknown[] = [];
      await outbox.deliver({ workspaceId: 'T1', subject, subjectId: asked.id }, async () => {
        shown.push((await approvals.find('T1', asked.id))?.state);
        await approvals.revoke(asked, 'limited');
      });
      assert.equal(shown.at(-1), 'void', subject);
    }
  });

  test('requests are deleted once they ended long ago', async (t) => {
    const store = await temporaryStore(t);
    const ended = await askedFor(store);
    await store.approvals.end(ended, { state: 'withdrawn', by: 'U1' });
    await askedFor(store, { id: 'waiting' });
    await store.approvals.expire(new Date(0));
    assert.ok(await store.approvals.find('T1', ended.id));
    await store.approvals.expire(new Date(Date.now() + 1_000));
    assert.equal(await store.approvals.find('T1', ended.id), undefined);
    assert.equal((await store.approvals.find('T1', 'waiting'))?.state, 'waiting');
  });

  describe('on several instances', () => {
    test(
      'a request is decided once, whoever decides where, and told and recorded once',
      severalInstances,
      async (t) => {
        const [one, other] = await twoStores(t);
        const decisions = [
          ({ approvals }: Store, key: Key) => approvals.approve(key, yes),
          ({ approvals }: Store, key: Key) => approvals.end(key, { state: 'rejected', by: 'U3' }),
          ({ approvals }: Store, key: Key) => approvals.end(key, { state: 'withdrawn', by: 'U1' }),
        ];
        let asked = 0;
        for (const first of decisions) {
          for (const second of decisions) {
            asked += 1;
            const key = await askedFor(one, { id: `request ${asked}`, subject: `order ${asked}` });
            const ended: (Approval | undefined)[] = [];
            await whileLocked(one, sql`select * from approval for update`, [
              async () => ended.push(await first(one, key)),
              async () => ended.push(await second(other, key)),
            ]);
            assert.deepEqual(
              ended.filter((approval) => approval !== undefined),
              [await one.approvals.find('T1', key.id)],
            );
            assert.equal((await auditOf(one)).length, 2 * asked, 'asked for, and decided');
            const notices = await one.db
              .selectFrom('outbox')
              .select('subject')
              .where('subjectId', '=', key.id);
            const told = (await notices.execute()).filter(({ subject }) => subject === 'approval_end');
            assert.equal(told.length, 1);
          }
        }
      },
    );

    test(
      'a campaign that is changed elsewhere does not start by an approval of what it was',
      severalInstances,
      async (t) => {
        const [one, other] = await twoStores(t);
        await askedForSale(one);
        const key = { workspaceId: 'T1', id: 'U1.request' };
        // A late campaign: the approval of a draft writes to its row before it reads it.
        await one.db.updateTable('campaign').set({ state: 'missed' }).execute();
        const sale = (await one.campaigns.find('T1', 'sale')) ?? assert.fail();
        const move = { id: 'sale', from: ['missed'], to: 'running', patch: {}, checked: sale } as const;
        let approved: unknown;
        await whileLocked(one, sql`select * from campaign for update`, [
          () => other.db.updateTable('campaign').set({ latestStart: new Date() }).execute(),
          async () => {
            approved = await one.approvals.approveMove(key, yes, move);
          },
        ]);
        assert.deepEqual(approved, { kind: 'changed' });
        assert.equal((await one.campaigns.find('T1', 'sale'))?.state, 'missed');
        assert.equal((await one.approvals.find('T1', key.id))?.state, 'waiting');
      },
    );
  });
});
