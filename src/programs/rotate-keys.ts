// npm run rotate-keys: the folder and the keys are read from the settings.
import { createRotateKeysCommand, rotateKeysName } from '../control/commands/rotate-keys.ts';
import { runScript } from '../control/script.ts';
import { createAuditService } from '../services/audit/audit-service.ts';
import { createEncryption } from '../store/encryption/cipher.ts';
import { openStore } from '../store/store.ts';

await runScript({
  command: rotateKeysName,
  input: ({ encryptionKeys }) => ({ keyIds: createEncryption(encryptionKeys).keyIds }),
  async open(settings, report) {
    const store = await openStore(settings);
    const audit = createAuditService({ trail: store.audit, report });
    return { command: createRotateKeysCommand(store.keyRotation, audit), close: store.close };
  },
});
