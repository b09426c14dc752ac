import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCost, readMoney, roundNanos, writeMoney } from '../../../src/domain/money/money.ts';

test('money that is read and written stays what it is', () => {
  const amount = fc.tuple(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.constantFrom(undefined, 'NGN'),
  );
  fc.assert(
    fc.property(amount, ([nanos, currency]) => {
      const money = { nanos, ...(currency === undefined ? {} : { currency }) };
      assert.deepEqual(readMoney(writeMoney(money)), money);
    }),
  );
});

test('decimals have no dust, and no zeros at the end', () => {
  const difference = (readMoney('25000')?.nanos ?? 0n) - (readMoney('24995.75')?.nanos ?? 0n);
  assert.equal(writeMoney({ nanos: difference, currency: 'NGN' }), '4.25 NGN');
  assert.equal(writeMoney({ nanos: roundNanos(difference / 3n, 4) }), '1.4167');
});

test('what is no plain decimal is no money', () => {
  for (const text of ['', 'NGN', '1,000', '₦10', '1e5', '1.', '.5', '10 naira', '1'.repeat(16)]) {
    assert.equal(readMoney(text), undefined, text);
  }
});

test('a cost is read with any number of decimals, rounded to those that are counted', () => {
  const costs: Record<string, string> = {
    '4.25': '4.25',
    '4.250': '4.250',
    ' 0 ': '0',
    '4.1499999999999995': '4.15',
    '3.9000000004999999': '3.9',
    '3.9000000005': '3.900000001',
    '0.0000000004': '0',
    '0.1234567': '0.1234567',
    '5.0E-4': '0.0005',
    '1.25e1': '12.5',
    '1e-7': '0.0000001',
    '1e-99': '0',
  };
  for (const [text, cost] of Object.entries(costs)) {
    assert.equal(readCost(text), cost, text);
  }
  for (const none of [
    '',
    'free',
    '-1',
    '1,000',
    '1.',
    '.5',
    '4.25 NGN',
    '1.1e9',
    '1e99',
    '1234567890',
    '1'.repeat(41),
  ]) {
    assert.equal(readCost(none), undefined, none);
  }
});

test('whatever is read as a cost is counted, and is no further off than half a billionth', () => {
  const decimal = fc.stringMatching(/^\d{1,9}\.\d{1,20}$/);
  fc.assert(
    fc.property(decimal, (text) => {
      const counted = readMoney(readCost(text) ?? '')?.nanos ?? assert.fail(text);
      const [whole = '', fraction = ''] = text.split('.');
      const exact = BigInt(whole + fraction.padEnd(20, '0'));
      const off = counted * 10n ** 11n - exact;
      assert.ok(2n * (off < 0n ? -off : off) <= 10n ** 11n, text);
    }),
  );
});
