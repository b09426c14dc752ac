import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findNumbers } from '../../src/rules/find-numbers.ts';

const ada = '+2348031234567';
const ben = '+2348051234567';

describe('phone numbers in running text', () => {
  for (const [text, ...expected] of [
    ['Please call Ada on 0803 123 4567 (or Ben: +234 805 123 4567).', ada, ben],
    ['08031234567,08051234567', ada, ben],
    ['0803-123-4567/0805.123.4567', ada, ben],
    ['00234 803 123 4567', ada],
    ['2348031234567', ada],
    ['twice: 08031234567 and +2348031234567', ada],
    ['UK +44 7911 123456', '+447911123456'],
    ['order 1234567890123 of 2026-11-21, card 4111 1111 1111 1111, N5,000'],
    ['ref08031234567x'],
    [''],
  ] as const) {
    it(`are found as they should be in: ${text}`, () => {
      assert.deepEqual(findNumbers(text, 'NG'), expected);
    });
  }

  it('are found wherever they stand among words', () => {
    const words = fc.array(
      fc.constantFrom('call', 'order', '12', 'at 10:30', ada, '0805 123 4567', '.', '–'),
    );
    fc.assert(
      fc.property(words, (said) => {
        const text = said.join(' . ');
        assert.deepEqual(
          findNumbers(text, 'NG').toSorted(),
          [ada, ben].filter((number) => said.includes(number === ada ? ada : '0805 123 4567')),
        );
      }),
    );
  });
});
