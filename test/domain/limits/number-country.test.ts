import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { noCountry, quickCountryOf } from '../../../src/domain/limits/number-country.ts';
import { countryOf, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';

test('any digits that a report may name have a country or none, and never throw', () => {
  const digits = fc.stringMatching(/^\d{6,15}$/);
  const ofShared = fc
    .tuple(fc.constantFrom('1', '7', '44', '39', '61', '212', '599'), fc.stringMatching(/^\d{5,12}$/))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(digits, ofShared), (number) => {
      assert.equal(typeof quickCountryOf(`+${number}`), 'string');
    }),
  );
});

test('what is no number has no country, before and after a number that begins as it does', () => {
  assert.equal(quickCountryOf('+15550000000'), noCountry);
  assert.equal(quickCountryOf('+1416555012'), noCountry);
  const number = phoneNumberSchema.parse('+14165550123');
  assert.deepEqual([countryOf(number), quickCountryOf(number)], ['CA', 'CA']);
  assert.equal(quickCountryOf('+1416555012'), noCountry);
});
