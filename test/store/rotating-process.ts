// A process that rotates the keys of a folder while it writes: it sends each key and number that is on the disk, and
// `rotated` once all is under the first key. Then it goes on writing until it is killed.
import { Secret } from '../../src/lib/secret.ts';
import { openStore } from '../../src/store/store.ts';

const [dataDir = '', keys = '', seed = '0'] = process.argv.slice(2);
const { DATABASE_URL: url } = process.env;
const postgres = url === undefined ? undefined : { url: new Secret(url) };
const store = await openStore({
  dataDir,
  postgres,
  encryptionKeys: keys.split(',').map((key) => new Secret(key)),
});
// The listener keeps it alive as long as the test that started it.
process.on('message', () => {});
void store.keyRotation.rotate().then(({ isComplete, unreadable }) => {
  process.send?.(isComplete && unreadable.length === 0 ? 'rotated' : 'failed');
});
for (let count = 0; ; count += 1) {
  const key = `key ${(count * 37) % 1_000}`;
  const value = `${seed}.${count}`;
  await store.keyv('T1', 'live').set(key, value);
  process.send?.({ key, value });
}
