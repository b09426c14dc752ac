import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { Lease } from '../../../../src/store/campaigns/sending/leases.ts';
import type { PaceRequest } from '../../../../src/store/campaigns/sending/settle-and-claim.ts';
import type { Store } from '../../../../src/store/store.ts';
import { forEachDatabase } from '../../../support/store/databases.ts';
import { performIn } from '../../../support/store/perform-in.ts';
import { anyPace, moveSeen, recipient, runningCampaign } from '../../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../../support/store/temporary-store.ts';
import { severalInstances } from '../../../support/store/two-stores.ts';
import { undoOnce } from '../../../support/store/undo-once.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const sale = { workspaceId: 'T1', id: 'sale' };
const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `+23480${String(from + index).padStart(8, '0')}`);
/** One to a chunk. */
const personal = (count: number) => numbers(count).map((number) => recipient(number, { text: number }));

/** Stores of several instances on one PostgreSQL database. */
async function severalStores(t: TestContext, count: number): Promise<[Store, ...Store[]]> {
  const postgres = await postgresOf(t, temporaryFolder(t), 'postgres');
  const options = { postgres, encryptionKeys: [newEncryptionKey()] };
  const first = await temporaryStore(t, options);
  const others = Array.from({ length: count - 1 }, () => temporaryStore(t, options));
  return [first, ...(await Promise.all(others))];
}

async function leaseOf(store: Store, campaign = sale): Promise<Lease> {
  const lease = await store.campaigns.leases.take(campaign);
  assert.ok(lease);
  return lease;
}

const turn = (
  { campaigns }: Store,
  lease: Lease,
  {
    count = 0,
    accepted = [],
    rejected = [],
    maxUnproven,
    pace = anyPace,
  }: {
    count?: number;
    accepted?: readonly number[];
    rejected?: readonly number[];
    maxUnproven?: number;
    pace?: PaceRequest;
  },
) =>
  campaigns.settleAndClaim(sale, {
    lease,
    endings: [
      ...accepted.map((number) => ({ number, state: 'accepted' as const })),
      ...rejected.map((number) => ({ number, state: 'rejected' as const })),
    ],
    count,
    maxUnproven,
    pace,
  });

/** As time passes for the database. */
async function expireLeases({ db }: Store): Promise<void> {
  await db
    .updateTable('campaign')
    .set({ leaseUntil: new Date(1) })
    .execute();
}

forEachDatabase((database) => {
  test('a run whose lease was taken claims nothing, and its endings count', async (t) => {
    const store = await temporaryStore(t, { database });
    await runningCampaign(store, personal(5), { personal: true });
    const previous = await leaseOf(store);
    assert.equal((await turn(store, previous, { count: 2 }))?.claimed.length, 2);
    const lease = await leaseOf(store);
    assert.ok(lease.epoch > previous.epoch);

    const late = await turn(store, previous, { count: 2, accepted: [0] });
    assert.deepEqual([late?.claimed, late?.isLeaseLost], [[], true]);
    assert.equal(late?.campaign.counts.accepted, 1);
    const next = await turn(store, lease, { count: 9 });
    assert.deepEqual([next?.isLeaseLost, next?.claimed.map(({ number }) => number)], [false, [2, 3, 4]]);
    await turn(store, lease, { accepted: [1, 2, 3] });
    const ended = await turn(store, lease, { accepted: [4, 4, 0] });
    assert.deepEqual([ended?.campaign.state, ended?.campaign.counts.accepted], ['done', 5]);
  });

  test('few are in flight until one is accepted, whoever claimed them, and again once it is resumed', async (t) => {
    const store = await temporaryStore(t, { database });
    await runningCampaign(store, personal(30), { personal: true });
    const claim = async (lease: Lease, ended: { accepted?: number[]; rejected?: number[] } = {}) => {
      const turned = await turn(store, lease, { ...ended, count: 5, maxUnproven: 3 });
      return turned?.claimed.map(({ number }) => number);
    };
    const before = await leaseOf(store);
    assert.deepEqual(await claim(before), [0, 1, 2]);
    const lease = await leaseOf(store);
    assert.deepEqual(await claim(lease), []);
    assert.deepEqual(await claim(lease, { rejected: [1] }), [3]);
    assert.deepEqual(await claim(before, { rejected: [0, 2] }), []);
    assert.deepEqual(await claim(lease), [4, 5]);
    assert.deepEqual(await claim(lease, { accepted: [4] }), [6, 7, 8, 9, 10]);
    assert.deepEqual(await claim(lease, { rejected: [3] }), [11, 12, 13, 14, 15]);

    await store.campaigns.move('T1', 'sale', ['running'], 'paused');
    await moveSeen(store.campaigns, 'T1', 'sale', ['paused'], 'running');
    assert.deepEqual(await claim(lease, { rejected: [5, 6, 7, 8, 9, 10, 11, 12] }), []);
    assert.deepEqual(await claim(lease, { rejected: [13] }), [16]);
    assert.deepEqual(await claim(lease, { accepted: [14] }), [17, 18, 19, 20, 21]);
  });

  test('a paused campaign is claimed by nobody, and its lease is not to be had', async (t) => {
    const store = await temporaryStore(t, { database });
    await runningCampaign(store, personal(5), { personal: true });
    const lease = await leaseOf(store);
    await store.campaigns.move('T1', 'sale', ['running'], 'paused');
    assert.deepEqual((await turn(store, lease, { count: 5 }))?.claimed, []);
    assert.equal(await store.campaigns.leases.take(sale), undefined);
  });

  test('the pace of a workspace limits all of its campaigns, and comes back with time', async (t) => {
    const store = await temporaryStore(t, { database });
    await runningCampaign(store, personal(300), { personal: true });
    const lease = await leaseOf(store);
    let at = Date.now();
    const pace = (change: Partial<PaceRequest> = {}): PaceRequest => ({
      maxRate: 100,
      chunkSize: 1,
      successes: 0,
      at,
      ...change,
    });
    /** Passes time for the bucket. */
    const pass = async (ms: number) => {
      at += ms;
      if (database === 'postgres') {
        await store.db
          .updateTable('pace')
          .set((eb) => ({
            refilledAt: eb('refilledAt', '-', ms),
            backOffUntil: eb('backOffUntil', '-', ms),
          }))
          .execute();
      }
    };

    const first = await turn(store, lease, { count: 50, pace: pace() });
    // A tenth of a second's messages.
    assert.deepEqual([first?.claimed.length, first?.pace.allowed], [10, 10]);
    assert.ok(first && first.pace.waitMs > 0 && first.pace.waitMs <= 10, `${first?.pace.waitMs}`);
    await pass(50);
    const second = await turn(store, lease, { count: 50, pace: pace() });
    assert.ok(
      second && second.claimed.length >= 5 && second.claimed.length <= 10,
      `${second?.claimed.length}`,
    );
    await pass(60_000);
    assert.equal((await turn(store, lease, { count: 3, pace: pace() }))?.claimed.length, 3);

    const slower = await turn(store, lease, { count: 9, pace: pace({ backOff: { retryAfterMs: 30_000 } }) });
    assert.deepEqual([slower?.claimed.length, slower?.pace.allowed], [0, 0]);
    assert.ok(slower && Math.abs(slower.pace.waitMs - 30_000) < 100, `${slower?.pace.waitMs}`);
    assert.ok(Math.abs(slower.pace.backOffMs - 30_000) < 100);
    await pass(31_000);
    const halved = await turn(store, lease, { count: 50, pace: pace() });
    assert.equal(halved?.claimed.length, 5);
    await pass(60_000);
    const recovered = await turn(store, lease, { count: 50, pace: pace({ successes: 50 }) });
    assert.ok(recovered && recovered.claimed.length >= 5);
    await pass(60_000);
    assert.equal((await turn(store, lease, { count: 50, pace: pace() }))?.claimed.length, 10);
  });

  test('waits twice as long each time the provider names no wait', async (t) => {
    const store = await temporaryStore(t, { database });
    await runningCampaign(store, personal(1), { personal: true });
    const lease = await leaseOf(store);
    const pace = { maxRate: 100, chunkSize: 1, successes: 0, at: 1_000, backOff: {} };
    const waits: number[] = [];
    for (let refused = 0; refused < 7; refused += 1) {
      const turned = await turn(store, lease, { pace });
      waits.push(Math.round((turned?.pace.backOffMs ?? 0) / 1000));
      await store.db.updateTable('pace').set({ backOffUntil: 0 }).execute();
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60]);
  });
});

describe('several instances on PostgreSQL', () => {
  test(
    'a turn that PostgreSQL undid, as two waited for each other, is made again: nothing of it counts twice',
    severalInstances,
    async (t) => {
      const [store] = await severalStores(t, 1);
      await runningCampaign(store, personal(3), { personal: true });
      const lease = await leaseOf(store);
      await turn(store, lease, { count: 2 });
      const times = await undoOnce(store.db, { table: 'campaignChunk', column: 'number', value: '2' });
      const taken = await turn(store, lease, { accepted: [0, 1], count: 1 });
      assert.equal(await times(), 2);
      assert.deepEqual(
        taken?.claimed.map(({ number }) => number),
        [2],
      );
      const { counts, inFlight } = (await store.campaigns.find('T1', 'sale')) ?? assert.fail();
      assert.deepEqual([counts.accepted, inFlight], [2, 1]);
    },
  );

  test(
    'one of any number takes a campaign; the next may when the lease is over, or the holder is dead',
    severalInstances,
    async (t) => {
      const stores = await severalStores(t, 3);
      const [one, two, three] = stores;
      assert.ok(two && three);
      await runningCampaign(one, personal(3), { personal: true });
      const taken = await Promise.all(stores.map(({ campaigns }) => campaigns.leases.take(sale)));
      assert.equal(taken.filter((lease) => lease !== undefined).length, 1);
      const holder = stores[taken.findIndex((lease) => lease !== undefined)];
      const others = stores.filter((store) => store !== holder);
      const [other, last] = others;
      assert.ok(holder && other && last);

      assert.deepEqual(await other.campaigns.leases.free(), []);
      await expireLeases(one);
      await holder.campaigns.leases.renew();
      assert.equal(await other.campaigns.leases.take(sale), undefined);
      await expireLeases(one);
      assert.deepEqual(await other.campaigns.leases.free(), [sale]);
      const lease = await leaseOf(other);
      await holder.campaigns.leases.renew();
      await holder.campaigns.leases.releaseAll();
      assert.equal(await last.campaigns.leases.take(sale), undefined, 'what was lost is not released');

      await one.db.deleteFrom('instance').where('run', '=', lease.run).execute();
      assert.ok(await last.campaigns.leases.take(sale));
    },
  );

  test(
    'concurrent claims under any lease claim no chunk twice, and all of them',
    severalInstances,
    async (t) => {
      const stores = await severalStores(t, 3);
      const [one] = stores;
      const count = 400;
      await runningCampaign(one, personal(count), { personal: true });
      const claimed: number[] = [];
      /** Claims and settles, as if it had the lease: it takes it again and again. */
      const work = async (store: Store) => {
        for (let state = 'running'; state === 'running'; ) {
          const lease = (await store.campaigns.leases.take(sale)) ?? { run: store.instances.run(), epoch: 0 };
          await expireLeases(store);
          const turned = await turn(store, lease, { count: 7 });
          const mine = turned?.claimed.map(({ number }) => number) ?? [];
          claimed.push(...mine);
          state = (await turn(store, lease, { accepted: mine }))?.campaign.state ?? 'gone';
        }
      };
      await Promise.all(stores.map(work));
      assert.equal(claimed.length, count);
      assert.equal(new Set(claimed).size, count);
      const { counts, inFlight } = (await one.campaigns.find('T1', 'sale')) ?? assert.fail();
      assert.deepEqual([counts.accepted, inFlight], [count, 0]);
    },
  );

  test('a claim beside a pause claims before it, or nothing', severalInstances, async (t) => {
    const [one, two] = await severalStores(t, 2);
    assert.ok(two);
    await runningCampaign(one, personal(200), { personal: true });
    let claimed = 0;
    for (let round = 0; round < 20; round += 1) {
      const lease = await leaseOf(one);
      const [turned, paused] = await Promise.all([
        turn(one, lease, { count: 3 }),
        two.campaigns.move('T1', 'sale', ['running'], 'paused'),
      ]);
      claimed += turned?.claimed.length ?? 0;
      assert.ok(paused);
      assert.deepEqual((await turn(one, lease, { count: 3 }))?.claimed, []);
      await moveSeen(two.campaigns, 'T1', 'sale', ['paused'], 'running');
    }
    assert.equal((await one.campaigns.find('T1', 'sale'))?.inFlight, claimed);
  });

  test(
    'a turn that waits for a change of its campaign claims nothing of what was before it',
    severalInstances,
    async (t) => {
      const [one, two] = await severalStores(t, 2);
      assert.ok(two);
      await runningCampaign(
        one,
        numbers(200).map((number) => recipient(number)),
      );
      const lease = await leaseOf(one);
      await turn(one, lease, { count: 1 });
      const isWaiting = async () => {
        const { rows } = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(two.db);
        return rows[0]?.count === 1;
      };
      let waiting: ReturnType<typeof turn> | undefined;
      await two.db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('campaign')
          .set((eb) => ({ suppressed: eb.ref('suppressed') }))
          .execute();
        waiting = turn(one, lease, { count: 1, accepted: [0] });
        while (!(await isWaiting())) {
          await new Promise(setImmediate);
        }
        // As a removal would, of everything but the counts.
        await transaction.updateTable('campaignChunkContent').set({ value: 'changed' }).execute();
      });
      const turned = await waiting;
      assert.deepEqual([turned?.claimed, turned?.pace.allowed, turned?.pace.waitMs], [[], 0, 0]);
      assert.equal(turned?.campaign.counts.accepted, 100, 'what ended is stored all the same');
      await assert.rejects(turn(one, lease, { count: 1 }), { fault: 'unreadable' }, 'it sees the change');
      assert.equal(
        (await one.campaigns.find('T1', 'sale'))?.inFlight,
        0,
        'and claims nothing that it cannot read',
      );
    },
  );

  test('a claim beside a removal never has a recipient that was suppressed', severalInstances, async (t) => {
    const [one, two] = await severalStores(t, 2);
    assert.ok(two);
    const everyone = numbers(3_000);
    await runningCampaign(
      one,
      everyone.map((number) => recipient(number)),
    );
    const lease = await leaseOf(one);
    const listed = new Set<string>();
    const sent = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      // Of the chunk that is claimed meanwhile, and of a later one.
      const who = [everyone[round * 100 + 3] ?? '', everyone[round * 100 + 140] ?? ''].filter(Boolean);
      const before = new Set(listed);
      const [turned] = await Promise.all([
        turn(one, lease, { count: 1 }),
        two.suppressionList.add('T1', who, 'U1').then(() => who.forEach((number) => void listed.add(number))),
      ]);
      for (const { digits } of turned?.claimed ?? []) {
        for (const number of digits.map((digit) => `+${digit}`)) {
          assert.ok(!before.has(number), `${number} had been suppressed`);
          assert.ok(!sent.has(number), `${number} was claimed twice`);
          sent.add(number);
        }
      }
    }
    const rest = await turn(one, lease, { count: 100 });
    for (const { digits } of rest?.claimed ?? []) {
      digits.forEach((digit) => void sent.add(`+${digit}`));
    }
    const { counts, inFlight } = (await one.campaigns.find('T1', 'sale')) ?? assert.fail();
    assert.equal(counts.recipients + counts.suppressed, everyone.length);
    assert.equal(inFlight, sent.size);
    assert.equal(counts.recipients, sent.size);
  });

  test('the bucket of a workspace is one for all instances', severalInstances, async (t) => {
    const stores = await severalStores(t, 3);
    const [one] = stores;
    const campaigns = stores.map((_, index) => ({ workspaceId: 'T1', id: `sale-${index}` }));
    for (const { id } of campaigns) {
      await runningCampaign(one, personal(200), { id, personal: true });
    }
    // One message at once, and the next one in a quarter of an hour.
    const pace = { maxRate: 0.001, chunkSize: 1, successes: 0, at: 0 };
    const claimed = await Promise.all(
      stores.map(async (store, index) => {
        const campaign = campaigns[index] ?? assert.fail();
        const lease = await leaseOf(store, campaign);
        let count = 0;
        for (let round = 0; round < 20; round += 1) {
          const turned = await store.campaigns.settleAndClaim(campaign, {
            lease,
            endings: [],
            count: 50,
            pace,
          });
          count += turned?.claimed.length ?? 0;
        }
        return count;
      }),
    );
    // And one more, for the fraction of a message that was earned: a chunk is never cut to fit.
    const all = claimed.reduce((sum, count) => sum + count, 0);
    assert.ok(all === 1 || all === 2, `${all}`);
  });

  test(
    'what a dead run had in flight is ended once, and nothing of a living one',
    severalInstances,
    async (t) => {
      const stores = await severalStores(t, 3);
      const [one, two, three] = stores;
      assert.ok(two && three);
      await runningCampaign(one, personal(6), { personal: true });
      const dead = await leaseOf(one);
      await turn(one, dead, { count: 2 });
      await one.db.deleteFrom('instance').where('run', '=', dead.run).execute();
      const lease = await leaseOf(two);
      await turn(two, lease, { count: 2 });
      const half = await one.campaigns.begin({
        ...sale,
        id: 'half',
        createdBy: 'U1',
        name: 'Half',
        route: 'dnd',
        senderId: 'PalmMarket',
        personal: false,
        text: 'Hello',
      });
      assert.ok(half);
      const begun = performIn(
        one.ledger,
        { workspaceId: 'T1', key: 'k', kind: 'sms.send', userId: 'U1', summary: {} },
        () => left.promise,
      );
      const left = Promise.withResolvers<{ state: 'accepted' }>();
      while ((await one.ledger.find('T1', { key: 'k' })) === undefined) {
        await new Promise(setImmediate);
      }

      const ended = await Promise.all(
        [two, three, two, three].flatMap(({ campaigns, ledger }) => [
          campaigns.recover(new Date()),
          ledger.recover(new Date()).then((operations) => operations * 1_000),
        ]),
      );
      assert.equal(
        ended.reduce((sum, count) => sum + count, 0),
        1_002,
      );
      const { counts, inFlight } = (await one.campaigns.find('T1', 'sale')) ?? assert.fail();
      assert.deepEqual([counts.unconfirmed, inFlight], [2, 2]);
      const notices = await one.db.selectFrom('outbox').select(['subject', 'subjectId']).execute();
      assert.deepEqual(
        notices
          .map(({ subject }) => subject)
          .filter((subject) => subject !== 'campaign')
          .sort(),
        ['import', 'operation'],
      );

      // It goes on: the outcome that it learns now takes the place of what was said for it, and its chunks stay ended.
      left.resolve({ state: 'accepted' });
      await begun;
      assert.equal((await one.ledger.find('T1', { key: 'k' }))?.state, 'accepted');
      const late = await turn(one, dead, { accepted: [0, 1], count: 5 });
      assert.deepEqual(
        [late?.claimed, late?.campaign.counts.unconfirmed, late?.campaign.counts.accepted],
        [[], 2, 0],
      );
      const { entries } = await one.audit.page({ workspaceId: 'T1', limit: 50 });
      assert.deepEqual(
        entries.filter(({ action }) => action === 'sms.send').map(({ outcome }) => outcome),
        ['accepted', 'unconfirmed'],
      );
    },
  );
});
