import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { writeMoney } from '../../../src/domain/money/money.ts';
import { inAccountCurrency } from '../../../src/services/costs/account-currency.ts';
import { newestBalance } from '../../../src/services/costs/balance.ts';
import { lastsFor, spentSince } from '../../../src/services/costs/pace.ts';
import { ofCheck, type Spending } from '../../../src/services/costs/spendings.ts';

const quarter = 15 * 60_000;
const hour = 4 * quarter;

/** A message at a time in quarters of an hour, and the balance after it. */
function sent(at: number, amount: string | undefined): Spending {
  const to = at * quarter;
  const balance = amount === undefined ? undefined : { amount, at: to };
  return { what: 'message', from: to - 1, to, cost: 'unknown', balance };
}

const spent = (since: number, ...spendings: Spending[]) => {
  const found = spentSince(spendings, since * quarter);
  return found && writeMoney(found.money);
};

describe('what was spent', () => {
  it('is the sum of the falls of the balance since a time', () => {
    assert.equal(spent(0, sent(1, '100 NGN'), sent(2, '90.5 NGN'), sent(9, '40.25 NGN')), '59.75 NGN');
    assert.equal(spent(2, sent(1, '100'), sent(2, '90.5'), sent(9, '40.25')), '50.25');
  });

  it('does not count a top-up', () => {
    assert.equal(spent(0, sent(1, '100'), sent(2, '90'), sent(3, '1090'), sent(4, '1080')), '20');
  });

  it('counts what fell within the first quarter of an hour, and a campaign from its first answer', () => {
    assert.equal(spent(0, sent(1, '100'), sent(1.5, '60')), '40');
    const campaign = { ...sent(8, '575'), what: 'campaign' as const, from: 2 * quarter, firstBalance: '995' };
    assert.equal(spent(0, campaign), '420');
  });

  it('takes answers that came out of order for no spending of their own', () => {
    assert.equal(spent(0, sent(1, '100'), sent(5.1, '90'), sent(5.2, '94'), sent(5.3, '92')), '8');
  });

  it('has the share since of what fell from a figure before, but for a top-up', () => {
    assert.equal(spent(4, sent(0, '100'), sent(8, '60')), '20');
    assert.equal(spent(4, sent(0, '100'), sent(8, '60'), sent(9, '50')), '30');
    assert.equal(spent(4, sent(0, '100'), sent(8, '500'), sent(9, '490')), '10');
    assert.equal(spent(9, sent(0, '100'), sent(8, '60')), undefined);
    assert.equal(spentSince([sent(0, '100'), sent(8, '60')], 4 * quarter)?.isSpread, true);
    assert.equal(spentSince([sent(0, '100'), sent(8, '500'), sent(9, '490')], 4 * quarter)?.isSpread, false);
  });

  it('is not known without two figures, in two currencies, or where nothing fell', () => {
    assert.equal(spent(0, sent(1, '100')), undefined);
    assert.equal(spent(0, sent(1, '100 NGN'), sent(2, '90 USD')), undefined);
    assert.equal(spent(0, sent(1, '100'), sent(2, undefined), sent(3, '100')), undefined);
    assert.equal(spent(0, sent(1, 'plenty'), sent(2, '90')), undefined);
  });

  it('is exact where each fall has a quarter of an hour of its own, in any order', () => {
    const falls = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(falls, (list) => {
        let nanos = 10n ** 18n;
        const course = list.map((fall, index) => {
          nanos -= fall;
          return sent(index, writeMoney({ nanos }));
        });
        const sum = list.slice(1).reduce((total, fall) => total + fall, 0n);
        const found = spentSince(course.toReversed(), 0);
        assert.equal(found?.money.nanos ?? 0n, sum);
      }),
    );
  });
});

describe('how long a balance lasts', () => {
  it('is at the pace of a day', () => {
    const of = (nanos: bigint, currency?: string) => ({ nanos, currency });
    assert.equal(lastsFor(of(50n), of(100n)), 12 * hour);
    assert.equal(lastsFor(of(-5n), of(100n)), 0);
    assert.equal(lastsFor(of(50n, 'NGN'), of(100n)), undefined);
    assert.equal(lastsFor(of(50n), of(0n)), undefined);
  });
});

describe('a balance that the provider named when it was asked', () => {
  const check = (at: number, amount: string) => ofCheck({ amount, from: at * quarter - 1, to: at * quarter });

  it('is the newest where nothing named one since', () => {
    assert.equal(newestBalance([sent(1, '100'), check(2, '5000')])?.amount, '5000');
    assert.equal(newestBalance([check(2, '5000'), sent(3, '4996')])?.amount, '4996');
    assert.equal(newestBalance([check(2, '5000'), sent(3, undefined)])?.before, 'message');
  });

  it('ends that the balance was too low', () => {
    const refused: Spending = { ...sent(2, undefined), cost: 'nothing', tooLowAt: 2 * quarter };
    assert.notEqual(newestBalance([sent(1, '1'), refused])?.tooLowAt, undefined);
    assert.equal(newestBalance([sent(1, '1'), refused, check(3, '5000')])?.tooLowAt, undefined);
  });

  it('lends its currency to the figures that name none', () => {
    const amounts = (...spendings: Spending[]) =>
      inAccountCurrency(spendings).map(({ balance }) => balance?.amount);
    assert.deepEqual(amounts(sent(1, '100'), sent(2, undefined), check(3, '90 NGN')), [
      '100 NGN',
      undefined,
      '90 NGN',
    ]);
    assert.deepEqual(amounts(sent(1, '100 USD'), check(3, '90 NGN')), ['100 USD', '90 NGN']);
    assert.deepEqual(amounts(sent(1, '100'), check(3, '90')), ['100', '90']);
    assert.deepEqual(amounts(sent(1, 'plenty'), check(3, '90 NGN')), ['plenty', '90 NGN']);
  });
});
