// npm run manifest: writes manifest.yml in the folder that npm runs it in, the project’s. The options are those of its first line.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { manifestText } from '../slack/app/manifest-text.ts';

const manifestFile = 'manifest.yml';

const { values } = parseArgs({
  options: {
    prefix: { type: 'string', default: '' },
    url: { type: 'string' },
    rotate: { type: 'boolean', default: false },
    'esim-purchases': { type: 'string', default: 'on' },
  },
});
await writeFile(
  manifestFile,
  manifestText({
    prefix: values.prefix,
    address: values.url,
    rotate: values.rotate,
    esimPurchases: values['esim-purchases'] !== 'off',
  }),
);
process.stdout.write(await readFile(manifestFile, 'utf8'));
