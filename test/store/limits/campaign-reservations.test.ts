import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import type { Store } from '../../../src/store/store.ts';
import { FullWindowsError } from '../../../src/store/workspaces/limits/campaign-reservations.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { whileLocked } from '../../support/store/lock-barrier.ts';
import { moveSeen, readyCampaign, recipient, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';

const workspaceId = 'T1';
const window = { key: 'pages/day/1', limit: 10, ends: { after: 60_000 } };
const pageBudget = [window];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+23480${10_000_000 + index}`);

/** A draft of this many pages. */
const draft = (store: Store, id: string, pages: number) =>
  readyCampaign(
    store,
    numbers(pages).map((number) => recipient(number)),
    { id },
  );

const used = async ({ limits }: Store) => (await limits.used(workspaceId, [window.key]))[0];

const start = ({ campaigns, limits }: Store, id: string, from: readonly CampaignState[] = ['ready']) =>
  moveSeen(
    campaigns,
    workspaceId,
    id,
    from,
    'running',
    {},
    {
      reserve: (transaction) => limits.reservations.reserve(transaction, { workspaceId, id }, pageBudget),
    },
  );

const pause = ({ campaigns }: Store, id: string) => campaigns.move(workspaceId, id, ['running'], 'paused');

forEachDatabase((database) => {
  test('a campaign runs with its pages, or neither is moved nor takes any', async (t) => {
    const store = await temporaryStore(t, { database });
    await draft(store, 'one', 7);
    await draft(store, 'two', 4);
    assert.equal((await start(store, 'one'))?.state, 'running');
    await assert.rejects(start(store, 'two'), FullWindowsError);
    assert.equal((await store.campaigns.find(workspaceId, 'two'))?.state, 'ready');
    assert.equal(await start(store, 'one', ['ready', 'paused']), undefined, 'it runs already');
    assert.equal(await used(store), 7);
    await pause(store, 'one');
    assert.equal(await used(store), 7, 'until it is settled');
    await store.limits.reservations.settle(workspaceId, 'one');
    assert.equal(await start(store, 'two', ['missed']), undefined);
    assert.equal(await used(store), 0, 'what was not moved has nothing');
  });

  test('what an ended instance left is given back, but for what was sent or is in flight', async (t) => {
    const store = await temporaryStore(t, { database });
    const { reservations } = store.limits;
    await draft(store, 'one', 6);
    await start(store, 'one');
    const turn = await settleAndClaim(store, { workspaceId, id: 'one' }, [], 1);
    const number = turn?.claimed[0]?.number ?? Number.NaN;
    await pause(store, 'one');
    await reservations.settleLeft();
    assert.equal(await used(store), 6, 'something is in flight');
    await settleAndClaim(store, { workspaceId, id: 'one' }, [{ number, state: 'accepted' }], 0);
    await draft(store, 'two', 4);
    await start(store, 'two');
    await pause(store, 'two');
    await Promise.all([reservations.settleLeft(), reservations.settleLeft()]);
    assert.equal(await used(store), 6, 'what was sent stays');
  });
});

describe('on several instances', () => {
  test(
    'what an instance reserves while it starts a campaign is given back by no other',
    severalInstances,
    async (t) => {
      const [one, other] = await twoStores(t);
      const { reservations } = one.limits;
      await draft(one, 'sale', 7);
      const reserved = Promise.withResolvers<void>();
      const settled = Promise.withResolvers<void>();
      const starting = moveSeen(
        one.campaigns,
        workspaceId,
        'sale',
        ['ready'],
        'running',
        {},
        {
          async reserve(transaction) {
            await reservations.reserve(transaction, { workspaceId, id: 'sale' }, pageBudget);
            reserved.resolve();
            await settled.promise;
          },
        },
      );
      await reserved.promise;
      await other.limits.reservations.settleLeft();
      settled.resolve();
      assert.equal((await starting)?.state, 'running');
      await other.limits.reservations.settleLeft();
      assert.equal(await used(other), 7);
      await pause(one, 'sale');
      await other.limits.reservations.settleLeft();
      assert.equal(await used(one), 0, 'the instance that paused it has ended before it gave back');
    },
  );

  test(
    'a campaign is not settled by what was read of it before it was resumed',
    severalInstances,
    async (t) => {
      const [one, other] = await twoStores(t);
      await draft(one, 'sale', 7);
      await start(one, 'sale');
      await pause(one, 'sale');
      await whileLocked(one, sql`select * from limit_reservation for update`, [
        () => start(one, 'sale', ['paused']),
        () => other.limits.reservations.settle(workspaceId, 'sale'),
      ]);
      assert.equal(await used(one), 7);
    },
  );

  test(
    'any starts, pauses and ends at once leave the pages of exactly what runs, within the budget',
    severalInstances,
    async (t) => {
      const [one, other] = await twoStores(t);
      const stores = [one, other] as const;
      const ids = ['a', 'b', 'c'] as const;
      let round = 0;
      const action = fc.record({
        by: fc.constantFrom(0, 1),
        id: fc.constantFrom(...ids),
        what: fc.constantFrom('start', 'start', 'pause', 'settle', 'settleLeft'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
          round += 1;
          const idOf = (id: string) => `${id}.${round}`;
          for (const id of ids) {
            await draft(one, idOf(id), 4);
          }
          await Promise.all(
            actions.map(async ({ by, id, what }) => {
              const store = stores[by === 0 ? 0 : 1];
              switch (what) {
                case 'start':
                  return start(store, idOf(id), ['ready', 'paused']).catch(unlessFull);
                case 'pause':
                  return pause(store, idOf(id));
                case 'settle':
                  return store.limits.reservations.settle(workspaceId, idOf(id));
                default:
                  return store.limits.reservations.settleLeft();
              }
            }),
          );
          await other.limits.reservations.settleLeft();
          const running = await one.campaigns.inState(['running']);
          const pages = await used(one);
          assert.equal(pages, running.length * 4);
          assert.ok(pages <= window.limit);
          for (const { id } of running) {
            await pause(one, id);
          }
          await one.limits.reservations.settleLeft();
          assert.equal(await used(one), 0);
        }),
        { numRuns: rounds(15) },
      );
    },
  );
});

function unlessFull(error: unknown): void {
  if (!(error instanceof FullWindowsError)) {
    throw error;
  }
}
