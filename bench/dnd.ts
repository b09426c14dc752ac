import { z } from 'zod';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { median } from './support/figures.ts';
import { atLeast, type MeasureOptions } from './support/measurement.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { startSlack } from './support/slack.ts';
import { connectedSettings, startOptions } from './support/switchboard.ts';

const numbers = 1_000;
/** In milliseconds: how long the provider takes to respond. */
const delay = 20;
/** Requests of one workspace at once, with the connections that are the default. */
const together = 4;
const rounds = 3;
/** The smallest ratio to the rate of the bare loop. */
const target = 0.9;

const tookSchema = z.object({ milliseconds: z.number() });

async function timeOf({ url }: Program, count = numbers): Promise<number> {
  const response = await fetch(`${url}/?numbers=${count}`);
  return tookSchema.parse(await response.json()).milliseconds;
}

/** 1,000 Do-Not-Disturb checks as `/dnd-check` does them, beside a bare undici loop with as many requests at once. */
export async function measureDndChecks({ profile }: MeasureOptions): Promise<Row[]> {
  const slack = await startSlack();
  const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
  await fetch(`${provider.url}/slow?milliseconds=${delay}`);
  const caller = new URL('dnd-caller.ts', import.meta.url);
  const bare = await startProgram(caller, {
    SIDE: 'bare',
    PROVIDER_BASE_URL: provider.url,
    TOGETHER: String(together),
  });
  const rows: Row[] = [];
  for (const database of databaseNames) {
    const settings = await connectedSettings(
      slack.url,
      provider.url,
      'bench-key-41c7d90be2',
      await newDatabase(database),
    );
    const ours = await startProgram(
      caller,
      { ...settings, LOG_LEVEL: 'error', SIDE: 'switchboard' },
      profile,
      startOptions,
    );
    rows.push(await compare(database, ours, bare));
    await ours.stop();
  }
  for (const program of [bare, provider, slack]) {
    await program.stop();
  }
  return rows;
}

async function compare(database: DatabaseName, ours: Program, bare: Program): Promise<Row> {
  // To let the compiler optimise.
  for (const program of [ours, bare]) {
    await timeOf(program, numbers / 5);
  }
  const found: { ours: number; bare: number }[] = [];
  while (found.length < rounds) {
    if (found.length % 2 === 0) {
      found.push({ ours: await timeOf(ours), bare: await timeOf(bare) });
    } else {
      found.push({ bare: await timeOf(bare), ours: await timeOf(ours) });
    }
  }
  const seconds = (side: 'ours' | 'bare') =>
    `${(median(found.map((each) => each[side])) / 1000).toFixed(2)} s`;
  return {
    measure: `1,000 Do-Not-Disturb checks, provider after ${delay} ms, ${together} at once`,
    database,
    ours: seconds('ours'),
    rival: `${seconds('bare')}, bare undici; ${((numbers * delay) / together / 1000).toFixed(2)} s at best`,
    ...atLeast(target, median(found.map((each) => each.bare / each.ours))),
  };
}
