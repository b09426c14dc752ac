import { setTimeout as wait } from 'node:timers/promises';
import { startCampaigns, startFakes } from './support/campaigns.ts';
import { newDatabase } from './support/databases.ts';
import { median } from './support/figures.ts';
import { grouped, type MeasureOptions } from './support/measurement.ts';
import type { Row } from './support/rows.ts';
import { startSlowLink } from './support/slow-link.ts';

const recipients = 60_000;
const rounds = 3;
/** In milliseconds: the round trip to PostgreSQL, and how long the provider takes to respond. */
const roundTrip = 10;
const delay = 20;
/** Over which the round trips of the idle program are counted, in milliseconds. */
const idleMs = 5_000;
const targets = { recipientsPerSecond: 2_000, roundTrips: 2 };

/** A campaign whose PostgreSQL is in another data centre: its recipients a second, and the round trips of each turn. */
export async function measureDistance({ profile }: MeasureOptions): Promise<Row[]> {
  const fakes = await startFakes();
  await fakes.delayResponses(delay);
  const { DATABASE_URL = '', ...database } = await newDatabase('PostgreSQL');
  const link = await startSlowLink(DATABASE_URL, roundTrip);
  const program = await startCampaigns(fakes, { database: { ...database, DATABASE_URL: link.url }, profile });
  for (let round = 0; round <= rounds; round += 1) {
    await program.read(`far-${round}`, recipients);
  }
  await program.send('far-0');
  const begin = link.roundTrips();
  await wait(idleMs);
  const idlePerMs = (link.roundTrips() - begin) / idleMs;
  const rates: number[] = [];
  const perTurn: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const [tripsBefore, turnsBefore] = [link.roundTrips(), await program.turns()];
    const took = await fakes.expectRecipients(recipients, () => program.send(`far-${round}`));
    const turns = (await program.turns()) - turnsBefore;
    rates.push((recipients / took) * 1000);
    perTurn.push((link.roundTrips() - tripsBefore - idlePerMs * took) / turns);
  }
  await program.stop();
  await link.stop();
  await fakes.stop();
  const [rate, trips] = [median(rates), median(perTurn)];
  return [
    {
      measure: `campaign recipients a second, PostgreSQL ${roundTrip} ms away; round trips a turn`,
      database: 'PostgreSQL',
      ours: `${grouped(rate)}; ${trips.toFixed(1)}`,
      rival: '–',
      ratio: undefined,
      target: `≥ ${grouped(targets.recipientsPerSecond)}; ≤ ${targets.roundTrips}`,
      reached: rate >= targets.recipientsPerSecond && trips <= targets.roundTrips,
    },
  ];
}
