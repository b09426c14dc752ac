import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Secret } from '../../../lib/secret.ts';
import { StoreError } from '../errors.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const header = /^v1\.(?<keyId>[0-9a-f]{16})\.(?<iv>[\w-]{16})\./;
/** Apart: to match thousands of characters takes longer than to decrypt them. */
const sealedShape = /^[\w-]{22,}$/;

/** What a ciphertext is bound to (the additional data of AES-GCM): with any other, decrypting fails. */
export type AdditionalData = readonly (string | number | null)[];

export type Encryption = ReturnType<typeof createEncryption>;

/**
 * AES-256-GCM under the first of the keys; all of them decrypt.
 *
 * @param keys base64 of 32 bytes each
 * @throws StoreError `bad_key`
 */
export function createEncryption(keys: readonly Secret[]) {
  const keysById = new Map(keys.map(readKey).map((key) => [keyIdOf(key), key]));
  const [current] = keysById;
  if (current === undefined) {
    throw new StoreError('bad_key', 'There is no encryption key. Set ENCRYPTION_KEYS.');
  }
  const [currentKeyId, currentKey] = current;

  return {
    /** The id of the key that encrypts: the first of those given. */
    currentKeyId,
    /** The ids of all keys given. Each can decrypt. */
    keyIds: [...keysById.keys()],

    /** Returns `v1.<key id>.<iv>.<tag and ciphertext>`, the last two in base64url. */
    encrypt(text: string, additionalData: AdditionalData): string {
      // UTF-8 has no form for half a surrogate pair: it would be decrypted as another text.
      if (!text.isWellFormed()) {
        throw new TypeError('Only well-formed text can be encrypted');
      }
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, currentKey, iv, { authTagLength: tagBytes });
      cipher.setAAD(encodeAdditionalData(currentKeyId, additionalData));
      const ciphertext = cipher.update(text, 'utf8');
      cipher.final();
      // The tag and two bytes encode to exactly 24 characters of base64url, so the rest, which can be long,
      // is appended without a copy.
      const beginning = Buffer.concat([cipher.getAuthTag(), ciphertext.subarray(0, 2)]).toString('base64url');
      const rest = ciphertext.toString('base64url', 2);
      return `${prefixOf(currentKeyId)}${iv.toString('base64url')}.${beginning}${rest}`;
    },

    /** @throws StoreError `unreadable`, or `missing_key` when it is encrypted under a key that was not given */
    decrypt(encrypted: string, additionalData: AdditionalData): string {
      const [beginning = '', keyId, iv] = header.exec(encrypted) ?? [];
      const sealed = encrypted.slice(beginning.length);
      if (keyId === undefined || iv === undefined) {
        throw unreadable();
      }
      const key = keysById.get(keyId);
      if (key === undefined) {
        throw new StoreError(
          'missing_key',
          `A stored value is encrypted with key ${keyId}, which is missing.`,
        );
      }
      const bytes = Buffer.from(sealed, 'base64url');
      // What is no base64 is passed over by the decoder, and there may be spare bits at its end: neither may change unnoticed.
      if (bytes.length < tagBytes || bytes.toString('base64url') !== sealed) {
        throw unreadable();
      }
      try {
        const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64url'), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(encodeAdditionalData(keyId, additionalData));
        decipher.setAuthTag(bytes.subarray(0, tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(tagBytes)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}

/** Returns what every ciphertext under a key begins with. */
export function prefixOf(keyId: string): string {
  return `v1.${keyId}.`;
}

/** Returns the id of the key that a value is encrypted under; undefined for what no key has encrypted. */
export function keyIdIn(encrypted: string): string | undefined {
  const [beginning = '', keyId] = header.exec(encrypted) ?? [];
  return sealedShape.test(encrypted.slice(beginning.length)) ? keyId : undefined;
}

function readKey(key: Secret): KeyObject {
  const bytes = Buffer.from(key.reveal(), 'base64');
  // As an object: setting up a key from its bytes costs more than to encrypt a short text.
  if (bytes.length === 32) {
    return createSecretKey(bytes);
  }
  throw new StoreError(
    'bad_key',
    `An encryption key has ${bytes.length} bytes instead of 32. ` +
      'Correct ENCRYPTION_KEYS; a new key is made by: openssl rand -base64 32',
  );
}

/** Identifies a key without revealing anything about it. */
function keyIdOf(key: KeyObject): string {
  const hash = createHash('sha256').update('switchboard encryption key\0').update(key.export());
  return hash.digest('hex').slice(0, 16);
}

// As JSON, so that no two lists have the same bytes: ['ab', 'c'] is not ['a', 'bc'].
function encodeAdditionalData(keyId: string, additionalData: AdditionalData): Buffer {
  return Buffer.from(JSON.stringify([prefixOf(keyId), ...additionalData]), 'utf8');
}

function unreadable(cause?: unknown): StoreError {
  return new StoreError(
    'unreadable',
    'A stored value cannot be read: it was altered or damaged, or it is not where it belongs. Save it again.',
    { cause },
  );
}
