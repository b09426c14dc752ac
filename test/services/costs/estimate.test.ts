import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Route, routeSchema } from '../../../src/domain/messages/routes.ts';
import { nanosPerUnit, writeMoney } from '../../../src/domain/money/money.ts';
import type { CountryCode } from '../../../src/domain/phone/countries.ts';
import type { EnteredPrice, PriceScope } from '../../../src/services/costs/entered-prices.ts';
import {
  chargesOfSending,
  chooseEnteredPrice,
  estimateCost,
  medianCharge,
  type ReportedCharge,
} from '../../../src/services/costs/estimate.ts';

const routes = routeSchema.options;
const countries: CountryCode[] = ['NG', 'GH', 'KE'];
const scopes: PriceScope[] = [
  {},
  ...routes.flatMap((route) => [{ route }, ...countries.map((country) => ({ route, country }))]),
];
const price = (scope: PriceScope, amount = '1'): EnteredPrice => ({ scope, amount, enteredAt: 0 });
const aboutPrices = { entered: [], charges: [], balance: undefined, currency: undefined };

describe('the price that was entered', () => {
  const message = fc.record({
    route: fc.constantFrom(...routes),
    country: fc.constantFrom('NG', 'GH', 'KE', 'TZ', 'none', ''),
  });

  it('is the most specific one, whatever others there are, in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(scopes), message, (entered, { route, country }) => {
        const chosen = chooseEnteredPrice(
          entered.map((scope) => price(scope)),
          { route, country },
          'NGN',
        )?.scope;
        const has = (wanted: { route?: Route; country?: string }) =>
          entered.some((scope) => scope.route === wanted.route && scope.country === wanted.country);
        const expected = [{ route, country }, { route }, {}].find(has);
        assert.deepEqual(chosen, expected);
      }),
    );
  });

  it('is none in another currency than the account’s', () => {
    const entered = [price({ route: 'dnd' }, '0.02 USD'), price({}, '4 NGN')];
    const amountIn = (currency: string | undefined) =>
      chooseEnteredPrice(entered, { route: 'dnd', country: 'NG' }, currency)?.amount;
    assert.equal(amountIn('NGN'), '4 NGN');
    assert.equal(amountIn('USD'), '0.02 USD');
    assert.equal(amountIn(undefined), '0.02 USD');
    assert.equal(amountIn('EUR'), undefined);
  });
});

describe('the median of what was reported', () => {
  const charge = fc.record({
    route: fc.constantFrom<Route[]>('dnd', 'dnd', 'generic'),
    country: fc.constantFrom('NG', 'NG', 'GH'),
    // Few, so that there are often two pages in the middle.
    pages: fc.integer({ min: 1, max: 3 }),
    // Of a page, so that the pages of one charge have one exact price.
    each: fc.bigInt({ min: 1n, max: 10n ** 13n }),
  });

  it('is the lower median of all pages on the route to the country', () => {
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 20 }), (list) => {
        const charges = list.map(({ each, ...own }) => ({ ...own, nanos: each * BigInt(own.pages) }));
        const [route, country] = ['dnd' as const, 'NG'];
        const pages = list
          .filter((each) => each.route === route && each.country === country)
          .flatMap(({ pages: count, each }) => Array.from({ length: count }, () => each))
          .sort((one, other) => Number(one - other));
        const median = medianCharge(charges, { route, country });
        assert.equal(
          median && median.nanos / BigInt(median.pages),
          pages[Math.floor((pages.length - 1) / 2)],
        );
      }),
    );
  });

  it('leaves out what cost nothing, and what is of no known country', () => {
    const row = { messages: 1, free: 0, pages: 2 };
    const charged = [
      { ...row, country: 'NG', amount: '8.5' },
      { ...row, country: 'GH', amount: '0', free: 1, pages: 0 },
      { ...row, country: '', amount: '9' },
    ];
    assert.deepEqual(chargesOfSending({ charged }, 'dnd'), [
      { route: 'dnd', country: 'NG', pages: 2, nanos: 8_500_000_000n },
    ]);
  });
});

describe('an estimate', () => {
  const reported = (country: string, nanos: bigint): ReportedCharge => ({
    route: 'dnd',
    country,
    pages: 1,
    nanos,
  });

  it('takes a price that was entered before what was reported, by country', () => {
    const cost = estimateCost(
      { route: 'dnd', pages: { NG: 2, GH: 1, KE: 1 } },
      {
        entered: [price({ route: 'dnd', country: 'GH' }, '20.5 NGN')],
        charges: [reported('NG', 4_250_000_000n), reported('GH', 1n)],
        balance: undefined,
        currency: 'NGN',
      },
    );
    assert.ok(cost.kind === 'known');
    assert.equal(cost.total, '29 NGN');
    assert.deepEqual(
      cost.prices.map(({ country, perPage, source }) => [country, perPage, source.kind]),
      [
        ['NG', '4.25 NGN', 'reports'],
        ['GH', '20.5 NGN', 'entered'],
      ],
    );
    assert.deepEqual(cost.unknown, [{ country: 'KE', pages: 1 }]);
  });

  it('has the price for all also for pages whose country is not known', () => {
    const message = { route: 'voice', pages: { '': 3, none: 1 } } as const;
    const cost = estimateCost(message, { ...aboutPrices, entered: [price({}, '2.5')] });
    assert.equal(cost.kind === 'known' && cost.total, '10');
    assert.equal(estimateCost(message, { ...aboutPrices, charges: [reported('', 1n)] }).kind, 'unknown');
  });

  it('multiplies pages by prices exactly, and rounds once', () => {
    const pages = fc.integer({ min: 1, max: 1_000_000 });
    const micros = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(pages, micros, (count, each) => {
        const amount = writeMoney({ nanos: each * 1_000n });
        const cost = estimateCost(
          { route: 'dnd', pages: { NG: count } },
          { ...aboutPrices, entered: [price({}, amount)] },
        );
        assert.ok(cost.kind === 'known');
        const exact = each * 1_000n * BigInt(count);
        const step = exact < nanosPerUnit ? 1_000n : 10_000_000n;
        assert.equal(cost.total, writeMoney({ nanos: ((exact + step / 2n) / step) * step }));
        assert.equal(cost.prices[0]?.perPage, amount);
      }),
    );
  });

  it('does not say what a balance is enough for that is too low', () => {
    const at = new Date(0);
    const costWith = (amount: string | undefined, tooLowAt?: Date) => {
      const cost = estimateCost(
        { route: 'dnd', pages: { NG: 10 } },
        { ...aboutPrices, entered: [price({}, '4')], balance: { amount, at, tooLowAt } },
      );
      return cost.kind === 'known' && [cost.enoughFor, cost.isShort];
    };
    assert.deepEqual(costWith('43'), [10, false]);
    assert.deepEqual(costWith('40'), [10, false]);
    assert.deepEqual(costWith('39.9'), [undefined, true]);
    assert.deepEqual(costWith('-1'), [undefined, true]);
    assert.deepEqual(costWith('43', at), [undefined, false]);
    assert.deepEqual(costWith(undefined, at), [undefined, false]);
    assert.deepEqual(costWith('plenty'), [undefined, false]);
  });

  it('survives a charge of less than can be told apart', () => {
    const charges = [{ ...reported('NG', 1n), pages: 2 }];
    const cost = estimateCost(
      { route: 'dnd', pages: { NG: 1 } },
      { ...aboutPrices, charges, balance: { amount: '5', at: new Date(0) } },
    );
    assert.ok(cost.kind === 'known');
    assert.deepEqual([cost.total, cost.enoughFor], ['0', undefined]);
  });
});
