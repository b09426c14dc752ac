// A process that re-encrypts the values of a folder with its first key while it writes others. It prints each key and
// value that is on the disk, `reencrypting` once values are being re-encrypted, and `removable` once all are. It goes on
// writing until SIGTERM, or is killed.
import { setTimeout } from 'node:timers/promises';
import { Secret } from '../../../src/lib/secret.ts';
import { openStore } from '../../../src/store/store.ts';

const [dataDir = '', keys = '', name = ''] = process.argv.slice(2);
const { DATABASE_URL: url } = process.env;
const postgres = url === undefined ? undefined : { url: new Secret(url) };
const store = await openStore({
  dataDir,
  postgres,
  encryptionKeys: keys.split(',').map((key) => new Secret(key)),
});
const stopping = new AbortController();
const { signal } = stopping;
process.once('SIGTERM', () => stopping.abort());
const print = (line: unknown) => console.log(JSON.stringify(line));

const { keyRotation } = store;

async function rotate(): Promise<void> {
  while (!signal.aborted) {
    await store.instances.removeDead();
    await keyRotation.rotate(signal);
    const state = await keyRotation.state();
    if (state.name === 'removable' || state.name === 'unreadable') {
      print(state.name);
      return;
    }
    await setTimeout(50);
  }
}

async function watch(): Promise<void> {
  while (!signal.aborted) {
    const state = await keyRotation.state();
    if (state.name === 'reencrypting' && state.left !== undefined) {
      print(state.name);
      return;
    }
    await setTimeout(5);
  }
}

async function write(): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    const key = `${name.split('.')[0]} ${(count * 37) % 500}`;
    const value = `${name}.${count}`;
    await store.keyv('T1', 'live').set(key, value);
    print({ key, value });
  }
}

await Promise.all([rotate(), watch(), write()]);
await store.close();
