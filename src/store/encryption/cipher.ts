import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Secret } from '../../lib/secret.ts';
import { StoreError } from '../errors.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const shape = /^v1\.(?<keyId>[0-9a-f]{16})\.(?<iv>[\w-]{16})\.(?<sealed>[\w-]{22,})$/;

/** Where a value belongs: it can be read there and nowhere else. */
export type AdditionalData = readonly (string | number | null)[];

export interface Encryption {
  /** The id of the key that encrypts: the first one given. */
  readonly currentKeyId: string;
  /** The ids of all keys given. Each is there to decrypt. */
  readonly keyIds: readonly string[];

  /** Gives `v1.<key id>.<iv>.<tag and ciphertext>`, the last two in base64url. */
  encrypt(text: string, place: AdditionalData): string;

  /** @throws StoreError `unreadable`, or `missing_key` when it lies under a key that was not given */
  decrypt(encrypted: string, place: AdditionalData): string;
}

/**
 * AES-256-GCM under the first of the keys; all of them decrypt.
 *
 * @param keys base64 of 32 bytes each
 * @throws StoreError `bad_key`
 */
export function createEncryption(keys: readonly Secret[]): Encryption {
  const keysById = new Map(keys.map(readKey).map((key) => [keyIdOf(key), key]));
  const [current] = keysById;
  if (current === undefined) {
    throw new StoreError('bad_key', 'There is no encryption key. Set ENCRYPTION_KEYS.');
  }
  const [currentKeyId, currentKey] = current;

  return {
    currentKeyId,
    keyIds: [...keysById.keys()],

    encrypt(text, place) {
      // UTF-8 has no form for half a character: what cannot be given back as it was is not taken.
      if (!text.isWellFormed()) {
        throw new TypeError('Only well-formed text can be encrypted');
      }
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, currentKey, iv, { authTagLength: tagBytes });
      cipher.setAAD(describePlace(currentKeyId, place));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([cipher.getAuthTag(), ciphertext]);
      return `${prefixOf(currentKeyId)}${iv.toString('base64url')}.${sealed.toString('base64url')}`;
    },

    decrypt(encrypted, place) {
      const { keyId, iv, sealed } = shape.exec(encrypted)?.groups ?? {};
      if (keyId === undefined || iv === undefined || sealed === undefined) {
        throw unreadable();
      }
      const key = keysById.get(keyId);
      if (key === undefined) {
        throw new StoreError(
          'missing_key',
          `A stored value lies under encryption key ${keyId}, which was not given.`,
        );
      }
      const bytes = Buffer.from(sealed, 'base64url');
      // Base64 can leave spare bits at its end; without this they could be changed unnoticed.
      if (bytes.toString('base64url') !== sealed) {
        throw unreadable();
      }
      try {
        const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64url'), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(describePlace(keyId, place));
        decipher.setAuthTag(bytes.subarray(0, tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(tagBytes)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}

/** How everything begins that is encrypted under a key. */
export function prefixOf(keyId: string): string {
  return `v1.${keyId}.`;
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

/** Says which key it is without saying anything about it. */
function keyIdOf(key: KeyObject): string {
  const hash = createHash('sha256').update('switchboard encryption key\0').update(key.export());
  return hash.digest('hex').slice(0, 16);
}

// As JSON, so that no two places read the same: ['ab', 'c'] is not ['a', 'bc'].
function describePlace(keyId: string, place: AdditionalData): Buffer {
  return Buffer.from(JSON.stringify([prefixOf(keyId), ...place]), 'utf8');
}

function unreadable(cause?: unknown): StoreError {
  return new StoreError(
    'unreadable',
    'A stored value cannot be read: it was altered or damaged, or it is not where it belongs. Save it again.',
    { cause },
  );
}
