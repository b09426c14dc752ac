import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import metadata from 'libphonenumber-js/max/metadata';
import { z } from 'zod';
import { type CountryCode, callingCodeOf, countries } from '../../../src/domain/phone/countries.ts';
import { toE164 } from '../../../src/domain/phone/phone-number.ts';
import { findPlainMobile } from '../../../src/domain/phone/plain-mobile.ts';
import { readNumber } from '../../../src/domain/phone/read-number.ts';
import { readNumbers } from '../../../src/domain/phone/read-numbers.ts';
import { rounds } from '../../support/sizes.ts';
import { exampleMobile } from './examples.ts';

/** Returns every pattern that the library has for a country: of all numbers, of fixed lines, of mobiles and so on. */
function patternsOf(country: CountryCode): string[] {
  const plan = z.array(z.unknown()).parse(metadata.countries[country]);
  const types = z.array(z.unknown()).catch([]).parse(plan[11]);
  return [plan[2], ...types.map((type) => z.array(z.unknown()).catch([]).parse(type)[0])].flatMap(
    (pattern) => (typeof pattern === 'string' && pattern !== '' ? [pattern] : []),
  );
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });

/** Generates numbers of a country, some slightly wrong, after the prefixes dialled there, some slightly wrong. */
function spellings(country: CountryCode): fc.Arbitrary<string> {
  const plan = z.array(z.unknown()).parse(metadata.countries[country]);
  const code = callingCodeOf(country);
  const atHome = typeof plan[5] === 'string' ? plan[5] : '0';
  const likely = fc.constantFrom('', `+${code}`, code, atHome);
  const others = fc.constantFrom('+', '00', `00${code}`, `${code}${atHome}`, `+${code}${atHome}`, '1', '8');
  const numbers = patternsOf(country).map((pattern) => fc.stringMatching(new RegExp(`^(?:${pattern})$`)));
  const [mobile = digits(4, 14)] = numbers.slice(2);
  const nearly = fc
    .tuple(fc.oneof(...numbers), fc.nat(14), digits(0, 2), fc.nat(1))
    .map(([number, at, more, taken]) => number.slice(0, at) + more + number.slice(at + taken));
  return fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: likely }, others),
      fc.oneof({ weight: 4, arbitrary: mobile }, ...numbers, nearly, digits(4, 14)),
    )
    .map((pieces) => pieces.join(''));
}

/** Splits a text into groups of these lengths, joined by these separators, both in rotation. */
function withGaps(text: string, lengths: readonly number[], between: readonly string[]): string {
  let written = '';
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    written += (at === 0 ? '' : between[turn % between.length]) + text.slice(at, at + length);
    at += length;
  }
  return written;
}

describe('the fast path for mobile numbers', () => {
  it('agrees with the full parser or returns nothing, in every country', () => {
    for (const { code } of countries) {
      fc.assert(
        fc.property(spellings(code), (text) => {
          const short = findPlainMobile(text, code);
          if (short !== undefined) {
            assert.deepEqual(readNumber(text, code), { ok: true, number: short }, `${text} in ${code}`);
            const beside = { numbers: [short], invalid: [], duplicates: 0 };
            assert.deepEqual(readNumbers(`${text} `, code), beside, `${text} in ${code}`);
          }
        }),
        { numRuns: rounds(60) },
      );
    }
  });

  it('agrees with the full parser on numbers with spaces and dashes', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    const gaps = fc.array(fc.constantFrom(' ', ' ', '-'), { minLength: 1 });
    for (const { code } of countries) {
      const gapped = fc
        .tuple(spellings(code), lengths, gaps)
        .map(([text, groups, between]) => withGaps(text, groups, between));
      fc.assert(
        fc.property(gapped, (text) => {
          // A space at the end disables the fast path.
          assert.deepEqual(readNumbers(text, code), readNumbers(`${text} `, code), `${text} in ${code}`);
        }),
        { numRuns: rounds(12) },
      );
    }
  });

  it('accepts the example of each country with a plain plan, and Nigerian numbers as files have them', () => {
    const open = countries.filter(
      ({ code }) => findPlainMobile(toE164(exampleMobile(code)), code) !== undefined,
    );
    assert.ok(open.length > 150, `only ${open.length}`);
    for (const text of ['+2348031234567', '2348031234567', '08031234567', '8031234567']) {
      assert.equal(findPlainMobile(text, 'NG'), '+2348031234567');
    }
  });

  it('leaves other formats, foreign numbers and impossible numbers to the full parser', () => {
    for (const text of [
      '0803 123 4567',
      '+447911123456',
      '0023408031234567',
      '0803123456',
      '08001234567',
      '',
    ]) {
      assert.equal(findPlainMobile(text, 'NG'), undefined, text);
    }
    assert.equal(findPlainMobile('+12025550123', 'US'), undefined);
  });
});
