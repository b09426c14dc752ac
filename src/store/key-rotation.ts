import type { Kysely } from 'kysely';
import { encryptedColumns } from './encrypted-columns.ts';
import type { Encryption } from './encryption/cipher.ts';
import { dropUnusedKeys } from './encryption/key-check.ts';
import { type Rotation, type RotationOptions, reencrypt } from './encryption/reencrypt.ts';
import type { Schema } from './schema.ts';

/** Changes the key that stored values are encrypted under, also while others read and write. */
export interface KeyRotation {
  /** The ids of the keys given, of which the first encrypts. */
  readonly keyIds: readonly string[];
  /** Encrypts all stored values under the first key, see `reencrypt`, and removes the former ones from the files. */
  rotate(options?: RotationOptions): Promise<Rotation>;
}

export function createKeyRotation({
  db,
  encryption,
  purge,
}: {
  db: Kysely<Schema>;
  encryption: Encryption;
  purge(): Promise<void>;
}): KeyRotation {
  return {
    keyIds: encryption.keyIds,
    async rotate(options) {
      const rotation = await reencrypt(db, encryption, encryptedColumns, options);
      if (rotation.isComplete && rotation.unreadable.length === 0) {
        await dropUnusedKeys(db.$pickTables<'encryption_key'>(), encryption);
      }
      await purge();
      return rotation;
    },
  };
}
