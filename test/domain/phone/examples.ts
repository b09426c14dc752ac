import assert from 'node:assert/strict';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getExampleNumber } from 'libphonenumber-js/max';
import type { CountryCode } from '../../../src/domain/phone/countries.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';

/** Returns the example of a mobile number in the country's numbering plan. */
export function exampleMobile(country: CountryCode): PhoneNumber {
  const example = getExampleNumber(country, examples);
  assert.ok(example, `no example for ${country}`);
  return phoneNumberSchema.parse(example.number);
}
