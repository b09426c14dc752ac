import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hideCode, looksLikeOneTimeCode, spaceCode } from '../../../src/domain/otp/one-time-code.ts';

test('texts with a one-time code are recognised', () => {
  const texts = [
    ...[
      'Your code is 482913',
      'code:482913',
      'Code - 482913',
      '482913 is your code',
      '482913 is your Acme Bank code',
    ],
    ...[
      'OTP: 4829',
      '482913 is your OTP.',
      'Your OTP is 482913, valid 10 minutes',
      'Your PIN is 1234',
      'Enter passcode 4829',
    ],
    ...[
      'Your Acme verification code: 482-913. Do not share it.',
      'G-482913 is your verification code',
      'Use token 482913',
    ],
    ...[
      'Use 482913 to verify your phone',
      'Your login code 12345678',
      'Your one-time password is below:\n482913',
    ],
    ...['Your code is 4 8 2 9 1 3'],
  ];
  for (const text of texts) {
    assert.ok(looksLikeOneTimeCode(text), text);
  }
});

test('texts that only resemble one are not recognised', () => {
  const texts = [
    ...[
      'Use promo code 2026 for 20% off',
      'Use code 5000 at checkout',
      'Sale until 2026! Code SAVE20',
      'Your tracking code: 48291373',
    ],
    ...[
      'Your order 482913 is ready',
      'Your order 482913 came; never share your OTP',
      'Never share your PIN or OTP. Call 08031234567',
    ],
    ...[
      'Your zip code 10001',
      'Area code 0803',
      'Use code *4829#',
      'Dress code casual, 12/05/2026',
      'Your OTP expires soon',
    ],
    ...[
      'Pay ₦5000 with your PIN',
      'Password protected transfer of 50000 naira',
      'Our office: 1234 Code Street',
      'Hello there 123',
    ],
    '',
  ];
  for (const text of texts) {
    assert.ok(!looksLikeOneTimeCode(text), text);
  }
});

test('a code has 4 to 8 digits, and a text without digits has none', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z .:]*code is[a-z .:]*$/), (text) =>
      assert.ok(!looksLikeOneTimeCode(text)),
    ),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,12}$/), (digits) => {
      const isCode = digits.length >= 4 && digits.length <= 8;
      assert.equal(looksLikeOneTimeCode(`Your verification code is ${digits}.`), isCode);
    }),
  );
});

test('a code is spaced for speech, and nothing else is changed', () => {
  assert.equal(spaceCode('Your code is 482913.'), 'Your code is 4 8 2 9 1 3.');
  assert.equal(
    spaceCode('Your code is 482-913, good for 10 minutes'),
    'Your code is 4 8 2 9 1 3, good for 10 minutes',
  );
  assert.equal(spaceCode('Your code is 4 8 2 9 1 3'), 'Your code is 4 8 2 9 1 3');
  assert.equal(spaceCode('Order 482913 has left'), 'Order 482913 has left');
  fc.assert(
    fc.property(fc.stringMatching(/^\d{4,8}$/), (code) => {
      const spoken = spaceCode(`Your verification code is ${code}`);
      assert.equal(spoken, `Your verification code is ${[...code].join(' ')}`);
      assert.equal(spaceCode(spoken), spoken);
    }),
  );
});

test('hides what may be a code in a text that names one, and activation codes anywhere', () => {
  for (const code of [
    '482913',
    '482 913',
    '4 8 2 9 1 3',
    '4-8-2-9-1-3',
    '12-34-56',
    '4821-9134',
    '482 913 1',
    'A7K9Q2',
    '12345678901',
  ]) {
    assert.equal(hideCode(`Your code is ${code}.`), 'Your code is ••••.');
    assert.equal(hideCode(`${code} is your PIN. 10% off`), '•••• is your PIN. 10% off');
  }
  assert.equal(hideCode('Install LPA:1$smdp.example$K2-ABC now'), 'Install •••• now');
  const order = 'Your order A1204 is ready. Call 0803 123 4567.';
  assert.equal(hideCode(order), order);
});
