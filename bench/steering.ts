import { setTimeout as wait } from 'node:timers/promises';
import { type Fakes, inFlight, startCampaigns, startFakes } from './support/campaigns.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { percentile } from './support/figures.ts';
import { grouped, type MeasureOptions } from './support/measurement.ts';
import type { Row } from './support/rows.ts';

const recipients = 1_000_000;
const pauses = 100;
const smallCampaigns = 10;
const smallSize = 10;
/** In milliseconds: how long the provider takes to respond. */
const delay = 20;
/** Longer than requests are in flight. */
const quietMs = 400;
const recipientsPerRequest = 100;
const targets = { pauseMs: 1_000, firstMessageMs: 2_000 };

/** How soon a large campaign stops when it is paused, and how soon a small one beside it has sent its first message. */
export async function measureSteering({ profile }: MeasureOptions): Promise<Row[]> {
  const fakes = await startFakes();
  await fakes.delayResponses(delay);
  const rows: Row[] = [];
  for (const database of databaseNames) {
    rows.push(await pausesOf(fakes, database, profile), await firstMessagesOf(fakes, database, profile));
  }
  await fakes.stop();
  return rows;
}

async function pausesOf(fakes: Fakes, database: DatabaseName, profile: string | undefined): Promise<Row> {
  const program = await startCampaigns(fakes, { database: await newDatabase(database), profile });
  await program.read('large', recipients);
  await program.start('large');
  const lastLeftAfter: number[] = [];
  let most = 0;
  for (let pause = 0; pause < pauses; pause += 1) {
    await fakes.untilArrivals();
    await wait(Math.random() * 50);
    const from = performance.timeOrigin + performance.now();
    await program.steer('pause', 'large');
    const stored = performance.timeOrigin + performance.now();
    await wait(quietMs);
    const { lastAt } = await fakes.arrivedAfter(from);
    lastLeftAfter.push(Math.max(0, lastAt - from));
    most = Math.max(most, (await fakes.arrivedAfter(stored)).recipients);
    await program.steer('resume', 'large');
  }
  await program.stop();
  const p99 = percentile(lastLeftAfter, 0.99);
  return {
    measure: `*Pause* to the last request leaving, p99 of ${pauses}; the most messages after the pause was stored`,
    database,
    ours: `${p99.toFixed(0)} ms; ${grouped(most)}`,
    rival: '–',
    ratio: undefined,
    target: `≤ ${targets.pauseMs} ms; ≤ ${grouped(inFlight * recipientsPerRequest)}`,
    reached: p99 <= targets.pauseMs && most <= inFlight * recipientsPerRequest,
  };
}

/** With the default connections and pace: the small campaigns have to share both with the large one. */
async function firstMessagesOf(
  fakes: Fakes,
  database: DatabaseName,
  profile: string | undefined,
): Promise<Row> {
  const program = await startCampaigns(fakes, {
    database: await newDatabase(database),
    profile,
    settings: {},
  });
  await program.read('large', recipients);
  await program.start('large');
  await fakes.untilArrivals();
  const took: number[] = [];
  for (let index = 0; index < smallCampaigns; index += 1) {
    await program.read(`small-${index}`, smallSize);
    took.push(await program.sendFirst(`small-${index}`));
  }
  await program.stop();
  const longest = Math.max(...took);
  return {
    measure: `first message of a small campaign beside one of ${grouped(recipients)}, the longest of ${smallCampaigns}`,
    database,
    ours: `${(longest / 1000).toFixed(1)} s`,
    rival: '–',
    ratio: undefined,
    target: `≤ ${targets.firstMessageMs / 1000} s`,
    reached: longest <= targets.firstMessageMs,
  };
}
