import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Route } from '../../../src/domain/messages/routes.ts';
import { newestBalance } from '../../../src/services/costs/balance.ts';
import { medianPrice, observePrices } from '../../../src/services/costs/prices.ts';
import type { Spending } from '../../../src/services/costs/spendings.ts';

/** A message that began and ended within the hour of this number. */
function sent(
  hour: number,
  pages: number,
  balance: string | undefined,
  {
    route = 'dnd',
    country = 'NG',
    ...more
  }: Partial<Spending> & {
    route?: Route;
    country?: string | undefined;
  } = {},
): Spending {
  const [from, to] = [hour * 10, hour * 10 + 5];
  return {
    what: 'message',
    from,
    to,
    cost: { route, pages, country },
    balance: balance === undefined ? undefined : { amount: balance, at: to },
    ...more,
  };
}

function pricesOf(...spendings: Spending[]): string[] {
  return observePrices(spendings).map(
    ({ route, pages, fall }) => `${route} ${Number(fall.nanos) / 1e9 / pages}${fall.currency ?? ''}`,
  );
}

describe('a price is learned', () => {
  it('from one known balance to the next', () => {
    assert.deepEqual(pricesOf(sent(1, 1, '100'), sent(2, 2, '91.5')), ['dnd 4.25']);
    assert.deepEqual(pricesOf(sent(1, 1, '100 NGN'), sent(2, 2, '91.5 NGN')), ['dnd 4.25NGN']);
  });

  it('over messages that named no balance, on one route', () => {
    assert.deepEqual(pricesOf(sent(1, 1, '100'), sent(2, 2, undefined), sent(3, 2, '83')), ['dnd 4.25']);
  });

  it('from a campaign as a whole', () => {
    const campaign = sent(2, 100, '575', { what: 'campaign', firstBalance: '995.75' });
    assert.deepEqual(pricesOf(sent(1, 1, '1000'), campaign), ['dnd 4.25']);
  });

  it('past what was rejected', () => {
    assert.deepEqual(
      pricesOf(sent(1, 1, '100'), sent(2, 9, undefined, { cost: 'nothing' }), sent(3, 1, '96')),
      ['dnd 4'],
    );
  });
});

describe('nothing is learned', () => {
  const cases: Record<string, Spending[]> = {
    'from a first balance': [sent(1, 1, '100')],
    'from a rise': [sent(1, 1, '100'), sent(2, 1, '5095.75')],
    'from a balance that stayed': [sent(1, 1, '100'), sent(2, 1, '100')],
    'over an unconfirmed message': [
      sent(1, 1, '100'),
      sent(2, 1, undefined, { cost: 'unknown' }),
      sent(3, 1, '91.5'),
    ],
    'from an eSIM': [sent(1, 1, '2000'), sent(2, 1, '200', { what: 'esim', cost: 'unknown' })],
    'over several routes': [sent(1, 1, '100'), sent(2, 1, undefined, { route: 'generic' }), sent(3, 1, '90')],
    'over several countries': [sent(1, 1, '100'), sent(2, 1, undefined, { country: 'GH' }), sent(3, 1, '90')],
    'from a message to several countries, or to one that is not known': [
      sent(1, 1, '100'),
      { ...sent(2, 2, '70'), cost: { route: 'dnd', pages: 2, country: undefined } },
    ],
    'from requests that overlapped': [sent(1, 1, '100'), sent(2, 1, '91.5', { to: 40 }), sent(3, 1, '95.75')],
    'after what still goes on': [sent(1, 1, '100'), sent(2, 9, '90', { to: undefined }), sent(3, 1, '80')],
    'across two currencies': [sent(1, 1, '100 USD'), sent(2, 1, '95 NGN')],
    'from a balance that is no number': [sent(1, 1, 'plenty'), sent(2, 1, '95')],
    'from a campaign that was topped up': [
      sent(1, 1, '3000'),
      sent(2, 4800, '2700', { what: 'campaign', firstBalance: '2900', rose: true }),
    ],
    'from a campaign that was topped up before its first answer': [
      sent(1, 1, '3000'),
      sent(2, 4800, '2700', { what: 'campaign', firstBalance: '22500' }),
    ],
    'from a campaign whose first balance is not known': [
      sent(1, 1, '3000'),
      sent(2, 100, '2700', { what: 'campaign' }),
    ],
  };
  for (const [name, spendings] of Object.entries(cases)) {
    it(name, () => assert.deepEqual(pricesOf(...spendings), []));
  }
});

describe('for any course of sends, top-ups and gaps', () => {
  const steps = fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 90_000 }),
      pages: fc.integer({ min: 1, max: 500 }),
      topUp: fc.integer({ min: 0, max: 2 ** 40 }),
      names: fc.boolean(),
      route: fc.constantFrom<Route[]>('dnd', 'generic', 'voice', 'chatapp'),
    }),
    { maxLength: 40 },
  );

  it('every price is more than nothing, and nothing is learned from a rise', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let balance = 0n;
        const course = list.map(({ price, pages, topUp, names, route }, hour) => {
          balance += BigInt(topUp) - BigInt(price) * BigInt(pages);
          return sent(hour, pages, names ? `${balance}` : undefined, { route });
        });
        for (const { fall, pages } of observePrices(course)) {
          assert.ok(fall.nanos > 0n && pages > 0);
        }
        const rising = course.map((each, hour) => ({
          ...each,
          balance: { amount: `${hour}`, at: hour * 10 + 5 },
        }));
        assert.deepEqual(observePrices(rising), []);
      }),
    );
  });

  it('without a top-up, each route’s price is found exactly, whatever names no balance', () => {
    const prices: Readonly<Record<Route, bigint>> = {
      dnd: 425n,
      generic: 310n,
      voice: 1_999n,
      chatapp: 680n,
    };
    fc.assert(
      fc.property(steps, (list) => {
        let cents = 10n ** 12n;
        const course = list.map(({ pages, names, route }, hour) => {
          cents -= prices[route] * BigInt(pages);
          const amount = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
          return sent(hour, pages, names ? amount : undefined, { route });
        });
        for (const { route, fall, pages } of observePrices(course)) {
          assert.equal(fall.nanos, (prices[route] * BigInt(pages) * 10n ** 9n) / 100n);
        }
      }),
    );
  });
});

describe('the price that counts', () => {
  it('is the median of the latest, on the route', () => {
    const observed = (route: Route, ...cents: number[]) =>
      cents.map((each) => ({
        route,
        country: 'NG',
        pages: 1,
        at: 0,
        fall: { nanos: BigInt(each) * 10_000_000n },
      }));
    const all = [
      ...observed('dnd', 1, 1, 1, 1, 425, 425, 425, 9_000, 425, 425, 425, 425, 1),
      ...observed('voice', 2),
    ];
    assert.equal(medianPrice(all, { route: 'dnd', country: 'NG' })?.fall.nanos, 4_250_000_000n);
    assert.equal(medianPrice(all, { route: 'generic', country: 'NG' }), undefined);
    assert.equal(
      medianPrice(observed('dnd', 300, 500), { route: 'dnd', country: 'NG' })?.fall.nanos,
      3_000_000_000n,
      'the cheaper of two',
    );
  });
});

describe('a single observation', () => {
  const observed = (pages: number) => [
    {
      route: 'dnd',
      country: 'NG',
      pages,
      at: 0,
      fall: { nanos: 425n * 10_000_000n * BigInt(pages) },
    } as const,
  ];

  it('of a few pages is not believed: something else may have been paid meanwhile', () => {
    assert.equal(medianPrice(observed(9), { route: 'dnd', country: 'NG' }), undefined);
    assert.equal(medianPrice(observed(10), { route: 'dnd', country: 'NG' })?.pages, 10);
  });
});

describe('the newest balance', () => {
  it('is the last that was named, by anything', () => {
    const campaign = sent(2, 100, '575 NGN', { what: 'campaign' });
    assert.deepEqual(newestBalance([campaign, sent(1, 1, '1000 NGN')]), {
      amount: '575 NGN',
      at: new Date(25),
      before: undefined,
      tooLowAt: undefined,
    });
    assert.equal(newestBalance([sent(1, 1, undefined)]), undefined);
  });

  it('is the lower one where two were asked for together', () => {
    const [first, second] = [sent(1, 1, '95.75', { to: 30 }), sent(2, 1, '91.5')];
    const late = { ...first, balance: { amount: '95.75', at: 30 } };
    assert.equal(newestBalance([late, second])?.amount, '91.5');
    assert.equal(newestBalance([second, late])?.amount, '91.5');
  });

  it('tells what may have cost something since', () => {
    const order: Spending = { what: 'esim', from: 20, to: 25, cost: 'unknown' };
    const running: Spending = { what: 'campaign', from: 10, cost: 'unknown' };
    assert.equal(newestBalance([sent(1, 1, '100'), order])?.before, 'esim');
    assert.equal(newestBalance([order, sent(3, 1, '100')])?.before, undefined);
    assert.equal(newestBalance([running, sent(3, 1, '100')])?.before, 'campaign');
    assert.equal(newestBalance([sent(1, 1, '100'), { ...order, cost: 'nothing' }])?.before, undefined);
  });

  it('is too low where the provider said so since', () => {
    const refused: Spending = { what: 'message', from: 20, to: 25, cost: 'nothing', tooLowAt: 25 };
    assert.deepEqual(newestBalance([sent(1, 1, '3.15'), refused])?.tooLowAt, new Date(25));
    assert.deepEqual(newestBalance([refused]), { at: new Date(25), tooLowAt: new Date(25) });
    assert.equal(newestBalance([refused, sent(3, 1, '500')])?.tooLowAt, undefined);
  });
});
