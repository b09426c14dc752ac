import type { Secret } from '../../../src/lib/secret.ts';
import type { Rotation } from '../../../src/store/encryption/reencrypt.ts';
import { openStore } from '../../../src/store/store.ts';
import { knownPostgresOf } from './temporary-store.ts';

/** Encrypts everything in a folder under the first of the keys, while no program runs on it. */
export async function rotateKeys(options: { dataDir: string; encryptionKeys: Secret[] }): Promise<Rotation> {
  const postgres = await knownPostgresOf(options.dataDir);
  const { keyRotation, close } = await openStore({ ...options, postgres });
  try {
    return await keyRotation.rotate();
  } finally {
    await close();
  }
}
