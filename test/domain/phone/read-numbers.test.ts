import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePhoneNumberWithError } from 'libphonenumber-js/max';
import type { CountryCode } from '../../../src/domain/phone/countries.ts';
import { phoneNumberSchema, toDigits, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { describeInvalid, readNumbers } from '../../../src/domain/phone/read-numbers.ts';
import { rounds } from '../../support/sizes.ts';
import { exampleMobile } from './examples.ts';
import { spelled } from './spelling.ts';

const [ada, bayo, chi] = ['+2348031234567', '+2348051234567', '+2348061234567'];

function check(
  text: string,
  numbers: (string | undefined)[],
  invalid: string[] = [],
  country: CountryCode = 'NG',
) {
  const read = readNumbers(text, country);
  assert.deepEqual(read.numbers, numbers, text);
  assert.deepEqual(
    read.invalid.map((entry) => entry.text),
    invalid,
    text,
  );
}

test('numbers may have any separator', () => {
  for (const separator of [
    ',',
    ', ',
    ';',
    ' ; ',
    '\n',
    '\r\n',
    '\t',
    '|',
    ' ',
    ' / ',
    '/',
    ' and ',
    ' & ',
    '&',
    ' àti ',
    ' ATI ',
    ' et ',
    ' na ',
    ' da ',
    ' ne ',
    ' plus ',
    ' ; ',
    ',\n\n',
    '\u00A0',
  ]) {
    check(`08031234567${separator}+2348051234567`, [ada, bayo]);
    check(`+234 803 123 4567${separator}0805 123 4567`, [ada, bayo]);
  }
  for (const plus of ['+', ' + ', ' +', '+ ']) {
    check(`08031234567${plus}08051234567`, [ada, bayo]);
    check(`0803 123 4567${plus}2348051234567`, [ada, bayo]);
  }
  check('Ada na Bola: 08031234567', [ada]);
  check('Ada na Bola', [], ['Ada na Bola']);
  check(' ,;\n\t ', []);
});

test('numbers may be links to a chat, a call or a message', () => {
  check('https://api.whatsapp.com/send/?text=Hi%2C%20Ada&phone=%2B2348031234567&app_absent=0', [ada]);
  check('tel:+2348031234567;ext=5 and tel:08051234567;08061234567', [ada, bayo, chi]);
  check('whatsapp://send?phone=2348031234567&text=Hi, <whatsapp://send?phone=2348051234567|Bayo>', [
    ada,
    bayo,
  ]);
  check('<https://wa.me/2348031234567?text=Hello,%20there|Chat with us>; 08051234567', [ada, bayo]);
  check('sms:+2348031234567?body=Hi%20there sms:+2348051234567;?&body=Hi <sms:+2348061234567|Text Chi>', [
    ada,
    bayo,
    chi,
  ]);
  check('https://wa.me/2348031234567, wa.me/+2348051234567?text=Hello', [ada, bayo]);
  check(
    '<https://wa.me/2348031234567|wa.me/2348031234567> and https://api.whatsapp.com/send?phone=2348051234567&text=Hi%20there',
    [ada, bayo],
  );
  check('wa.me/08031234567|http://www.wa.me/2348061234567', [ada, chi]);
  check('Call wa.me/2348031234567', [ada], ['Call']);
});

test('spaces may be between numbers and inside them', () => {
  check('+234 803 123 4567, 0805 123 4567', [ada, bayo]);
  check('0803 123 4567 0805 123 4567 0806 123 4567', [ada, bayo, chi]);
  check('+234 803 123 4567 +234 805 123 4567', [ada, bayo]);
  check('2348031234567 08051234567 8061234567', [ada, bayo, chi]);
  check('234 8031234567 +234 08051234567', [ada, bayo]);
  check('(080) 3123 4567 (080) 5123 4567', [ada, bayo]);
  check('0803 - 123 - 4567', [ada]);
  check('+91 8031234567', ['+918031234567']);
  check('06 12 34 56 78 06 12 34 56 79', ['+33612345678', '+33612345679'], [], 'FR');
  check('202 555 0123 1 202 555 0124', ['+12025550123', '+12025550124'], [], 'US');
});

test('lists are read as copied from spreadsheets, chats and e-mails', () => {
  check('\uFEFFPhone: 08031234567\r\nPhone: 0805 123 4567\r\n', [ada, bayo]);
  check('Ada\t08031234567\tLagos\nBayo\t0805 123 4567\tIbadan', [ada, bayo]);
  check(`"08031234567","0805 123 4567",'0806 123 4567'`, [ada, bayo, chi]);
  check('Ada Obi: 0803 123 4567\nBayo – 0805-123-4567', [ada, bayo]);
  check('Ada Obi <08031234567>; "Bayo" <+2348051234567>', [ada, bayo]);
  check('1. 0803 123 4567\n2) 0805 123 4567\n• 0806 123 4567', [ada, bayo, chi]);
  check('[10:14, 12/03/2026] Ada: 0803 123 4567', [ada]);
  check('\u202A+234 803 123 4567\u202C, \u202A+234 805 123 4567\u202C', [ada, bayo]);
  check('tel:+2348031234567 tel:+234-805-123-4567 <tel:+2348061234567|0806 123 4567>', [ada, bayo, chi]);
});

test('a second spelling of a number is a duplicate', () => {
  const read = readNumbers('0803 123 4567, 08051234567\n+2348031234567; 234 803 123 4567', 'NG');
  assert.deepEqual(read, { numbers: [ada, bayo], invalid: [], duplicates: 2 });
});

test('an invalid entry is reported as typed, with the reason', () => {
  const { numbers, invalid } = readNumbers('0803 123 4567, banana split; 0805-123-45\n8.03E+09', 'NG');
  assert.deepEqual(numbers, [ada]);
  assert.deepEqual(invalid, [
    { text: 'banana split', reason: 'is not a number', problem: 'not_a_number' },
    { text: '0805-123-45', reason: 'is too short for a number in Nigeria', problem: 'too_short' },
    {
      text: '8.03E+09',
      reason: 'was shortened by Excel: format the column as text and export again',
      problem: 'shortened',
    },
  ]);
  check('8,031,234,567, 8,03E+09, 08031234567', [ada], ['8,031,234,567', '8,03E+09']);
  check('Name\tPhone\nAda\t08031234567', [ada], ['Name', 'Phone']);
  check('08031234567 banana 08051234567', [ada, bayo], ['banana']);
});

test('an impossible number is neither joined to its neighbour nor split', () => {
  check('08031234567 12345 08051234567', [ada, bayo], ['12345']);
  check('0803 123 456 0805 123 4567', [bayo], ['0803 123 456']);
  check('0803 123 4567 8 0805 123 4567', [bayo], ['0803 123 4567 8']);
  check('+234 803 123 456 0805 123 4567', [bayo], ['+234 803 123 456']);
  check('O803 123 4567 0805 123 4567', [bayo], ['O803 123 4567']);
  check('2348031234567 234805123456', [ada], ['234805123456']);
  check('+91 12345 8031234567', [], ['+91 12345 8031234567']);
  check('202 555 012 202 555 0124', [], ['202 555 012 202 555 0124'], 'US');
  // If numbers are short or differ in length, part of one can be another.
  check('74 53549 74 29472', [], ['74 53549 74 29472'], 'SB');
  check('5 030 1234 056 078', [], ['5 030 1234 056 078'], 'DE');
});

test('digits that can be split into numbers in more than one way are reported', () => {
  const text = '0239 48 0991 41 073495 4231';
  const reason = 'may be one number or several: put each on its own line, without spaces inside';
  assert.deepEqual(readNumbers(text, 'DE'), {
    numbers: [],
    invalid: [{ text, reason, problem: 'not_a_number' }],
    duplicates: 0,
  });
});

test('any list, in any spelling and with any separators, is read in order', () => {
  const separator = fc.constantFrom(',', ', ', ';', '\n', '\t', ' | ', ' ', '  ');
  fc.assert(
    fc.property(fc.array(fc.tuple(spelled, separator), { maxLength: 8 }), (entries) => {
      const text = entries.map(([{ text }, separator]) => text + separator).join('');
      const typed = entries.map(([{ number }]) => number);
      const read = readNumbers(text, 'NG');
      assert.deepEqual(read.numbers, [...new Set(typed)]);
      assert.deepEqual(read.invalid, []);
      assert.equal(read.duplicates, typed.length - read.numbers.length);
    }),
    { numRuns: rounds(500) },
  );
});

test('an invalid number is reported, and its neighbours are read', () => {
  const broken = spelled.map(({ text }) => text.replace(/\d$/, ''));
  fc.assert(
    fc.property(
      spelled,
      broken,
      spelled,
      fc.constantFrom(', ', '\n', ';', '\t'),
      (first, wrong, last, separator) => {
        const read = readNumbers([first.text, wrong, last.text].join(separator), 'NG');
        assert.deepEqual(read.numbers, [...new Set([first.number, last.number])]);
        assert.equal(read.invalid.length, 1);
      },
    ),
  );
});

test('numbers separated by spaces only are read exactly as typed, in many countries', () => {
  const codes: CountryCode[] = [
    'NG',
    'GH',
    'KE',
    'ZA',
    'CM',
    'SN',
    'CI',
    'EG',
    'GB',
    'FR',
    'DE',
    'ES',
    'US',
    'BR',
    'IN',
    'PH',
  ];
  const style = fc.constantFrom('national', 'international', 'digits', 'e164');
  const typed = fc.constantFrom(...codes).chain((code) =>
    fc.record({
      code: fc.constant(code),
      entries: fc.array(fc.tuple(fc.stringMatching(/^\d{3}$/), style), { minLength: 2, maxLength: 4 }),
    }),
  );
  fc.assert(
    fc.property(typed, ({ code, entries }) => {
      const known = new Set<string>();
      const texts = entries.map(([ending, style]) => {
        const changed = phoneNumberSchema.safeParse(toE164(exampleMobile(code)).slice(0, -3) + ending);
        const number = changed.success ? changed.data : exampleMobile(code);
        known.add(toE164(number));
        const parsed = parsePhoneNumberWithError(toE164(number));
        if (style === 'national') {
          return parsed.formatNational();
        }
        if (style === 'international') {
          return parsed.formatInternational();
        }
        return style === 'digits' ? toDigits(number) : toE164(number);
      });
      const read = readNumbers(texts.join(' '), code);
      assert.deepEqual(new Set(read.numbers.map(toE164)), known, texts.join(' '));
      assert.deepEqual(read.invalid, []);
    }),
    { numRuns: rounds(500) },
  );
});

test('any text results in numbers and reports of what was typed, and no digits are lost', () => {
  const text = fc.stringMatching(/^[+0-9 ,\n()\-a:]{0,60}$/);
  fc.assert(
    fc.property(text, (text) => {
      const { numbers, invalid } = readNumbers(text, 'NG');
      assert.equal(new Set(numbers).size, numbers.length);
      const typed = text.replaceAll(' ', '');
      for (const entry of invalid) {
        assert.ok(typed.includes(entry.text.replaceAll(' ', '')), entry.text);
      }
      if (/\d/.test(text)) {
        assert.ok(numbers.length + invalid.length > 0);
      }
    }),
    { numRuns: rounds(1000), examples: [['0) +']] },
  );
});

test('names each reason once, with the texts that have it', () => {
  const described = (text: string) => describeInvalid(readNumbers(text, 'NG').invalid);
  assert.equal(described('12345'), '“12345” is too short for a number in Nigeria.');
  assert.equal(
    described('12345, Ada, 0803, 99999'),
    '“12345”, “0803”, and “99999”: too short for a number in Nigeria. “Ada” is not a number.',
  );
  assert.equal(
    described('1\n2\n3\n4\n5\n6\n7'),
    '“1”, “2”, “3”, “4”, and “5”: too short for a number in Nigeria. And 2 more.',
  );
});
