import { startCampaigns, startFakes } from './support/campaigns.ts';
import { newDatabase } from './support/databases.ts';
import { median } from './support/figures.ts';
import { atLeast, grouped, type MeasureOptions } from './support/measurement.ts';
import type { Row } from './support/rows.ts';
import { connectedSettings } from './support/switchboard.ts';

const recipients = 60_000;
const rounds = 3;
const teams = ['T0BENCH', 'T1BENCH'];
/** In milliseconds: how long the provider takes to respond. */
const delay = 20;
const target = 1.7;

/** The campaigns of two workspaces on one PostgreSQL, sent by two instances, and by one. */
export async function measureInstances({ profile }: MeasureOptions): Promise<Row[]> {
  const one = await rateOf(1, profile);
  const two = await rateOf(2, profile);
  return [
    {
      measure: 'recipients a second of two workspaces’ campaigns, two instances',
      database: 'PostgreSQL',
      ours: grouped(two),
      rival: `${grouped(one)}, one instance`,
      ...atLeast(target, two / one),
    },
  ];
}

async function rateOf(instances: number, profile: string | undefined): Promise<number> {
  const fakes = await startFakes();
  await fakes.delayResponses(delay);
  const database = await newDatabase('PostgreSQL');
  const settings = await connectedSettings(fakes.slack, fakes.provider, fakes.key, database, teams);
  const programs = await Promise.all(
    Array.from({ length: instances }, (_, index) =>
      startCampaigns(fakes, {
        connected: { ...settings, DATA_DIR: `${settings.DATA_DIR}/${index}` },
        profile,
      }),
    ),
  );
  const [first] = programs;
  if (first === undefined) {
    throw new Error('There is no instance.');
  }
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const team of teams) {
      await first.read(`${team}-${round}`, recipients, team);
    }
    const took = await fakes.timeOf(recipients * teams.length, async () => {
      await Promise.all(teams.map((team) => first.start(`${team}-${round}`, team)));
    });
    rates.push(((recipients * teams.length) / took) * 1000);
  }
  for (const program of programs) {
    await program.stop();
  }
  await fakes.stop();
  // Without the first, which lets the compiler optimise.
  return median(rates.slice(1));
}
