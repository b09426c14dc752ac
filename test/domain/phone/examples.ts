import assert from 'node:assert/strict';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getExampleNumber } from 'libphonenumber-js/max';
import type { CountryCode } from '../../../src/domain/phone/countries.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';

/** The number that the numbering plan of a country gives as an example of a mobile phone. */
export function exampleMobile(country: CountryCode): PhoneNumber {
  const example = getExampleNumber(country, examples);
  assert.ok(example, `no example for ${country}`);
  return phoneNumberSchema.parse(example.number);
}
