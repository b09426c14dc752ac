/** Tests of a table of text limits. */

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/support/arbitrary-text.ts';
import { letters } from '../examples.ts';

/** A text with its limit in characters, its pointer, and a function that runs the checks on it. */
export type TextLimit = [
  limit: number | undefined,
  pointer: string,
  put: (text: string) => string[],
  empty?: 'may be empty',
];

export function testTextLimits(which: string, limits: Record<string, TextLimit>): void {
  suite(`The texts ${which}`, () => {
    for (const [name, [limit, pointer, put, empty]] of Object.entries(limits)) {
      if (limit !== undefined) {
        test(`${name}: up to ${limit} characters`, () => {
          assert.deepEqual(put(letters(limit)), []);
          assert.deepEqual(put(letters(limit + 1)), [
            `[ERROR] must be less than ${limit + 1} characters [json-pointer:${pointer}]`,
          ]);
        });
      }
      test(`${name}: ${empty ?? 'may not be empty'}`, () => {
        const refused = [`[ERROR] must be more than 0 characters [json-pointer:${pointer}]`];
        assert.deepEqual(put(''), empty ? [] : refused);
        assert.deepEqual(put(ADDRESS.test(pointer) ? 'a:' : 'x'), []);
      });
    }

    test('count an emoji as one character', () => {
      const short = Object.values(limits).flatMap(([limit = Number.POSITIVE_INFINITY, pointer, put]) =>
        limit <= 300 && !ADDRESS.test(pointer) ? [{ limit, put }] : [],
      );
      const exactly = (count: number) =>
        fc.string({ unit: anyCharacter, minLength: count, maxLength: count });
      const cases = fc
        .constantFrom(...short)
        .chain(({ limit, put }) => fc.tuple(fc.constant(put), exactly(limit), exactly(1)));
      fc.assert(
        fc.property(cases, ([put, text, one]) => {
          assert.deepEqual(put(text), []);
          assert.equal(put(text + one).length, 1);
        }),
      );
    });
  });
}

const ADDRESS = /url$/;
