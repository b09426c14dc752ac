import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  inAccountCurrency,
  newestBalance,
  ofCheck,
  type Spending,
} from '../../../src/services/costs/balance.ts';

/** A message that began and ended within the hour of this number. */
function sent(hour: number, amount: string | undefined, more: Partial<Spending> = {}): Spending {
  const [from, to] = [hour * 10, hour * 10 + 5];
  const balance = amount === undefined ? undefined : { amount, at: to };
  return { what: 'message', from, to, mayCost: true, balance, ...more };
}

const check = (hour: number, amount: string) => ofCheck({ amount, from: hour * 10, to: hour * 10 + 5 });

describe('the newest balance', () => {
  it('is the last that was named, by anything', () => {
    const campaign = sent(2, '575 NGN', { what: 'campaign' });
    assert.deepEqual(newestBalance([campaign, sent(1, '1000 NGN')]), {
      amount: '575 NGN',
      at: new Date(25),
      before: undefined,
      tooLowAt: undefined,
    });
    assert.equal(newestBalance([sent(1, undefined)]), undefined);
  });

  it('is the lower one where two were asked for together', () => {
    const late = sent(1, '95.75', { to: 30, balance: { amount: '95.75', at: 30 } });
    const second = sent(2, '91.5');
    assert.equal(newestBalance([late, second])?.amount, '91.5');
    assert.equal(newestBalance([second, late])?.amount, '91.5');
  });

  it('tells what may have cost something since', () => {
    const order: Spending = { what: 'esim', from: 20, to: 25, mayCost: true };
    const running: Spending = { what: 'campaign', from: 10, mayCost: true };
    assert.equal(newestBalance([sent(1, '100'), order])?.before, 'esim');
    assert.equal(newestBalance([order, sent(3, '100')])?.before, undefined);
    assert.equal(newestBalance([running, sent(3, '100')])?.before, 'campaign');
    assert.equal(newestBalance([sent(1, '100'), { ...order, mayCost: false }])?.before, undefined);
  });

  it('is too low where the provider said so since', () => {
    const refused = sent(2, undefined, { mayCost: false, tooLowAt: 25 });
    assert.deepEqual(newestBalance([sent(1, '3.15'), refused])?.tooLowAt, new Date(25));
    assert.deepEqual(newestBalance([refused]), { at: new Date(25), tooLowAt: new Date(25) });
    assert.equal(newestBalance([refused, sent(3, '500')])?.tooLowAt, undefined);
    assert.equal(newestBalance([sent(1, '1'), refused, check(3, '5000')])?.tooLowAt, undefined);
  });

  it('is the one that the provider named when it was asked, where nothing named one since', () => {
    assert.equal(newestBalance([sent(1, '100'), check(2, '5000')])?.amount, '5000');
    assert.equal(newestBalance([check(2, '5000'), sent(3, '4996')])?.amount, '4996');
    assert.equal(newestBalance([check(2, '5000'), sent(3, undefined)])?.before, 'message');
  });

  it('is in the currency that the provider named when it was asked', () => {
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
