import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMoney, roundNanos, writeMoney } from '../../../src/domain/money/money.ts';

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
