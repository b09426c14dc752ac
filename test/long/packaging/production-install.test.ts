import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { startProcess } from '../../support/app/app-process.ts';
import { socketSettings, startSocketSlack } from '../../support/app/socket-settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
/** All that an installation from the sources needs. */
const installed = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'manifest.yml',
  'bin',
  'sandbox/package.json',
  'src',
];

test('an installation without development dependencies runs every script of production', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'sandbox'));
  for (const path of installed) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  // The Node of the project, which is itself a development dependency, stands in for the one of the machine.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    startProcess(t, ['npm', ...args], {
      cwd: folder,
      env: { ...process.env, PATH: path, ...env },
      // The program is npm's child.
      isGroup: true,
    });
  const npm = async (...given: Parameters<typeof start>) => {
    const { code, stdout, output } = await start(...given).ended;
    assert.equal(code, 0, output);
    return stdout;
  };
  await npm(['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']);
  assert.ok(!existsSync(join(folder, 'node_modules/typescript')), 'development dependencies are installed');

  const provider = await startProvider();
  t.after(() => provider.stop());
  const slack = await startSocketSlack(t);
  const settings = {
    ...socketSettings({ providerUrl: provider.url, slackApiUrl: slack.apiUrl }),
    DATA_DIR: join(folder, 'data'),
  };

  await t.test('npm start', async () => {
    const program = start(['start'], settings);
    const ready = await fetch(`http://127.0.0.1:${await program.ready()}/readyz`);
    assert.equal(ready.status, 200);
    await program.stop();
  });

  await t.test('npm run audit', async () => {
    const stdout = await npm(['run', 'audit', '--', 'verify'], settings);
    assert.match(stdout, /check/i);
  });

  await t.test('npm run erase', async () => {
    const stdout = await npm(['run', 'erase', '--', '+2348031234567'], settings);
    assert.match(stdout, /\+234/);
  });

  await t.test('npm run manifest', async () => {
    await npm(['run', 'manifest', '--', '--prefix', 'acme-']);
    assert.match(readFileSync(join(folder, 'manifest.yml'), 'utf8'), /command: \/acme-sms/);
  });
});
