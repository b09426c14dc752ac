import { setTimeout as wait } from 'node:timers/promises';
import { acknowledge, besideIdle, perSecond } from './support/acknowledge.ts';
import { type CampaignProgram, type Fakes, startCampaigns, startFakes } from './support/campaigns.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { grouped, type MeasureOptions } from './support/measurement.ts';
import type { Row } from './support/rows.ts';

const recipients = 1_000_000;
/** Before what is measured, to let the compiler optimise. */
const warmUp = 100_000;
const idleSeconds = 8;
const targets = { rowsPerSecond: 60_000, megabytes: 100, p99: 3 };

/** A million rows: how fast they are read and written down, in how much memory, and how long a slash command takes meanwhile. */
export async function measureMillion({ profile }: MeasureOptions): Promise<Row[]> {
  const fakes = await startFakes();
  const rows: Row[] = [];
  for (const database of databaseNames) {
    const program = await startCampaigns(fakes, { database: await newDatabase(database), profile });
    await wait(2_000);
    const { now: idle } = await program.memory();
    await program.read('warm', warmUp);
    rows.push(await readingOf(database, program, idle));
    rows.push(...(await commandsOf(database, program, fakes)));
    await program.stop();
  }
  await fakes.stop();
  return rows;
}

async function readingOf(database: DatabaseName, program: CampaignProgram, idle: number): Promise<Row> {
  const milliseconds = await program.read('read', recipients);
  const { most } = await program.memory();
  const rate = (recipients / milliseconds) * 1000;
  return {
    measure: `rows read and written down a second, of ${grouped(recipients)}`,
    database,
    ours: `${grouped(rate)}, ${(most - idle).toFixed(0)} MiB over idle`,
    rival: '–',
    ratio: undefined,
    target: `≥ ${grouped(targets.rowsPerSecond)}, ≤ ${targets.megabytes} MiB`,
    reached: rate >= targets.rowsPerSecond && most - idle <= targets.megabytes,
  };
}

async function commandsOf(database: DatabaseName, program: CampaignProgram, fakes: Fakes): Promise<Row[]> {
  await acknowledge(fakes, program, program.send('warm'));
  const idling = () => acknowledge(fakes, program, wait(idleSeconds * 1000));
  const before = await idling();
  const reading = await acknowledge(fakes, program, program.read('busy', recipients));
  const between = await idling();
  const sending = await acknowledge(fakes, program, program.send('busy'));
  const row = (what: string, times: readonly number[]): Row => ({
    measure: `p99 of \`/sms help\`, ${perSecond} a second, while ${grouped(recipients)} rows are ${what}`,
    database,
    ...besideIdle(times, [...before, ...between], targets.p99),
  });
  return [row('read', reading), row('sent, and answered at once', sending)];
}
