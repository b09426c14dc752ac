// Another process on the data folder: opens the store and says how that went. With a `key`, it begins an operation
// under it that never ends. Then it stays until it is killed.
import { Secret } from '../../../src/lib/secret.ts';
import { StoreError } from '../../../src/store/errors.ts';
import { openStore } from '../../../src/store/store.ts';

const [dataDir = '', encryptionKey = '', key] = process.argv.slice(2);
// Listening is what keeps it alive, for as long as the test that started it lives.
process.on('message', () => {});
try {
  const store = await openStore({ dataDir, encryptionKeys: [new Secret(encryptionKey)] });
  if (key === undefined) {
    process.send?.('open');
  } else {
    void store.ledger.perform({ workspaceId: 'T0', key, kind: 'sms.send', userId: 'U0', summary: {} }, () => {
      process.send?.('underway');
      return new Promise(() => {});
    });
  }
} catch (error) {
  if (!(error instanceof StoreError)) {
    throw error;
  }
  process.send?.(error.message);
  process.disconnect();
}
