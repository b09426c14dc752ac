import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { CheckedBalance } from '../../../src/services/costs/balance.ts';
import { createCosts } from '../../../src/services/costs/costs.ts';
import type { CampaignSpending } from '../../../src/store/campaigns/campaign-queries.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const workspaceId = 'T1';
const number = '+2348031234567';
const message = { route: 'dnd', pages: { NG: 1 } } as const;

async function startCosts(test: TestContext) {
  const { clock: time, pass } = stoppedClock();
  const store = await temporaryStore(test, { time });
  const known: { connectedAt?: Date | undefined; checked?: CheckedBalance; campaigns: CampaignSpending[] } = {
    connectedAt: time.now(),
    campaigns: [],
  };
  const costs = createCosts(
    testContext({ ...store, campaigns: { ...store.campaigns, spendings: async () => known.campaigns } }),
    {
      workspaces: {
        connection: async () => known.connectedAt && { lastFour: '1234', by: 'U1', at: known.connectedAt },
      },
      checks: { last: async () => known.checked },
      prices: { list: async () => [] },
    },
  );
  let operations = 0;
  return {
    costs,
    known,
    pass,
    now: () => time.now().getTime(),
    async performs(balance: number | undefined, kind = 'sms.send') {
      operations += 1;
      const intent = { workspaceId, key: `click-${operations}`, kind, userId: 'U1' };
      await performIn(
        store.ledger,
        { ...intent, numbers: [number], summary: { route: 'dnd', recipients: 1 } },
        async () => ({
          state: 'accepted',
          providerId: `m${operations}`,
          pages: 1,
          balance: balance?.toString(),
        }),
      );
      pass(1);
    },
    /** Takes in what the provider charged for the last message. */
    async reports(cost: string) {
      const report = { providerId: `m${operations}`, number, status: 'DELIVERED', cost };
      await store.deliveries.record(workspaceId, [{ ...report, source: 'report' }]);
      await store.costs.count(async () => () => undefined, new AbortController().signal);
    },
    async priceOfPage() {
      const estimate = await costs.estimate(workspaceId, message);
      return estimate.kind === 'known' ? estimate.perPage : undefined;
    },
  };
}

describe('the balance', () => {
  it('stays through any number of operations that cost nothing', async (test) => {
    const { costs, performs } = await startCosts(test);
    await performs(1_000);
    for (let added = 0; added < 200; added += 1) {
      await performs(undefined, 'contacts.add');
    }
    assert.equal((await costs.balance(workspaceId))?.amount, '1000');
  });
});

describe('the price that reports show', () => {
  it('is that of the last 30 days', async (test) => {
    const { performs, reports, priceOfPage, pass } = await startCosts(test);
    await performs(undefined);
    assert.equal(await priceOfPage(), undefined);
    await reports('4.25');
    assert.equal(await priceOfPage(), '4.25');
    pass(29 * day);
    await performs(undefined);
    await reports('5');
    assert.equal(await priceOfPage(), '4.25', 'the lower of two');
    pass(2 * day);
    assert.equal(await priceOfPage(), '5');
    pass(30 * day);
    assert.equal(await priceOfPage(), undefined);
  });
});

describe('what was named under the key before', () => {
  it('is no balance and no price of the account that is connected now', async (test) => {
    const { costs, known, pass, now, performs, reports, priceOfPage } = await startCosts(test);
    await performs(1_000);
    await reports('4.25');
    const startedAt = now();
    pass(hour);
    const before = now();
    pass(hour);
    known.connectedAt = new Date(now());
    pass(hour);
    const campaign = {
      id: 'campaign-1',
      route: 'generic',
      startedAt,
      accepted: 5,
      unconfirmed: 0,
      inFlight: 1,
    };
    known.campaigns.push({ ...campaign, endedAt: now(), balance: { amount: '900', at: before } });
    assert.equal(await costs.balance(workspaceId), undefined);
    assert.equal(await priceOfPage(), undefined);
    known.campaigns[0] = { ...campaign, balance: { amount: '50', at: now() } };
    assert.equal((await costs.balance(workspaceId))?.amount, '50', 'it goes on under the new key');
  });

  it('is none while no key is connected', async (test) => {
    const { costs, known, performs, reports } = await startCosts(test);
    await performs(1_000);
    await reports('4.25');
    known.connectedAt = undefined;
    assert.deepEqual(await costs.estimate(workspaceId, message), {
      kind: 'unknown',
      unknown: [{ country: 'NG', pages: 1 }],
      balance: undefined,
    });
  });

  it('lends no currency to what was begun under another one', async (test) => {
    const { costs, known, pass, now } = await startCosts(test);
    const before = now();
    pass(hour);
    known.connectedAt = new Date(now());
    known.checked = { amount: '100 USD', from: now(), to: now() };
    const currencyOf = await costs.currencyAt(workspaceId);
    assert.equal(currencyOf(new Date(now())), 'USD');
    assert.equal(currencyOf(new Date(before)), undefined);
    assert.equal(await costs.currency(workspaceId), 'USD');
  });
});
