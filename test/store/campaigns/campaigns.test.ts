import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { ChunkState } from '../../../src/store/campaigns/campaigns.ts';
import type { Store } from '../../../src/store/store.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { dueIds, dueNotices } from '../../support/store/due-notices.ts';
import {
  moveSeen,
  newCampaign,
  readyCampaign,
  recipient,
  runningCampaign,
  settleAndClaim,
} from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sale = { workspaceId: 'T1', id: 'sale' };

const three = manyNumbers(250).map((number) => recipient(number));

/** A store that one run of the program leaves and the next one opens. */
async function reopenable(t: TestContext): Promise<{ store: Store; reopen(): Promise<Store> }> {
  const options = { dataDir: temporaryFolder(t), encryptionKeys: [newEncryptionKey()] };
  const store = await temporaryStore(t, options);
  return {
    store,
    async reopen() {
      await store.close();
      return temporaryStore(t, options);
    },
  };
}

async function numbersIn(store: Store, ...states: ChunkState[]): Promise<number[]> {
  const chunks = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', states));
  return chunks.map(({ number }) => number);
}

const everyTable = ['campaign', 'campaign_chunk', 'campaign_chunk_content', 'campaign_number'] as const;

async function rowsIn(store: Store): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of [...everyTable, 'campaign_rejected_row'] as const) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      store.db,
    );
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

forEachDatabase(() => {
  test('stores everything of a campaign', async (t) => {
    const { store, reopen } = await reopenable(t);
    const given = newCampaign({ retryOf: 'spring' });
    const ready = await readyCampaign(store, [recipient('+2348031234567', { pages: 2, quiet: true })], given);
    assert.equal(ready.state, 'ready');
    const patch = {
      channelId: 'C1',
      startAt: new Date('2030-01-01T08:00:00Z'),
      latestStart: new Date('2030-01-01T09:00:00Z'),
      zone: 'Africa/Lagos',
    };
    await moveSeen(store.campaigns, 'T1', 'sale', ['ready'], 'scheduled', patch);
    await store.campaigns.setMessage('T1', 'sale', { channel: 'C1', ts: '1.2' });

    const found = await (await reopen()).campaigns.find('T1', 'sale');
    assert.ok(found);
    const { counts, ...rest } = found;
    assert.deepEqual({ ...rest, ...given, ...patch }, rest);
    assert.deepEqual(rest.message, { channel: 'C1', ts: '1.2' });
    assert.equal(rest.state, 'scheduled');
    assert.deepEqual(
      [counts.recipients, counts.pages, counts.fewestPages, counts.mostPages, counts.quiet, counts.chunks],
      [1, 2, 2, 2, 1, 1],
    );
  });

  test('does not claim a chunk that was moved to another campaign', async (t) => {
    const store = await temporaryStore(t);
    await runningCampaign(store, [recipient('+2348030000001')]);
    await readyCampaign(store, [recipient('+2348030000002')], { id: 'other' });
    await sql`update campaign_chunk_content set value = (select value from campaign_chunk_content where campaign = 2)
    where campaign = 1`.execute(store.db);
    await assert.rejects(settleAndClaim(store, sale, [], 1), { fault: 'unreadable' });
    const campaign = await store.campaigns.find('T1', 'sale');
    assert.equal(campaign?.inFlight, 0, 'nothing was claimed');
  });

  test('allows one campaign per id in a workspace, and frees the id of a discarded one', async (t) => {
    const { campaigns } = await temporaryStore(t);
    const writer = await campaigns.begin(newCampaign());
    assert.ok(writer);
    assert.equal(await campaigns.begin(newCampaign()), undefined);
    assert.ok(await campaigns.begin(newCampaign({ workspaceId: 'T2' })));
    await writer.add([recipient('+2348030000001')]);
    await writer.abandon();
    assert.equal(await campaigns.find('T1', 'sale'), undefined);
    await assert.rejects(writer.add([recipient('+2348030000002')]), { name: 'NoLongerDraftError' });

    const again = await campaigns.begin(newCampaign());
    assert.equal((await again?.add([recipient('+2348030000001')]))?.recipients, 1);
    await again?.finish();
    assert.equal(await campaigns.discard('T1', 'sale', ['ready']), true);
    assert.equal(await campaigns.discard('T1', 'sale', ['ready']), false);
    assert.ok(await campaigns.begin(newCampaign()));
  });

  test('completes a campaign without recipients as soon as it runs', async (t) => {
    const store = await temporaryStore(t);
    const { campaigns } = store;
    const writer = await campaigns.begin(newCampaign());
    await writer?.finish();
    await moveSeen(campaigns, 'T1', 'sale', ['ready'], 'running');
    const turned = await settleAndClaim(store, sale, [], 1);
    assert.deepEqual([turned?.campaign.state, turned?.claimed], ['done', []]);
  });

  test('settles a chunk for the run that claimed it, not for another run of the program', async (t) => {
    const { store, reopen } = await reopenable(t);
    await runningCampaign(store, three);
    await settleAndClaim(store, sale, [], 1);
    const next = await reopen();
    const error = { reason: 'no_route', detail: 'No route.' };
    const turned = await settleAndClaim(
      next,
      sale,
      [
        { number: 0, state: 'rejected', error },
        { number: 7, state: 'accepted' },
      ],
      0,
    );
    assert.equal(turned?.campaign.inFlight, 100);
    assert.equal(turned?.campaign.counts.rejected, 0);
    assert.deepEqual(await numbersIn(next, 'claimed'), [0]);
  });

  test('stores the provider’s response with the chunk', async (t) => {
    const store = await temporaryStore(t);
    await runningCampaign(store, three);
    await settleAndClaim(store, sale, [], 3);
    const error = { reason: 'no_route', detail: 'No route.', status: 400, providerMessage: 'no route' };
    const turned = await settleAndClaim(
      store,
      sale,
      [
        { number: 2, state: 'rejected', error },
        { number: 0, state: 'accepted', providerId: '017', balance: '9.50' },
        { number: 1, state: 'waiting', error },
      ],
      0,
    );
    assert.equal(turned?.campaign.balance, '9.50');
    const known = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', ['rejected', 'accepted']));
    assert.deepEqual(
      known.map((chunk) => [chunk.number, chunk.state, chunk.providerId, chunk.error, chunk.to.length]),
      [
        [2, 'rejected', undefined, error, 50],
        [0, 'accepted', '017', undefined, 100],
      ],
    );
  });

  test('keeps the last balance of a campaign', async (t) => {
    const store = await temporaryStore(t);
    const since = new Date(0);
    assert.deepEqual(await store.campaigns.spendings('T1', since), []);
    await runningCampaign(store, three);
    await settleAndClaim(store, sale, [], 3);
    const settle = async (number: number, balance: string) => {
      await settleAndClaim(store, sale, [{ number, state: 'accepted', balance }], 0);
      const [spending] = await store.campaigns.spendings('T1', since);
      assert.ok(spending?.balance && spending.balance.at >= spending.startedAt);
      return spending.balance.amount;
    };
    assert.equal(await settle(0, '1000 NGN'), '1000 NGN');
    assert.equal(await settle(1, '999.5 NGN'), '999.5 NGN');
    assert.equal(await settle(2, '5000 NGN'), '5000 NGN');
    const [ended] = await store.campaigns.spendings('T1', since);
    assert.equal(ended?.accepted, three.length);
    assert.deepEqual(await store.campaigns.spendings('T1', new Date((ended?.endedAt ?? 0) + 1)), []);
    assert.deepEqual(await store.campaigns.spendings('T2', since), []);
  });

  test('after a crash ends claimed chunks as unconfirmed and discards imports, with a notice to the creator', async (t) => {
    const { store, reopen } = await reopenable(t);
    await runningCampaign(store, three);
    await settleAndClaim(store, sale, [], 2);
    const reading = await store.campaigns.begin(newCampaign({ id: 'half' }));
    await reading?.add(three);
    await readyCampaign(store, three, { id: 'over' });
    await moveSeen(store.campaigns, 'T1', 'over', ['ready'], 'scheduled');
    await store.campaigns.move('T1', 'over', ['scheduled'], 'cancelled');
    assert.equal(await store.campaigns.recover(new Date()), 0);

    const next = await reopen();
    const { campaigns, outbox } = next;
    assert.equal(await campaigns.recover(new Date()), 200);
    assert.equal(await campaigns.recover(new Date()), 0);
    assert.equal(await campaigns.find('T1', 'half'), undefined);
    const notices = (await dueNotices({ outbox })).map(({ subject, subjectId, title }) => [
      subject,
      subjectId,
      title,
    ]);
    assert.deepEqual(notices.sort(), [
      ['campaign', 'over', undefined],
      ['import', 'half', 'Sale'],
    ]);
    const [chunk] = await Array.fromAsync(campaigns.chunks('T1', 'sale', ['unconfirmed']));
    assert.equal(chunk?.error?.reason, 'stopped_midway');
    const turned = await settleAndClaim(next, sale, [], 5);
    assert.deepEqual(
      turned?.claimed.map(({ number }) => number),
      [2],
    );
  });

  test('ends a cancelled campaign once nothing is in flight', async (t) => {
    const store = await temporaryStore(t);
    const { startedAt } = await runningCampaign(store, three);
    assert.ok(startedAt);
    await settleAndClaim(store, sale, [], 1);
    const cancelled = await store.campaigns.move('T1', 'sale', ['running'], 'cancelled');
    assert.equal(cancelled?.endedAt, undefined);
    assert.deepEqual(await dueIds(store), []);
    const turned = await settleAndClaim(store, sale, [{ number: 0, state: 'waiting' }], 5);
    assert.deepEqual(turned?.claimed, []);
    assert.ok(turned?.campaign.endedAt);
    assert.deepEqual(await dueIds(store), ['sale']);
    assert.deepEqual(await numbersIn(store, 'waiting'), [0, 1, 2]);
  });

  test('lists the campaigns of one workspace, after one of its own', async (t) => {
    const store = await temporaryStore(t);
    const { campaigns } = store;
    await readyCampaign(store, [], { id: '1' });
    await readyCampaign(store, [], { id: 'theirs', workspaceId: 'T2' });
    const ids = async (before?: string) =>
      (await campaigns.recent({ workspaceId: 'T1', limit: 2, before })).map(({ id }) => id);
    assert.deepEqual(await ids(), ['1']);
    assert.deepEqual(await ids('theirs'), []);
  });

  test('keeps only the row and the counts of a campaign after the retention time', async (t) => {
    const store = await temporaryStore(t);
    const { campaigns } = store;
    await runningCampaign(store, [
      ...three,
      { kind: 'invalid', line: 9, text: 'x', reason: 'y', problem: 'not_a_number' },
    ]);
    await settleAndClaim(store, sale, [], 3);
    await settleAndClaim(
      store,
      sale,
      [0, 1, 2].map((number) => ({ number, state: 'accepted' as const })),
      0,
    );
    await readyCampaign(store, three, { id: 'fresh' });
    const [past, future] = [new Date(0), new Date(Date.now() + 1_000)];
    assert.equal(await campaigns.expire(past, past), 0);
    assert.equal(await campaigns.expire(future, past), 1);
    assert.equal(await campaigns.expire(future, past), 0);

    const campaign = await campaigns.find('T1', 'sale');
    assert.equal(campaign?.text, undefined);
    assert.deepEqual([campaign?.state, campaign?.counts.accepted], ['done', 250]);
    assert.deepEqual(await rowsIn(store), {
      campaign: 2,
      campaign_chunk: 3,
      campaign_chunk_content: 3,
      campaign_number: 250,
      campaign_rejected_row: 0,
    });
  });

  test('deletes campaigns that were ready for too long, discarded or half imported', async (t) => {
    const { store, reopen } = await reopenable(t);
    await readyCampaign(store, three, { id: 'ready' });
    await readyCampaign(store, three, { id: 'dropped' });
    await store.campaigns.discard('T1', 'dropped', ['ready']);
    await (await store.campaigns.begin(newCampaign({ id: 'half' })))?.add(three);
    const next = await reopen();
    await next.campaigns.recover(new Date());
    assert.equal(await next.campaigns.expire(new Date(0), new Date(Date.now() + 1_000)), 3);
    assert.deepEqual(Object.values(await rowsIn(next)), [0, 0, 0, 0, 0]);
  });

  test('cancels a campaign that is still paused after the retention time, with a notice', async (t) => {
    const store = await temporaryStore(t);
    const { campaigns } = store;
    await runningCampaign(store, three);
    await campaigns.move('T1', 'sale', ['running'], 'paused', { pause: { by: 'person', userId: 'U1' } });
    await campaigns.expire(new Date(Date.now() + 1_000), new Date(0));
    assert.deepEqual(await dueIds(store), ['sale']);
    assert.equal((await campaigns.find('T1', 'sale'))?.state, 'cancelled');
  });

  test('returns the rejected rows in order, in whatever batches they were added', async (t) => {
    const { campaigns } = await temporaryStore(t);
    const writer = await campaigns.begin(newCampaign());
    const rows = Array.from({ length: 7 }, (_, line) => ({
      line,
      text: `row ${line}`,
      reason: 'half \ud800',
    }));
    const invalid = rows.map((row) => ({ kind: 'invalid' as const, problem: 'too_short' as const, ...row }));
    await writer?.add(invalid.slice(0, 3));
    await writer?.add(three);
    await writer?.add(invalid.slice(3));
    await writer?.finish();
    assert.deepEqual(
      await Array.fromAsync(campaigns.rejectedRows('T1', 'sale')),
      rows.map((row) => ({ ...row, reason: 'half \ufffd', problem: 'too_short' })),
    );
  });
});
