import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { showNumber } from '../../../src/domain/access/private-values.ts';
import { countries } from '../../../src/domain/phone/countries.ts';
import { countryOf, phoneNumberSchema, toDigits, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { exampleMobile } from './examples.ts';
import { spelled } from './spelling.ts';

const number = phoneNumberSchema.parse('+2348031234567');

test('a number has formats for the provider, for people and for the log', () => {
  assert.equal(toDigits(number), '2348031234567');
  assert.equal(showNumber(number, 'person'), '+234 803 123 4567');
  assert.equal(showNumber(number, 'record'), '+234803•••4567');
  assert.equal(countryOf(number), 'NG');
  assert.equal(countryOf(phoneNumberSchema.parse('+80012345678')), undefined);
});

test('only an existing number in E.164 is a phone number', () => {
  for (const wrong of [
    '2348031234567',
    '+234 803 123 4567',
    '08031234567',
    '+23480123456789',
    '+2349200000000',
    '',
    '+0',
  ]) {
    assert.equal(phoneNumberSchema.safeParse(wrong).success, false, wrong);
  }
});

test('a number is restored from its digits', () => {
  fc.assert(
    fc.property(spelled, ({ number }) => {
      assert.match(toDigits(number), /^\d+$/);
      assert.equal(phoneNumberSchema.parse(`+${toDigits(number)}`), number);
      assert.equal(showNumber(number, 'person').replaceAll(' ', ''), number);
    }),
  );
});

test('a mask shows the country, the beginning and the end, and nothing in between', () => {
  fc.assert(
    fc.property(spelled, ({ number }) => {
      const [shown = '', end = ''] = showNumber(number, 'record').split('•••');
      assert.equal(shown, toE164(number).slice(0, 7));
      assert.equal(end, toE164(number).slice(-4));
    }),
  );
});

test('a mask hides at least three digits of every number, and how many', () => {
  for (const { code } of countries) {
    const example = exampleMobile(code);
    const [beginning = '', end = '', ...more] = showNumber(example, 'record').split('•••');
    assert.deepEqual(more, []);
    assert.ok(toE164(example).startsWith(beginning) && toE164(example).endsWith(end), toE164(example));
    assert.ok(beginning.length + end.length <= toE164(example).length - 3, showNumber(example, 'record'));
  }
});
