import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../src/lib/secret.ts';
import { type AdditionalData, createEncryption } from '../../../src/store/encryption/cipher.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';

const encryption = createEncryption([newEncryptionKey()]);
const home: AdditionalData = ['T0HOME', 'settings', 'key', null];
const unreadable = { name: 'StoreError', fault: 'unreadable' };

const texts = fc.string({ unit: 'binary' });
const places = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 });

test('any text comes back as it was', () => {
  fc.assert(
    fc.property(texts, places, (text, place) => {
      assert.equal(encryption.decrypt(encryption.encrypt(text, place), place), text);
    }),
  );
});

test('a change of any character is noticed', () => {
  const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'];
  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom(...characters), (text, at, character) => {
      const encrypted = encryption.encrypt(text, home);
      const index = at % encrypted.length;
      fc.pre(encrypted[index] !== character);
      const altered = encrypted.slice(0, index) + character + encrypted.slice(index + 1);
      assert.throws(() => encryption.decrypt(altered, home), { name: 'StoreError' });
    }),
    { numRuns: 1_000 },
  );
});

test('a value is read in its own place only', () => {
  fc.assert(
    fc.property(places, places, (place, other) => {
      fc.pre(JSON.stringify(place) !== JSON.stringify(other));
      assert.throws(() => encryption.decrypt(encryption.encrypt('{}', place), other), unreadable);
    }),
  );
});

test('places that read the same when run together are still two places', () => {
  const encrypted = encryption.encrypt('{}', ['T1', '2settings']);
  assert.throws(() => encryption.decrypt(encrypted, ['T12', 'settings']), unreadable);
});

test('what is no ciphertext is refused', () => {
  for (const text of [
    '',
    'hello',
    'v1',
    'v1...',
    'v2.0123456789abcdef.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
  ]) {
    assert.throws(() => encryption.decrypt(text, home), unreadable);
  }
});

test('the same text never looks the same twice', () => {
  assert.notEqual(encryption.encrypt('{}', home), encryption.encrypt('{}', home));
});

test('half a character is refused rather than changed', () => {
  assert.throws(() => encryption.encrypt('\ud83d', home), TypeError);
});

test('the first key encrypts and all keys decrypt', () => {
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const before = createEncryption([old]);
  const both = createEncryption([fresh, old]);
  assert.equal(both.decrypt(before.encrypt('{}', home), home), '{}');
  assert.equal(createEncryption([fresh]).decrypt(both.encrypt('{}', home), home), '{}');
});

test('a value under a key that was not given says which key it needs', () => {
  const other = createEncryption([newEncryptionKey()]);
  assert.throws(() => encryption.decrypt(other.encrypt('{}', home), home), {
    name: 'StoreError',
    fault: 'missing_key',
    message: new RegExp(other.currentKeyId),
  });
});

test('a key of the wrong length is refused without being shown', () => {
  const short = Buffer.from('sixteen bytes !!').toString('base64');
  assert.throws(
    () => createEncryption([new Secret(short)]),
    (error: Error) => /16 bytes instead of 32/.test(error.message) && !error.message.includes(short),
  );
  assert.throws(() => createEncryption([]), { name: 'StoreError', fault: 'bad_key' });
});
