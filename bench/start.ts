import { setTimeout as wait } from 'node:timers/promises';
import { isFresh } from '../bin/start.mjs';
import { startProvider } from '../sandbox/provider/server.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { median } from './support/figures.ts';
import { atMostMore, type MeasureOptions } from './support/measurement.ts';
import { type Program, residentMegabytes, startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { startSlack } from './support/slack.ts';
import { connectedSettings, launcher, startOptions } from './support/switchboard.ts';
import { slackSettings } from './support/workspace.ts';

const rounds = 7;
/** In seconds, before the memory is read: longer than what is done at a start takes. */
const idleSeconds = 10;
/** The most that the bundle takes more than the bare app. */
const targets = { milliseconds: 400, megabytes: 60 };

type Start = () => Promise<Program>;

/**
 * How long the bundle takes to be ready, and what it holds when idle, beside a bare Bolt app. Throws where there is no bundle
 * of these sources.
 */
export async function measureStart({ profile }: MeasureOptions): Promise<Row[]> {
  if (!isFresh()) {
    throw new Error('There is no bundle of these sources: `npm run build` makes it.');
  }
  const slack = await startSlack();
  const provider = await startProvider();
  const bare = () => startProgram(new URL('bare-app.ts', import.meta.url), slackSettings(slack.url));
  const sides = new Map<DatabaseName, Start>();
  for (const database of databaseNames) {
    const { url, account } = provider;
    const settings = await connectedSettings(slack.url, url, account.key, await newDatabase(database));
    sides.set(database, () => startProgram(launcher, settings, profile, startOptions));
  }
  const rows: Row[] = [];
  for (const [database, ours] of sides) {
    rows.push(await compareTimes(database, bare, ours));
  }
  rows.push(...(await compareMemory(bare, sides)));
  await slack.stop();
  await provider.stop();
  return rows;
}

async function timeOf(start: Start): Promise<number> {
  const begin = performance.now();
  const program = await start();
  const milliseconds = performance.now() - begin;
  await program.stop();
  return milliseconds;
}

async function compareTimes(database: DatabaseName, bare: Start, ours: Start): Promise<Row> {
  const found: { bare: number; ours: number }[] = [];
  while (found.length < rounds) {
    // They take turns to go first, so that other load on the machine favours neither.
    if (found.length % 2 === 0) {
      found.push({ bare: await timeOf(bare), ours: await timeOf(ours) });
    } else {
      found.push({ ours: await timeOf(ours), bare: await timeOf(bare) });
    }
  }
  const middle = (side: 'bare' | 'ours') => median(found.map((each) => each[side]));
  return {
    measure: 'time to ready',
    database,
    ours: `${middle('ours').toFixed(0)} ms`,
    rival: `${middle('bare').toFixed(0)} ms, bare Bolt`,
    ...atMostMore(targets.milliseconds, median(found.map((each) => each.ours - each.bare)), 'ms'),
  };
}

/** All are idle at once: memory does not depend on what else the machine does. */
async function compareMemory(bare: Start, sides: ReadonlyMap<DatabaseName, Start>): Promise<Row[]> {
  const rival = await bare();
  const programs: [DatabaseName, Program][] = [];
  for (const [database, ours] of sides) {
    programs.push([database, await ours()]);
  }
  await wait(idleSeconds * 1000);
  const least = residentMegabytes(rival);
  const rows = programs.map(([database, program]): Row => {
    const megabytes = residentMegabytes(program);
    return {
      measure: 'idle memory',
      database,
      ours: `${megabytes.toFixed(0)} MB`,
      rival: `${least.toFixed(0)} MB, bare Bolt`,
      ...atMostMore(targets.megabytes, megabytes - least, 'MB'),
    };
  });
  for (const program of [rival, ...programs.map(([, each]) => each)]) {
    await program.stop();
  }
  return rows;
}
