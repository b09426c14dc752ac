import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../src/lib/secret.ts';
import { type AdditionalData, createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';
import { rounds } from '../../support/sizes.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';

const encryption = createEncryption([newEncryptionKey()]);
const additionalData: AdditionalData = ['T0HOME', 'settings', 'key', null];
const unreadable = { name: 'StoreError', fault: 'unreadable' };

const texts = fc.string({ unit: anyCharacter });
const arbitraryData = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 });

test('decrypts any text to the original', () => {
  fc.assert(
    fc.property(texts, arbitraryData, (text, data) => {
      assert.equal(encryption.decrypt(encryption.encrypt(text, data), data), text);
    }),
  );
});

test('refuses a ciphertext with any character changed', () => {
  const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'];
  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom(...characters), (text, at, character) => {
      const encrypted = encryption.encrypt(text, additionalData);
      const index = at % encrypted.length;
      fc.pre(encrypted[index] !== character);
      const altered = encrypted.slice(0, index) + character + encrypted.slice(index + 1);
      assert.throws(() => encryption.decrypt(altered, additionalData), { name: 'StoreError' });
    }),
    { numRuns: rounds(1_000) },
  );
});

test('decrypts only with the same additional data', () => {
  fc.assert(
    fc.property(arbitraryData, arbitraryData, (data, other) => {
      fc.pre(JSON.stringify(data) !== JSON.stringify(other));
      assert.throws(() => encryption.decrypt(encryption.encrypt('{}', data), other), unreadable);
    }),
  );
});

test('distinguishes additional data that is the same when joined', () => {
  const encrypted = encryption.encrypt('{}', ['T1', '2settings']);
  assert.throws(() => encryption.decrypt(encrypted, ['T12', 'settings']), unreadable);
});

test('refuses text that is not a ciphertext', () => {
  for (const text of [
    '',
    'hello',
    'v1',
    'v1...',
    'v2.0123456789abcdef.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
  ]) {
    assert.throws(() => encryption.decrypt(text, additionalData), unreadable);
  }
});

test('encrypts the same text to a different ciphertext each time', () => {
  assert.notEqual(encryption.encrypt('{}', additionalData), encryption.encrypt('{}', additionalData));
});

test('refuses half a surrogate pair', () => {
  assert.throws(() => encryption.encrypt('\ud83d', additionalData), TypeError);
});

test('encrypts with the first key and decrypts with any', () => {
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const before = createEncryption([old]);
  const both = createEncryption([fresh, old]);
  assert.equal(both.decrypt(before.encrypt('{}', additionalData), additionalData), '{}');
  assert.equal(createEncryption([fresh]).decrypt(both.encrypt('{}', additionalData), additionalData), '{}');
});

test('names the key that a value needs if it was not given', () => {
  const other = createEncryption([newEncryptionKey()]);
  assert.throws(() => encryption.decrypt(other.encrypt('{}', additionalData), additionalData), {
    name: 'StoreError',
    fault: 'missing_key',
    message: new RegExp(other.currentKeyId),
  });
});

test('refuses a key of the wrong length without showing it', () => {
  const short = Buffer.from('sixteen bytes !!').toString('base64');
  assert.throws(
    () => createEncryption([new Secret(short)]),
    (error: Error) => /16 bytes instead of 32/.test(error.message) && !error.message.includes(short),
  );
  assert.throws(() => createEncryption([]), { name: 'StoreError', fault: 'bad_key' });
});
