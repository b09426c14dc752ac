import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { test } from 'node:test';
import { startProvider } from '../../sandbox/provider/server.ts';
import { startProcess } from '../support/app/app-process.ts';

const root = new URL('../../', import.meta.url);

test('the example in docs/provider.md runs as it stands', async (t) => {
  const provider = await startProvider();
  t.after(() => provider.stop());
  const page = await readFile(new URL('docs/provider.md', root), 'utf8');
  const example = /^```ts\n(.*?)^```$/ms.exec(page)?.[1] ?? assert.fail('there is no example');
  const { stdout, stderr } = await startProcess(
    t,
    [process.execPath, '--input-type=module-typescript', '--eval', example],
    {
      cwd: root,
      env: { ...process.env, PROVIDER_BASE_URL: provider.url, PROVIDER_API_KEY: provider.account.key },
    },
  ).ends();
  const [message] = provider.record;
  assert.deepEqual(
    message?.deliveries.map(({ to }) => to),
    ['2348030000011', '2348020000012'],
  );
  assert.equal(
    stdout,
    [
      `Accepted as ${message?.id}; ${provider.account.balance} are left.`,
      'PalmMarket is active.',
      'PalmBasket is active.',
      'PalmCare is active.',
      '55019 is active.',
      '',
    ].join('\n'),
  );
  assert.equal(stderr, '');
});

/** Matches every form of import: static, type-only, re-export, side effect, dynamic. */
const importing = /^(?:import|export)\b(?:[^;']* from)? ?'([^']+)'|\bimport\('([^']+)'\)/gm;

test('the client imports nothing else of Switchboard than Secret, the proxy, the delays of retries and the spans', async () => {
  const files = new Set<string>();
  const packages = new Set<string>();
  const follow = async (file: URL) => {
    if (files.has(file.href)) {
      return;
    }
    files.add(file.href);
    const source = await readFile(file, 'utf8');
    for (const [, named, specifier = named ?? ''] of source.matchAll(importing)) {
      if (specifier.startsWith('.')) {
        await follow(new URL(specifier, file));
      } else if (!isBuiltin(specifier)) {
        packages.add(specifier.split('/')[0] ?? '');
      }
    }
  };
  await follow(new URL('src/provider/client.ts', root));
  const foreign = [...files].filter((file) => !file.startsWith(new URL('src/provider/', root).href));
  assert.deepEqual(
    foreign.sort(),
    ['http/proxy.ts', 'secret.ts', 'time/retry-delays.ts', 'tracing/tracing.ts'].map(
      (file) => new URL(`src/lib/${file}`, root).href,
    ),
  );
  assert.deepEqual([...packages].sort(), ['qr', 'undici', 'zod']);
});
