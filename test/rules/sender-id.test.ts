import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSenderId } from '../../src/rules/sender-id.ts';

test('a sender ID is 3 to 11 letters and digits, or digits alone', () => {
  for (const right of ['Ace', 'Switchboard', 'Acme24', '24Acme', 'N-Alert', '123', '2348031234567']) {
    assert.deepEqual(readSenderId(` ${right} `), { ok: true, senderId: right });
  }
});

test('what a sender ID cannot be is refused in a sentence', () => {
  const refusals: [string, string][] = [
    ['', 'Enter a sender ID.'],
    ['Ab', 'A sender ID has at least 3 characters.'],
    ['Switchboards', 'A sender ID has at most 11 characters.'],
    ['1234567890123456', 'A sender ID of digits alone has at most 15.'],
    ['Acme Ltd', 'A sender ID has no spaces.'],
    ['Acme!', 'A sender ID has letters and digits only.'],
    ['Ácme', 'A sender ID has letters and digits only.'],
    ['-Acme', 'A sender ID has letters and digits only.'],
  ];
  for (const [text, reason] of refusals) assert.deepEqual(readSenderId(text), { ok: false, reason }, text);
});

test('every word of letters and digits that is short enough is a sender ID', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,19}$/), (text) => {
      assert.equal(readSenderId(text).ok, text.length >= 3 && text.length <= 11);
    }),
  );
});
