// A process that moves the data of a folder. It prints a line for each table, and `complete` or what it failed of.
import { Secret } from '../../../src/lib/secret.ts';
import { moveStore } from '../../../src/store/installation/move-store.ts';

const [dataDir = '', url = ''] = process.argv.slice(2);
try {
  const postgres = { url: new Secret(url) };
  await moveStore({ dataDir, postgres, onTable: () => console.log('table') });
  console.log('complete');
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
}
