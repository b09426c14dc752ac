import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readSettings } from '../src/config/settings.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { installAll } from './support/installed.ts';
import { atMostMore, grouped, type MeasureOptions } from './support/measurement.ts';
import { type Program, residentMegabytes, startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { startSlack } from './support/slack.ts';
import { launcher, startOptions } from './support/switchboard.ts';
import { oauthSettings } from './support/workspace.ts';

/** In seconds: what is done each minute is done once more before the memory is read. */
const idleSeconds = 75;
/** How many workspaces, and the most megabytes that they may take more than one. */
const targets = [
  { workspaces: 10_000, megabytes: 100 },
  { workspaces: 100_000, megabytes: 400 },
];

/**
 * What idle workspaces take: the memory of the program beside one, and beside many that have installed the app, are connected
 * to the provider and do nothing. All programs are idle at once, as memory does not depend on what else the machine does.
 */
export async function measureIdleWorkspaces({ profile }: MeasureOptions): Promise<Row[]> {
  const slack = await startSlack();
  const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
  const idle = new Map<string, Program>();
  const nameOf = (database: DatabaseName, workspaces: number) => `${database} ${workspaces}`;
  for (const database of databaseNames) {
    for (const workspaces of [1, ...targets.map((target) => target.workspaces)]) {
      const settings = await prepare(database, workspaces, { slack, provider });
      idle.set(nameOf(database, workspaces), await startProgram(launcher, settings, profile, startOptions));
    }
  }
  await wait(idleSeconds * 1000);
  const megabytes = new Map([...idle].map(([name, program]) => [name, residentMegabytes(program)]));
  for (const program of [...idle.values(), slack, provider]) {
    await program.stop();
  }
  return databaseNames.flatMap((database) =>
    targets.map((target): Row => {
      const seen = (workspaces: number) => megabytes.get(nameOf(database, workspaces)) ?? Number.NaN;
      const [ours, rival] = [seen(target.workspaces), seen(1)];
      return {
        measure: `memory, ${grouped(target.workspaces)} idle workspaces`,
        database,
        ours: `${ours.toFixed(0)} MB`,
        rival: `${rival.toFixed(0)} MB, one workspace`,
        ...atMostMore(target.megabytes, ours - rival, 'MB'),
      };
    }),
  );
}

/** Returns the settings of a program whose data has this number of workspaces. */
async function prepare(
  database: DatabaseName,
  workspaces: number,
  { slack, provider }: { slack: Program; provider: Program },
): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-idle-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const settings = {
    ...oauthSettings(slack.url),
    PROVIDER_BASE_URL: provider.url,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    ...(await newDatabase(database)),
  };
  const begin = performance.now();
  await installAll(await readSettings(settings), workspaces);
  console.error(
    `${database}: ${grouped(workspaces)} workspaces in ${((performance.now() - begin) / 1000).toFixed(0)} s`,
  );
  return settings;
}
