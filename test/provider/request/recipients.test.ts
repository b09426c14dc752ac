import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxRecipientsPerRequest } from '../../../src/domain/messages/chunk-size.ts';
import { phoneNumber, recipientList } from '../../../src/provider/request/input-fields.ts';
import { rounds } from '../../support/sizes.ts';

const number = fc.oneof(
  fc.stringMatching(/^[1-9]\d{6,14}$/),
  // Similar enough for repetitions within a list.
  fc.integer({ min: 0, max: 150 }).map((index) => String(234803000000000 + index * 256)),
);
const goodOrNot = fc.oneof(
  { weight: 200, arbitrary: number },
  { weight: 1, arbitrary: fc.stringMatching(/^[+0-9:/ ]{5,17}$/) },
  { weight: 1, arbitrary: fc.constantFrom('234803000001:', '234803000001/', '1234567890123456', '123456') },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, 2348030000011, ['2348030000011']) },
);

test('accepts 1 to 100 distinct phone numbers', () => {
  fc.assert(
    fc.property(fc.array(goodOrNot, { maxLength: 104, size: 'max' }), (to) => {
      const isGood =
        to.length >= 1 &&
        to.length <= 100 &&
        to.every((one) => phoneNumber.safeParse(one).success) &&
        new Set(to).size === to.length;
      const parsed = recipientList.safeParse(to);
      assert.equal(parsed.success, isGood);
      if (parsed.success) {
        assert.deepEqual(parsed.data, to);
      }
    }),
    { numRuns: rounds(250) },
  );
});

test('takes as many numbers as a chunk may have', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${2348030000000 + index}`);
  assert.equal(recipientList.safeParse(numbers(maxRecipientsPerRequest)).success, true);
  assert.equal(recipientList.safeParse(numbers(maxRecipientsPerRequest + 1)).success, false);
});

test('reports every fault of a list', () => {
  const faults = (to: unknown) =>
    recipientList.safeParse(to).error?.issues.map(({ path, message }) => [...path, message].join(' '));
  const form = 'must be 7 to 15 digits in international format, without + or spaces';
  assert.deepEqual(faults(['2348030000011', '+2348030000012', '2348030000011']), [
    `1 ${form}`,
    '2 repeats to[0]',
  ]);
  assert.deepEqual(faults(['2348030000011', 2348030000012, '2348030000011']), ['1 must be text']);
  assert.deepEqual(faults([]), ['must hold at least one number']);
  assert.deepEqual(faults(Array(101).fill('x')), ['must hold at most 100 numbers']);
  assert.deepEqual(faults('2348030000011'), ['must be a list of numbers']);
});

test('copies the caller’s list', () => {
  const given = ['2348030000011'];
  const taken = recipientList.parse(given);
  given.push('2348030000012');
  assert.deepEqual(taken, ['2348030000011']);
});
