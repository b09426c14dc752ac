import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeBalance, readBalanceAlert } from '../../../src/services/costs/balance-alerts.ts';

const hour = 60 * 60_000;
const at = new Date(0);

describe('a balance is judged', () => {
  const judged = (below: string | undefined, amount: string | undefined, lasts?: number, tooLowAt?: Date) => {
    const { isLow, isShort } = judgeBalance(
      { below, withinADay: true },
      { balance: { amount, at, tooLowAt }, lastsFor: lasts && lasts * hour },
    );
    return [isLow, isShort];
  };

  it('by its amount, whatever the currency is called', () => {
    assert.deepEqual(judged('1000', '999.99 NGN'), [true, false]);
    assert.deepEqual(judged('1000', '1000 NGN'), [false, false]);
    assert.deepEqual(judged(undefined, '-5'), [false, false]);
    assert.deepEqual(judged('1000', 'plenty'), [undefined, false], 'not known');
  });

  it('by how long it lasts, which has to become clearly longer', () => {
    assert.deepEqual(judged(undefined, '5', 23.9), [false, true]);
    assert.deepEqual(judged(undefined, '5', 24), [false, undefined], 'as before');
    assert.deepEqual(judged(undefined, '5', 36), [false, false]);
    assert.deepEqual(judged(undefined, '5'), [false, false], 'nothing is spent');
  });

  it('as low once the provider refused something for it', () => {
    assert.deepEqual(judged('1000', '5000', 99, at), [true, true]);
    assert.deepEqual(judged(undefined, undefined, undefined, at), [false, true]);
  });
});

describe('the form of an alert', () => {
  const form = { channelId: 'C1', below: '5,000.50', withinADay: false };

  it('takes an amount with separators', () => {
    assert.deepEqual(readBalanceAlert(form), {
      ok: true,
      alert: { channelId: 'C1', below: '5000.5', withinADay: false },
    });
    assert.deepEqual(readBalanceAlert({ ...form, below: ' ', withinADay: true }), {
      ok: true,
      alert: { channelId: 'C1', below: undefined, withinADay: true },
    });
  });

  it('says what is missing beside its field', () => {
    const faults = (changed: Partial<typeof form>) => {
      const read = readBalanceAlert({ ...form, ...changed });
      return read.ok ? [] : Object.keys(read.faults);
    };
    for (const below of ['much', '-5', '0', '5 NGN', '9'.repeat(30)]) {
      assert.deepEqual(faults({ below }), ['below'], below);
    }
    assert.deepEqual(faults({ below: '' }), ['below']);
    const read = readBalanceAlert({ ...form, channelId: undefined });
    assert.deepEqual(read, { ok: false, faults: { channel: 'Choose a channel.' } });
  });
});
