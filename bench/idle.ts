import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readSettings } from '../src/config/settings.ts';
import { openStore } from '../src/store/store.ts';
import { table } from './support/figures.ts';
import { startProgram } from './support/program.ts';
import { connectAll, createBenchServices } from './support/services.ts';
import { startSlack } from './support/slack.ts';
import { startOptions } from './support/switchboard.ts';
import { slackSettings } from './support/workspace.ts';

/**
 * What idle workspaces take: the memory of the program beside one, and beside many that are connected to the provider and
 * do nothing. In between it does what it does each minute.
 *
 * `node bench/idle.ts --workspaces 1,10000,100000 --idle 70`, with the seconds before the memory is read.
 */
const { values: options } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '1,10000,100000' },
    idle: { type: 'string', default: '70' },
  },
});
const counts = options.workspaces.split(',').map(Number);
/** The most that this number of workspaces may take beyond one, in megabytes. */
const targets = new Map([
  [10_000, 100],
  [100_000, 400],
]);

const slack = await startSlack();
const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));

async function measure(workspaces: number): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-idle-'));
  const environment = {
    ...slackSettings(slack.url),
    PROVIDER_BASE_URL: provider.url,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
  };
  const settings = readSettings(environment);
  const store = await openStore(settings);
  const { services, close } = createBenchServices(settings, store);
  await connectAll(services, workspaces, 32);
  await close();
  await store.close();
  const launcher = new URL('../bin/start.mjs', import.meta.url);
  const program = await startProgram(launcher, environment, undefined, startOptions);
  await wait(Number(options.idle) * 1000);
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(program.pid)], { encoding: 'utf8' });
  await program.stop();
  rmSync(dataDir, { recursive: true, force: true });
  return (Number(kilobytes) * 1024) / 1e6;
}

const seen: { workspaces: number; megabytes: number }[] = [];
for (const workspaces of counts) {
  seen.push({ workspaces, megabytes: await measure(workspaces) });
}
await slack.stop();
await provider.stop();

const first = seen[0]?.megabytes ?? Number.NaN;
console.log(
  table([
    ['idle workspaces', 'MB', 'more', 'target'],
    ...seen.map(({ workspaces, megabytes }) => {
      const [more, target] = [megabytes - first, targets.get(workspaces)];
      const verdict = target === undefined ? '' : `≤ ${target}: ${more <= target ? 'met' : 'missed'}`;
      return [String(workspaces), megabytes.toFixed(0), more.toFixed(0), verdict];
    }),
  ]),
);
