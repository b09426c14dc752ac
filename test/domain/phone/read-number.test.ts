import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { type CountryCode, countries } from '../../../src/domain/phone/countries.ts';
import { toE164 } from '../../../src/domain/phone/phone-number.ts';
import { findNumber, readNumber } from '../../../src/domain/phone/read-number.ts';
import { rounds } from '../../support/sizes.ts';
import { exampleMobile } from './examples.ts';
import { spelled } from './spelling.ts';

function numberIn(text: string, country: CountryCode = 'NG'): string | undefined {
  const read = readNumber(text, country);
  return read.ok ? toE164(read.number) : undefined;
}

function reasonOf(text: string, country: CountryCode = 'NG'): string | undefined {
  const read = readNumber(text, country);
  return read.ok ? undefined : read.reason;
}

test('a number is read in every common spelling', () => {
  const spellings = [
    ...[
      '+2348031234567',
      '2348031234567',
      '08031234567',
      '8031234567',
      '002348031234567',
      '009 234 803 123 4567',
    ],
    ...[
      '0803 123 4567',
      '0803-123-4567',
      '0803.123.4567',
      '(0803) 123 4567',
      '0803/123/4567',
      '0803_123_4567',
      '0803 • 123 • 4567',
      '+234 (0)803 123 4567',
    ],
    ...[
      '+234 0803 123 4567',
      '(+234) 803-123-4567',
      '+ 234 803 123 4567',
      'tel:+234-803-123-4567',
      'TEL: 08031234567',
    ],
    ...[
      '\uFEFF+2348031234567',
      '\u202A+234 803\u2011123\u20114567\u202C',
      '0803\u00A0123\u00A04567',
      '\uFF0B2348031234567',
    ],
    ...[
      '٠٨٠٣١٢٣٤٥٦٧',
      '۰۸۰۳۱۲۳۴۵۶۷',
      '０８０３１２３４５６７',
      '०८०३१२३४५६७',
      '𝟶𝟾𝟶𝟹𝟷𝟸𝟹𝟺𝟻𝟼𝟽',
      ' 08031234567\t',
      '8031234567.0',
      '2348031234567.00',
    ],
  ];
  for (const text of spellings) {
    assert.equal(numberIn(text), '+2348031234567', text);
  }
});

test('every generated spelling is read as its number', () => {
  fc.assert(
    fc.property(spelled, ({ number, text }) => assert.equal(numberIn(text), number)),
    { numRuns: rounds(500) },
  );
});

test('numbers of every country are read as written there, and with a plus everywhere', () => {
  for (const { code } of countries) {
    const example = exampleMobile(code);
    const parsed = parsePhoneNumberWithError(toE164(example));
    assert.equal(numberIn(parsed.formatNational(), code), example);
    assert.equal(numberIn(parsed.formatInternational(), 'NG'), example);
    assert.equal(numberIn(`00${toE164(example).slice(1)}`, 'NG'), example);
    assert.equal(numberIn(toE164(example).slice(1), code), example);
  }
});

test('a local number belongs to the default country', () => {
  assert.equal(numberIn('024 123 4567', 'GH'), '+233241234567');
  assert.equal(numberIn('(202) 555-0123', 'US'), '+12025550123');
  assert.equal(numberIn('08031234567', 'GH'), undefined);
});

test('numbers of the sandbox are valid', () => {
  for (const number of ['+2348030009401', '+2348050000017']) {
    assert.equal(numberIn(number), number);
  }
});

test('a foreign number without a plus is accepted only if it cannot be anything else', () => {
  assert.equal(numberIn('2348031234567', 'GH'), '+2348031234567');
  assert.equal(numberIn('447911123456'), '+447911123456');
  // A landline in Tokyo and a mobile phone in Japan: more likely Nigerian numbers with too many digits.
  assert.equal(
    reasonOf('81312345678'),
    'is too long for a number in Nigeria; if it is a number in Japan, write +81312345678',
  );
  assert.equal(numberIn('8107094779907'), undefined);
  assert.equal(numberIn('44 7911 123456'), undefined);
});

test('an impossible number is refused with the reason', () => {
  const refusals: [string, string][] = [
    ['0803 123 456', 'is too short for a number in Nigeria'],
    ['+234803123456', 'is too short for a number in Nigeria'],
    ['234803123456', 'is too short for a number in Nigeria'],
    ['00234803123456', 'is too short for a number in Nigeria'],
    ['12345', 'is too short for a number in Nigeria'],
    ['080312345678', 'is too long for a number in Nigeria'],
    ['23480123456789', 'is too long for a number in Nigeria'],
    ['2349200000000', 'isn’t a valid number in Nigeria'],
    ['+44 7911 12345', 'is too short for a +44 number'],
    ['+1 803 111 00', 'is too short for a +1 number'],
    ['+999 123 4567', 'begins with a country code that does not exist'],
    ['+0803 123 4567', 'begins with a country code that does not exist'],
    ['+23', 'is too short for a phone number'],
    [
      '0803 123 4567 0805 123 4567',
      'is too long for one number: if these are several, put each on its own line',
    ],
    ['O8031234567', 'has letters among its digits'],
    ['0803 123 4567 ext 5', 'has letters among its digits'],
    ['Ada', 'is not a number'],
    ['', 'is not a number'],
    ['+', 'is not a number'],
    ['0803+1234567', 'is not a number'],
    ['*123#', 'is not a number'],
  ];
  for (const [text, reason] of refusals) {
    assert.equal(reasonOf(text), reason, text);
  }
});

test('a number that a spreadsheet shortened is refused with the remedy', () => {
  for (const text of ['8.03E+09', '2.34803E+12', '8,03E+09', '8E9', '8,031,234,567', '2,348,031,234,567']) {
    assert.equal(reasonOf(text), 'was shortened by Excel: format the column as text and export again', text);
  }
});

test('any text is read or refused with a reason, and `findNumber` agrees', () => {
  const country = fc.constantFrom<CountryCode>('NG', 'US', 'GB', 'DE', 'SN', 'KZ');
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[+0-9 ().\-/E,]{0,24}$/));
  fc.assert(
    fc.property(text, country, (text, country) => {
      const read = readNumber(text, country);
      assert.equal(read.ok ? read.number : undefined, findNumber(text, country));
      if (!read.ok) {
        assert.match(read.reason, /^(?:is|has|was|begins) /);
      }
    }),
    { numRuns: rounds(1000) },
  );
});
