import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBelow, readBalanceAlert } from '../../../src/services/costs/balance-alerts.ts';

const at = new Date(0);

describe('a balance is judged', () => {
  it('by its amount, whatever the currency is called', () => {
    const judged = (amount: string) => isBelow('1000', { amount, at });
    assert.equal(judged('999.99 NGN'), true);
    assert.equal(judged('1000 NGN'), false);
    assert.equal(judged('plenty'), undefined, 'not known');
  });

  it('as low once the provider refused something for it', () => {
    assert.equal(isBelow('1000', { amount: '5000', at, tooLowAt: at }), true);
    assert.equal(isBelow('1000', { at, tooLowAt: at }), true);
  });
});

describe('the form of an alert', () => {
  const form = { channelId: 'C1', below: '5,000.50' };

  it('takes an amount with separators', () => {
    assert.deepEqual(readBalanceAlert(form), { ok: true, alert: { channelId: 'C1', below: '5000.5' } });
  });

  it('says what is missing beside its field', () => {
    const faults = (changed: { channelId?: string | undefined; below?: string }) => {
      const read = readBalanceAlert({ ...form, ...changed });
      return read.ok ? [] : Object.keys(read.faults);
    };
    for (const below of ['much', '-5', '0', '5 NGN', '9'.repeat(30), '']) {
      assert.deepEqual(faults({ below }), ['below'], below);
    }
    assert.deepEqual(faults({ channelId: undefined }), ['channelId']);
    assert.deepEqual(faults({ channelId: undefined, below: '' }), ['channelId', 'below']);
  });
});
