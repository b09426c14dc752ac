import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findNumbers } from '../../../src/domain/phone/read-numbers.ts';
import { rounds } from '../../support/sizes.ts';
import { spelled } from './spelling.ts';

const ada = '+2348031234567';
const ben = '+2348051234567';

describe('phone numbers in running text', () => {
  for (const [text, ...expected] of [
    ['Please call Ada on 0803 123 4567 (or Ben: +234 805 123 4567).', ada, ben],
    ['08031234567,08051234567', ada, ben],
    ['0803-123-4567/0805.123.4567', ada, ben],
    ['_0803_123_4567_ and *0805_123_4567*', ada, ben],
    ['00234 803 123 4567', ada],
    ['2348031234567', ada],
    ['twice: 08031234567 and +2348031234567', ada],
    ['UK +44 7911 123456', '+447911123456'],
    ['UK 0044 7911 123456, or 447911123456', '+447911123456'],
    ['order 1234567890123 of 2026-11-21, card 4111 1111 1111 1111, N5,000'],
    ['order 447911123456 for ₦8031234567, $ 8051234567'],
    ['ref08031234567x'],
    [''],
    // Groups that begin with 00, as in any number.
    ['0803 123 0045', '+2348031230045'],
    ['+234 803 123 0045', '+2348031230045'],
    ['0703 001 2345', '+2347030012345'],
    ['00234 803 123 0045', '+2348031230045'],
    ['0815 222 3341 0807 554 0061 0809 333 1278', '+2348152223341', '+2348075540061', '+2348093331278'],
    ['0706 055 1209 0813 442 0082 0902 717 4453', '+2347060551209', '+2348134420082', '+2349027174453'],
    // Other digits beside a number.
    ['at 10 0803 123 4567 20 times, then 12 234 805 123 4567 (2 lines)', ada, ben],
    ['Ada-08031234567,Ben(0805 123 4567)', ada, ben],
    ['*0803 123 4567*_0805 123 4567_', ada, ben],
    ['0803 123 4567.Thanks', ada],
  ] as const) {
    it(`are found as expected in: ${text}`, () => {
      assert.deepEqual(findNumbers(text, 'NG'), expected);
    });
  }

  const said = fc.constantFrom(
    'call',
    'Please ring Ada on',
    'order 4711:',
    '12',
    '5 bags',
    'at 10:30',
    'on 21/11/2026',
    '2026-11-21',
    'costs ₦8,031,234,567',
    'N5,000',
    'card 4111 1111 1111 1111.',
    '.',
    '–',
    '(again)',
  );
  const between = fc.constantFrom(' ', '  ', ', ', '; ', '\n', ' / ', ' and ', ' – ', '. ', ' (', '\t');

  it('are all found, and nothing else, in any spelling and with any separators', () => {
    const piece = fc.oneof(
      spelled,
      said.map((text) => ({ number: undefined, text })),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, between), { maxLength: 8 }), (pieces) => {
        const text = pieces.map(([{ text }, space]) => text + space).join('');
        const written = pieces.flatMap(([{ number }]) => number ?? []);
        assert.deepEqual(findNumbers(text, 'NG'), [...new Set(written)], text);
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('are all found in a list separated by spaces only', () => {
    fc.assert(
      fc.property(fc.array(spelled, { maxLength: 8 }), (list) => {
        const text = list.map(({ text }) => text).join(' ');
        assert.deepEqual(findNumbers(text, 'NG'), [...new Set(list.map(({ number }) => number))], text);
      }),
      { numRuns: rounds(500) },
    );
  });
});
