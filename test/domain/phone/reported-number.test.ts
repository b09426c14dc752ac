import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { countries } from '../../../src/domain/phone/countries.ts';
import { toE164 } from '../../../src/domain/phone/phone-number.ts';
import { readReportedNumber } from '../../../src/domain/phone/read-number.ts';
import { exampleMobile } from './examples.ts';

const country = fc.constantFrom(...countries.map(({ code }) => code));

test('an international number is itself, however it is written, in any workspace', () => {
  fc.assert(
    fc.property(country, country, (code, own) => {
      const number = toE164(exampleMobile(code));
      const spaced = parsePhoneNumberWithError(number).formatInternational();
      for (const text of [
        number,
        number.slice(1),
        spaced,
        spaced.slice(1),
        ` ${number} `,
        `\u202A${spaced}`,
      ]) {
        assert.equal(readReportedNumber(text, own), number, text);
      }
    }),
  );
});

test('a number without its country is of the workspace', () => {
  for (const text of [
    '08030001177',
    '8030001177',
    '0803 000 1177',
    '(0803) 000-1177',
    '00234 803 000 1177',
  ]) {
    assert.equal(readReportedNumber(text, 'NG'), '+2348030001177', text);
  }
  assert.equal(readReportedNumber('0712345678', 'KE'), '+254712345678');
});

test('digits that are no number known here stay as they are', () => {
  assert.equal(readReportedNumber('15550000000', 'NG'), '+15550000000');
  assert.equal(readReportedNumber('+2349200000000', 'NG'), '+2349200000000');
  assert.equal(readReportedNumber('000000', 'NG'), '+000000');
});

test('a name and a short code are no number, and nothing throws or takes long', () => {
  for (const text of [
    '',
    'PalmMarket',
    'Shop 2348030001177',
    '55019',
    '+',
    '2'.repeat(18),
    '2 '.repeat(30_000),
  ]) {
    assert.equal(readReportedNumber(text, 'NG'), undefined, text.slice(0, 50));
  }
  const anything = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[\d ()+./-]{0,40}$/),
    fc.stringMatching(/^\d{6,15}$/),
  );
  fc.assert(
    fc.property(anything, country, (text, own) => {
      assert.match(readReportedNumber(text, own) ?? '+000000', /^\+\d{6,15}$/);
    }),
  );
});
