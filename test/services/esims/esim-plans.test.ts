import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { countryNamed } from '../../../src/domain/phone/country-names.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { browsePlans, type PlanFilter } from '../../../src/services/esims/esim-plans.ts';
import { testClient } from '../../support/provider/provider-client.ts';
import { reasonOf } from '../../support/refusals.ts';

async function setUp(test: TestContext) {
  const sandbox = await startProvider();
  test.after(() => sandbox.stop());
  const { provider } = testClient(test, new URL(sandbox.url));
  const account = provider.account(new Secret(sandbox.account.key));
  const list = (filter: Partial<PlanFilter> = {}) => browsePlans(account, { page: 0, ...filter });
  return { sandbox, list };
}

const kenya = countryNamed('KE');

describe('the list of eSIM plans', () => {
  for (const status of [404, 405, 410, 501]) {
    it(`comes from the deprecated endpoint if the current one responds ${status}`, async (test) => {
      const { sandbox, list } = await setUp(test);
      sandbox.orderFault({ operation: 'esims.plans', fault: { kind: 'status', status }, times: Infinity });
      const answer = await list();
      assert.ok(answer.deprecated);
      assert.equal(answer.plans[0]?.productId, 'ng-1gb-7d');
      assert.equal(answer.plans[0]?.price, undefined);
    });
  }

  for (const status of [403, 429, 500]) {
    it(`does not come from the deprecated endpoint for a ${status}, as the current one exists`, async (test) => {
      const { sandbox, list } = await setUp(test);
      sandbox.orderFault({ operation: 'esims.plans', fault: { kind: 'status', status }, times: Infinity });
      assert.equal((await reasonOf(list())).kind, 'failed');
      assert.ok(sandbox.arrivals.every(({ operation }) => operation !== 'esims.plansDeprecated'));
    });
  }

  it('has one plan for the rows that the deprecated endpoint returns for each of its countries', async (test) => {
    const { sandbox, list } = await setUp(test);
    sandbox.orderFault({ operation: 'esims.plans', fault: { kind: 'status', status: 404 }, times: Infinity });
    const row = { name: 'Two countries', dataPlanType: 'REGION', dataUsageAllowance: 1, timeAllowance: 7 };
    const content = [
      { ...row, productId: 'two', country: 'Kenya', countryIso3: 'ken' },
      { ...row, productId: 'other', country: 'Ghana', countryIso3: 'GHA', dataPlanType: 'LOCAL' },
      { ...row, productId: 'two', country: 'Nigeria' },
      { ...row, productId: 'two', country: 'Somewhere' },
    ];
    sandbox.orderFault({ operation: 'esims.plansDeprecated', fault: { kind: 'answer', body: { content } } });
    const answer = await list({ type: 'REGION' });
    assert.deepEqual(answer.plans, [
      {
        productId: 'two',
        name: 'Two countries',
        data: 1,
        time: 7,
        type: 'REGION',
        countries: ['KEN', 'NGA'],
      },
    ]);
  });

  it('accepts missing fields, and keeps the price exactly as written', async (test) => {
    const { sandbox, list } = await setUp(test);
    const content = [
      { productId: 'bare' },
      {
        productId: 'full',
        name: 'Full',
        price: 12.5,
        currency: 'USD',
        supportedCountries: [{ country: 'Turkey' }],
      },
    ];
    const body = JSON.stringify({ status: 'Success', code: 200, data: { content } }).replace('12.5', '12.50');
    sandbox.orderFault({
      operation: 'esims.plans',
      fault: { kind: 'answer', headers: { 'content-type': 'application/json' }, body },
    });
    const answer = await list();
    assert.deepEqual(answer.plans, [
      { productId: 'bare', name: 'bare', countries: [] },
      { productId: 'full', name: 'Full', price: '12.50', currency: 'USD', countries: ['TUR'] },
    ]);
  });

  it('is requested by the country’s name, then by its codes, until one returns plans', async (test) => {
    const { sandbox, list } = await setUp(test);
    sandbox.orderFault({ operation: 'esims.plans', fault: { kind: 'status', status: 400 } });
    const none = { status: 'Success', code: 200, data: { content: [] } };
    sandbox.orderFault({ operation: 'esims.plans', fault: { kind: 'answer', body: none } });
    const answer = await list({ country: kenya, type: 'LOCAL' });
    assert.equal(answer.plans.length, 2);
    const asked = sandbox.arrivals.flatMap(({ operation, query }) =>
      operation === 'esims.plans' ? [query.country] : [],
    );
    assert.deepEqual(asked, ['Kenya', 'KEN', 'KE']);
  });
});
