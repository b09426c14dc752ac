// A process that moves the data of a folder in small pages. It sends a message for each report, `complete` or what it failed of.
import { Secret } from '../../../src/lib/secret.ts';
import { moveStore } from '../../../src/store/move/move-store.ts';

const [dataDir = '', url = '', key = ''] = process.argv.slice(2);
const tell = () => void process.send?.('report');
try {
  await moveStore({
    dataDir,
    postgres: { url: new Secret(url) },
    encryptionKeys: [new Secret(key)],
    report: { again: tell, rows: tell, audit: tell },
    pages: { rows: 3, bytes: 10_000 },
  });
  process.send?.('complete');
} catch (error) {
  process.send?.(error instanceof Error ? error.message : String(error));
}
