// npm run manifest: writes manifest.yml into the project's folder. The file's first line names the options.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { commandPrefix } from '../config/setting-types.ts';
import { StartupError } from '../lib/startup-error.ts';
import { manifestText } from '../slack/app/manifest-text.ts';
import { runExplained } from './explain.ts';

const manifestFile = 'manifest.yml';

await runExplained(async () => {
  const { values } = parseArgs({
    options: {
      prefix: { type: 'string', default: '' },
      url: { type: 'string' },
      rotate: { type: 'boolean', default: false },
      'esim-purchases': { type: 'string', default: 'on' },
    },
  });
  const { prefix, url, rotate, 'esim-purchases': esimPurchases } = values;
  const prefixFault = commandPrefix('switchboard').safeParse(prefix).error?.issues[0];
  if (prefixFault !== undefined) {
    throw new StartupError(`--prefix ${prefixFault.message}.`);
  }
  if (esimPurchases !== 'on' && esimPurchases !== 'off') {
    throw new StartupError('--esim-purchases must be on or off.');
  }
  const address = url === undefined ? undefined : addressOf(url);
  await writeFile(
    manifestFile,
    manifestText({ prefix, address, rotate, esimPurchases: esimPurchases === 'on' }),
  );
  process.stdout.write(await readFile(manifestFile, 'utf8'));
});

/** Returns the program's public address; its path, if any, is what a proxy in front takes off. */
function addressOf(text: string): string {
  const url = text.includes('://') ? URL.parse(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new StartupError(
      '--url isn’t an address that Slack can send to. Set it as https://switchboard.example.com: Slack only calls https.',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/(?:slack\/events\/?)?$/, '')}`;
}
