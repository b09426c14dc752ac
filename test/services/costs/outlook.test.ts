import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createTime } from '../../../src/lib/time/trusted-time.ts';
import type { CheckedBalance } from '../../../src/services/costs/balance-checks.ts';
import { createCosts } from '../../../src/services/costs/costs.ts';
import type { CampaignSpending } from '../../../src/store/campaigns/campaign-spendings.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const workspaceId = 'T1';

async function startCosts(test: TestContext) {
  const { clock, pass } = stoppedClock();
  const time = createTime(clock);
  const store = await temporaryStore(test, { time });
  const known: { connectedAt?: Date | undefined; checked?: CheckedBalance; campaigns: CampaignSpending[] } = {
    connectedAt: time.now(),
    campaigns: [],
  };
  const costs = createCosts({
    ledger: store.ledger,
    campaigns: { spendings: async () => known.campaigns },
    store: store.costs,
    workspaces: {
      connection: async () => known.connectedAt && { lastFour: '1234', by: 'U1', at: known.connectedAt },
    },
    checks: { last: async () => known.checked },
    accountCurrency: undefined,
    restoredAt: undefined,
    clock: time.now,
  });
  let operations = 0;
  return {
    costs,
    known,
    pass,
    now: () => time.now().getTime(),
    async performs(
      balance: number | undefined,
      kind = 'sms.send',
      { pages, ...sent }: { pages?: number; summary?: { route: string }; numbers?: readonly string[] } = {},
    ) {
      operations += 1;
      await store.ledger.perform(
        { workspaceId, key: `click-${operations}`, kind, userId: 'U1', summary: {}, ...sent },
        async () => ({ state: 'accepted', pages, balance: balance?.toString() }),
      );
      pass(1);
    },
  };
}

describe('the outlook of a balance', () => {
  it('is of the whole last day, however much was sent in it', async (test) => {
    const { costs, performs, pass } = await startCosts(test);
    for (let sent = 0; sent < 300; sent += 1) {
      await performs(1_000 - sent);
      pass(4 * minute);
    }
    const { balance, spentInADay, lastsFor } = await costs.outlook(workspaceId);
    assert.equal(balance?.amount, '701');
    assert.equal(spentInADay, '299');
    assert.equal(Math.floor((lastsFor ?? 0) / hour), 56);
  });

  it('is of the last day alone: what fell since a figure from before is spread over its time', async (test) => {
    const { costs, performs, pass } = await startCosts(test);
    await performs(2_000);
    pass(hour);
    await performs(1_000);
    pass(30 * hour);
    await performs(900);
    pass(hour);
    await performs(850);
    const outlook = await costs.outlook(workspaceId);
    // 23 of the 30 hours in which 100 were spent, and 50 since.
    assert.equal(outlook.spentInADay, '126.67');
    assert.equal(outlook.isSpread, true);
  });

  it('knows the pace of a campaign that has been sent for more than a day', async (test) => {
    const { costs, known, pass, now } = await startCosts(test);
    const startedAt = now();
    pass(48 * hour);
    known.campaigns.push({
      id: 'campaign-1',
      route: 'generic',
      startedAt,
      recipients: 1_000,
      accepted: 500,
      unconfirmed: 0,
      inFlight: 1,
      pages: 1_000,
      fewestPages: 1,
      mostPages: 1,
      firstBalance: '1000',
      balance: { amount: '200', at: now() },
      balanceRose: false,
    });
    const outlook = await costs.outlook(workspaceId);
    assert.equal(outlook.spentInADay, '400');
    assert.equal(Math.round((outlook.lastsFor ?? 0) / hour), 12);
  });

  it('keeps the balance through any number of operations that cost nothing', async (test) => {
    const { costs, performs } = await startCosts(test);
    await performs(1_000);
    for (let added = 0; added < 200; added += 1) {
      await performs(undefined, 'contacts.add');
    }
    assert.equal((await costs.outlook(workspaceId)).balance?.amount, '1000');
    assert.equal((await costs.balance(workspaceId))?.amount, '1000');
  });
});

describe('an estimate', () => {
  it('keeps the digits of a page that costs a fraction of a unit', async (test) => {
    const { costs, performs } = await startCosts(test);
    await performs(10, 'sms.send');
    await performs(9.55, 'sms.send', { pages: 100, summary: { route: 'dnd' }, numbers: ['+2348031234567'] });
    const estimate = await costs.estimate(workspaceId, { route: 'dnd', pages: { NG: 1 } });
    assert.equal(estimate.kind === 'known' && estimate.total, '0.0045');
    const many = await costs.estimate(workspaceId, { route: 'dnd', pages: { NG: 1_001 } });
    assert.equal(many.kind === 'known' && many.total, '4.5');
  });
});

describe('what was named under the key before', () => {
  const campaign: CampaignSpending = {
    id: 'campaign-1',
    route: 'generic',
    startedAt: 0,
    recipients: 10,
    accepted: 5,
    unconfirmed: 0,
    inFlight: 1,
    pages: 10,
    fewestPages: 1,
    mostPages: 1,
    balanceRose: false,
  };

  it('is no balance of the account that is connected now', async (test) => {
    const { costs, known, pass, now, performs } = await startCosts(test);
    await performs(1_000);
    const startedAt = now();
    pass(hour);
    const before = now();
    pass(hour);
    known.connectedAt = new Date(now());
    pass(hour);
    known.campaigns.push({
      ...campaign,
      startedAt,
      endedAt: now(),
      firstBalance: '990',
      balance: { amount: '900', at: before },
    });
    assert.deepEqual(await costs.outlook(workspaceId), {
      balance: undefined,
      spentInADay: undefined,
      isSpread: undefined,
      lastsFor: undefined,
    });
    known.campaigns[0] = {
      ...campaign,
      startedAt,
      firstBalance: '990',
      balance: { amount: '50', at: now() },
    };
    const { balance, spentInADay } = await costs.outlook(workspaceId);
    assert.deepEqual([balance?.amount, spentInADay], ['50', undefined], 'it goes on under the new key');
  });

  it('is none while no key is connected', async (test) => {
    const { costs, known, pass, performs } = await startCosts(test);
    await performs(1_000);
    pass(hour);
    await performs(10);
    pass(hour);
    assert.equal((await costs.outlook(workspaceId)).spentInADay, '990');
    known.connectedAt = undefined;
    const { balance, spentInADay } = await costs.outlook(workspaceId);
    assert.deepEqual([balance, spentInADay], [undefined, undefined]);
    const estimate = await costs.estimate(workspaceId, { route: 'dnd', pages: { NG: 1 } });
    assert.deepEqual(estimate, { kind: 'unknown', balance: undefined });
  });

  it('lends no currency to what was begun under another one', async (test) => {
    const { costs, known, pass, now } = await startCosts(test);
    const before = now();
    pass(hour);
    known.connectedAt = new Date(now());
    known.checked = { amount: '100 USD', from: now(), to: now() };
    const currencyOf = await costs.currencyAt(workspaceId);
    assert.equal(currencyOf(now()), 'USD');
    assert.equal(currencyOf(before), undefined);
  });
});
