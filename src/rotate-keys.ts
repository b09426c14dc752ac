// npm run rotate-keys: the folder and the keys are read from the settings.
import { createRotateKeysCommand, rotateKeysName } from './control/commands/rotate-keys.ts';
import { runScript } from './control/script.ts';
import { createEncryption } from './store/encryption/cipher.ts';
import { openKeyRotation } from './store/key-rotation.ts';

await runScript({
  command: rotateKeysName,
  input: ({ encryptionKeys }) => ({ keyIds: createEncryption(encryptionKeys).keyIds }),
  async open(settings) {
    const { close, ...keys } = await openKeyRotation(settings);
    return { command: createRotateKeysCommand(keys), close };
  },
});
