import { type Fakes, inFlight, startCampaigns, startFakes, startLoop } from './support/campaigns.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { median } from './support/figures.ts';
import { atLeast, grouped, type MeasureOptions } from './support/measurement.ts';
import type { Row } from './support/rows.ts';

const recipients = 60_000;
const rounds = 5;
/** In milliseconds: the latency of a provider that is near but not on the same machine. */
const near = 20;
/** The smallest ratio to the bare loop's rate, where the provider is near. */
const targets: Readonly<Record<DatabaseName, number>> = { SQLite: 0.85, PostgreSQL: 0.8 };

interface Rates {
  campaign: number;
  bare: number;
}

/**
 * The recipients a second of a campaign, beside a bare undici loop with as many requests in flight, each with a hundred
 * recipients, which records nothing.
 */
export async function measureCampaignRates({ profile }: MeasureOptions): Promise<Row[]> {
  const fakes = await startFakes();
  const rows: Row[] = [];
  for (const database of databaseNames) {
    for (const delay of [near, 0]) {
      await fakes.delayResponses(delay);
      const found = await compare(fakes, database, profile);
      const ratio = median(found.map(({ campaign, bare }) => campaign / bare));
      rows.push({
        measure: `campaign recipients a second, provider ${delay === 0 ? 'at once' : `after ${delay} ms`}, ${inFlight} requests in flight`,
        database,
        ours: grouped(median(found.map(({ campaign }) => campaign))),
        rival: `${grouped(median(found.map(({ bare }) => bare)))}, bare undici`,
        ...(delay === 0 ? { ratio, target: 'none', reached: undefined } : atLeast(targets[database], ratio)),
      });
    }
  }
  await fakes.stop();
  return rows;
}

async function compare(fakes: Fakes, database: DatabaseName, profile: string | undefined): Promise<Rates[]> {
  const program = await startCampaigns(fakes, { database: await newDatabase(database), profile });
  const loop = await startLoop(fakes, profile);
  // One more than is measured, to let the compiler optimise.
  for (let round = 0; round <= rounds; round += 1) {
    await program.read(`rate-${round}`, recipients);
  }
  const rate = async (send: () => Promise<number>) =>
    (recipients / (await fakes.expectRecipients(recipients, send))) * 1000;
  const campaign = (round: number) => rate(() => program.send(`rate-${round}`));
  const bare = () => rate(() => loop.send(recipients));
  await campaign(0);
  await bare();
  const found: Rates[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    // They take turns to go first, so that other load on the machine favours neither.
    if (round % 2 === 0) {
      found.push({ campaign: await campaign(round), bare: await bare() });
    } else {
      found.push({ bare: await bare(), campaign: await campaign(round) });
    }
  }
  await program.stop();
  await loop.stop();
  return found;
}
