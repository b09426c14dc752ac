import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitNumbersFromText } from '../../../src/domain/messages/numbers-then-text.ts';
import { readNumbers } from '../../../src/domain/phone/read-numbers.ts';
import { rounds } from '../../support/sizes.ts';
import { spelled } from '../phone/spelling.ts';

function check(text: string, numbersText: string, rest: string) {
  assert.deepEqual(splitNumbersFromText(text, 'NG'), { numbersText, rest }, text);
}

test('the message begins after the numbers and is left as typed', () => {
  check(
    '+2348031234567, +2348051234567 Hello there 123',
    '+2348031234567, +2348051234567',
    'Hello there 123',
  );
  check('0803 123 4567 0805 123 4567 Hi,\n\n  there  ', '0803 123 4567 0805 123 4567', 'Hi,\n\n  there  ');
  check('08031234567/08051234567 hi', '08031234567/08051234567', 'hi');
  check('(0803) 123-4567: "Hello", she said', '(0803) 123-4567:', '"Hello", she said');
  check('+2348031234567 /help me', '+2348031234567', '/help me');
  check('+2348031234567 ;) hi', '+2348031234567', ';) hi');
  check('\u202A+234 803 123 4567\u202C Hi', '\u202A+234 803 123 4567\u202C', 'Hi');
});

test('numbers may have *and* between them, and be links to a chat', () => {
  check('+2348031234567 and 0805 123 4567 Hello', '+2348031234567 and 0805 123 4567', 'Hello');
  check(
    '+2348031234567 & +2348051234567, and 08061234567 Hi',
    '+2348031234567 & +2348051234567, and 08061234567',
    'Hi',
  );
  check('https://wa.me/2348031234567 Hello', 'https://wa.me/2348031234567', 'Hello');
  check(
    '<https://wa.me/2348031234567?text=Hi> and wa.me/2348051234567 Hello',
    '<https://wa.me/2348031234567?text=Hi> and wa.me/2348051234567',
    'Hello',
  );
  for (const between of [
    ' àti ',
    ' et ',
    ' na ',
    ' da ',
    ' ne ',
    ' + ',
    '+',
    ' / ',
    ';',
    ' ; ',
    ' ;',
    ' ,',
    '&',
  ]) {
    const numbers = `08031234567${between}08051234567`;
    check(`${numbers} Hello`, numbers, 'Hello');
  }
  check('+2348031234567 na you get am', '+2348031234567', 'na you get am');
  check('+2348031234567 & 5 more', '+2348031234567', '& 5 more');
  check('+2348031234567 + 5 more', '+2348031234567', '+ 5 more');
  check('+2348031234567 na 5 bags', '+2348031234567', 'na 5 bags');
  const link = 'https://api.whatsapp.com/send?text=Hi&phone=2348031234567&app=1';
  check(`${link} Hello & welcome`, link, 'Hello & welcome');
  check('sms:+2348031234567 Hello', 'sms:+2348031234567', 'Hello');
  check('sms:+2348031234567?body=Hi Hello', 'sms:+2348031234567?body=Hi', 'Hello');
  check('+2348031234567 and so on', '+2348031234567', 'and so on');
  check('+2348031234567 and 5 more', '+2348031234567', 'and 5 more');
  check(
    '+2348031234567 https://example.com/2348051234567',
    '+2348031234567',
    'https://example.com/2348051234567',
  );
});

test('a message may begin with digits that are not a phone number', () => {
  check('+2348031234567 5 items are ready', '+2348031234567', '5 items are ready');
  check('+234 803 123 4567 5 items are ready', '+234 803 123 4567', '5 items are ready');
  check('+2348031234567, 1,000,000 naira', '+2348031234567,', '1,000,000 naira');
  check('+2348031234567 482913 is your code', '+2348031234567', '482913 is your code');
  check('+2348031234567 12/05/2026 is the day', '+2348031234567', '12/05/2026 is the day');
  check('+2348031234567 +1 for that', '+2348031234567', '+1 for that');
});

test('a message that begins with a phone number needs its own line', () => {
  check('+2348031234567\n08001234567 is our new line', '+2348031234567', '08001234567 is our new line');
  check(
    '0803 123 4567\n0805 123 4567\nHello\n08001234567',
    '0803 123 4567\n0805 123 4567',
    'Hello\n08001234567',
  );
});

test('an invalid number stays among the numbers, so that it is reported', () => {
  check('0803 123 456 Hello', '0803 123 456', 'Hello');
  check('+2348031234567, 080312345678 Hello', '+2348031234567, 080312345678', 'Hello');
  check('+2348031234567 2026123456 is your order', '+2348031234567 2026123456', 'is your order');
  check('O8031234567 Hello', 'O8031234567', 'Hello');
  check('+2348031234567, 08O5-l23-4567 Hello', '+2348031234567, 08O5-l23-4567', 'Hello');
  check('+2348031234567 OL123456 is your order', '+2348031234567', 'OL123456 is your order');
});

test('a text that does not begin with numbers is all message', () => {
  for (const text of ['Hello +2348031234567', '12345 hello', ' bulk', '']) {
    check(text, '', text);
  }
  check('+2348031234567 ', '+2348031234567', '');
});

test('numbers in any spelling are all found, and the message is unchanged', () => {
  const separator = fc.constantFrom(', ', ' ', ' , ', ';', ',', '|');
  const beforeMessage = fc.constantFrom(' ', ', ', ': ', '\n', '\n\n');
  const message = fc.tuple(fc.stringMatching(/^[A-Z]$/), fc.string()).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.array(spelled, { minLength: 1, maxLength: 5 }),
      separator,
      beforeMessage,
      message,
      (entries, separator, before, message) => {
        const numbers = entries.map(({ text }) => text).join(separator);
        const { numbersText, rest } = splitNumbersFromText(numbers + before + message, 'NG');
        assert.equal(rest, message);
        const read = readNumbers(numbersText, 'NG');
        assert.deepEqual(read.numbers, [...new Set(entries.map(({ number }) => number))]);
        assert.deepEqual(read.invalid, []);
      },
    ),
    { numRuns: rounds(500) },
  );
});

test('no text loses anything but separators', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[+0-9 ,\n()\-a:]{0,60}$/));
  fc.assert(
    fc.property(text, (text) => {
      const { numbersText, rest } = splitNumbersFromText(text, 'NG');
      assert.ok(text.endsWith(rest));
      const before = text.slice(0, text.length - rest.length);
      assert.equal(before.trim(), numbersText);
    }),
    { numRuns: rounds(1000) },
  );
});
