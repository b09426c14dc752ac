import type { Secret } from '../../../src/lib/secret.ts';
import type { Rotation } from '../../../src/store/encryption/reencrypt.ts';
import { openKeyRotation } from '../../../src/store/key-rotation.ts';

/** Encrypts everything in a folder under the first of the keys, while no program runs on it. */
export async function rotateKeys(options: { dataDir: string; encryptionKeys: Secret[] }): Promise<Rotation> {
  const { rotate, close } = await openKeyRotation(options);
  try {
    return await rotate();
  } finally {
    await close();
  }
}
