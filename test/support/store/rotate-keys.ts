import type { Secret } from '../../../src/lib/secret.ts';
import type { KeyState } from '../../../src/store/installation/key-rotation.ts';
import { openStore } from '../../../src/store/store.ts';
import { knownPostgresOf } from './temporary-store.ts';

/** Encrypts everything in a folder under the first of the keys. Resolves with what the others are still needed for. */
export async function rotateKeys(options: { dataDir: string; encryptionKeys: Secret[] }): Promise<KeyState> {
  const postgres = await knownPostgresOf(options.dataDir);
  const { keyRotation, close } = await openStore({ ...options, postgres });
  try {
    await keyRotation.rotate(new AbortController().signal);
    return await keyRotation.state();
  } finally {
    await close();
  }
}
