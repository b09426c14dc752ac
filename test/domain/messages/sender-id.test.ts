import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSenderId } from '../../../src/domain/messages/sender-id.ts';
import { senderId as senderIdInput } from '../../../src/provider/request/input-fields.ts';
import { senderId as described } from '../../provider/description/fields.ts';
import { rounds } from '../../support/sizes.ts';

test('a sender ID is 3 to 11 letters and digits, or digits alone', () => {
  for (const right of ['Ace', 'Switchboard', 'Acme24', '24Acme', '123', '2348031234567']) {
    assert.deepEqual(readSenderId(` ${right} `), { ok: true, senderId: right });
  }
});

test('an invalid sender ID is refused with the reason', () => {
  const refusals: [string, string][] = [
    ['', 'Enter a sender ID.'],
    ['Ab', 'A sender ID has at least 3 characters.'],
    ['Switchboards', 'A sender ID has at most 11 characters.'],
    ['Acme Ltd', 'A sender ID has no spaces.'],
    ['Acme!', 'A sender ID has letters and digits only.'],
    ['Ácme', 'A sender ID has letters and digits only.'],
    ['N-Alert', 'A sender ID has letters and digits only.'],
  ];
  for (const [text, reason] of refusals) {
    assert.deepEqual(readSenderId(text), { ok: false, reason }, text);
  }
});

test('a sender ID that the account lists as active is used as it is', () => {
  const active = ['N-Alert', 'Palm Pay'];
  assert.deepEqual(readSenderId(' N-Alert ', active), { ok: true, senderId: 'N-Alert' });
  assert.deepEqual(readSenderId('Palm Pay', active), { ok: true, senderId: 'Palm Pay' });
  assert.deepEqual(readSenderId('Palm-Pay', active), {
    ok: false,
    reason: 'A sender ID has letters and digits only, unless your account lists it as active.',
  });
});

test('every word of 3 to 11 letters and digits that begins with a letter is a sender ID', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,19}$/), (text) => {
      assert.equal(readSenderId(text).ok, text.length >= 3 && text.length <= 11);
    }),
  );
});

test('the form for a new one, the client and the provider’s description accept the same sender IDs', () => {
  const nearly = fc.oneof(
    fc.stringMatching(/^ ?[A-Za-z0-9]{1,13} ?$/),
    fc.stringMatching(/^[A-Za-z0-9 _.-]{1,13}$/),
    fc.stringMatching(/^[0-9]{1,22}$/),
    fc.string(),
  );
  fc.assert(
    fc.property(nearly, (text) => {
      const allowed = described.pattern.test(text.trim());
      assert.equal(readSenderId(text).ok, allowed);
      assert.equal(senderIdInput.safeParse(text).success, allowed);
    }),
    { numRuns: rounds(1000) },
  );
});
