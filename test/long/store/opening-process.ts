// Another process on the data folder: opens the store and prints the result. With a `key`, it begins an operation of that
// key that never ends. Then it runs until it is killed.
import { Secret } from '../../../src/lib/secret.ts';
import { StoreError } from '../../../src/store/engine/errors.ts';
import { openStore } from '../../../src/store/store.ts';
import { performIn } from '../../support/store/perform-in.ts';

const [dataDir = '', encryptionKey = '', key] = process.argv.slice(2);
const { DATABASE_URL: url } = process.env;
const postgres = url === undefined ? undefined : { url: new Secret(url) };
const alive = setInterval(() => {}, 60_000);
try {
  const store = await openStore({ dataDir, postgres, encryptionKeys: [new Secret(encryptionKey)] });
  if (key === undefined) {
    console.log('open');
  } else {
    void performIn(
      store.ledger,
      { workspaceId: 'T0', key, kind: 'sms.send', userId: 'U0', summary: {} },
      () => {
        console.log('underway');
        return new Promise(() => {});
      },
    );
  }
} catch (error) {
  if (!(error instanceof StoreError)) {
    throw error;
  }
  console.log(error.message);
  clearInterval(alive);
}
