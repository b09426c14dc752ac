import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { startProvider } from '../../sandbox/provider/server.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createProvider } from '../../src/provider/client.ts';
import { createWorkspaces } from '../../src/services/workspaces/workspaces.ts';
import { openStore } from '../../src/store/store.ts';
import { type Program, startProgram } from './program.ts';
import { contextOf } from './services.ts';
import { slackSettings, teamId } from './workspace.ts';

const startWords = manifest.scripts.start.split(' ');

/** The options of Node in `npm start`. */
export const startOptions: readonly string[] = startWords.slice(2, startWords.indexOf('bin/start.mjs'));

/** What `npm start` starts: the bundle, where there is one of these sources. */
export const launcher = new URL('../../bin/start.mjs', import.meta.url);

/**
 * Starts Switchboard like `npm start`, on data in which the workspace is connected to the sandbox's provider.
 *
 * @param database the settings of `newDatabase`
 */
export async function startSwitchboard(
  slackUrl: string,
  database: Record<string, string>,
  profileTo?: string,
): Promise<Program> {
  const provider = await startProvider();
  const settings = await connectedSettings(slackUrl, provider.url, provider.account.key, database);
  const program = await startProgram(launcher, settings, profileTo, startOptions);
  return {
    ...program,
    async stop() {
      await program.stop();
      await provider.stop();
    },
  };
}

/** Returns settings with a data folder in which the workspaces are connected. The folder is deleted at exit. */
export async function connectedSettings(
  slackUrl: string,
  providerUrl: string,
  key: string,
  database: Record<string, string> = {},
  teams: readonly string[] = [teamId],
): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-bench-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const settings = {
    ...slackSettings(slackUrl),
    PROVIDER_BASE_URL: providerUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    ...database,
  };
  await connect(settings, key, teams);
  return settings;
}

/** Connects the workspaces, as `/switchboard connect` does. */
async function connect(
  environment: Record<string, string>,
  key: string,
  teams: readonly string[],
): Promise<void> {
  const settings = await readSettings(environment);
  const store = await openStore(settings);
  const provider = createProvider(settings.provider);
  const workspaces = createWorkspaces(contextOf(settings, store, provider));
  const outcomes = await Promise.all(teams.map((team) => workspaces.connect(team, key, 'U0BENCH')));
  await provider.close();
  await store.close();
  for (const { kind } of outcomes) {
    if (kind !== 'connected') {
      throw new Error(`The provider’s key was ${kind}.`);
    }
  }
}
