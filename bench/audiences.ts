import { setTimeout as wait } from 'node:timers/promises';
import { type CampaignProgram, startCampaigns, startFakes } from './support/campaigns.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { grouped, type MeasureOptions } from './support/measurement.ts';
import type { Row } from './support/rows.ts';

const recipients = 1_000_000;
/** Of them: reported as delivered. */
const delivered = 100_000;
/** Of them: in a campaign whose recipients are left out, with those that were delivered. */
const leftOut = 150_000;
const targets = { seconds: 60, megabytes: 65 };
const pollMs = 100;

/**
 * A part of a million recipients of a campaign as the list of another one, while a third one is sent: how long it takes to
 * count and to import, and in how much memory.
 */
export async function measureAudiences({ profile }: MeasureOptions): Promise<Row[]> {
  const fakes = await startFakes();
  const rows: Row[] = [];
  for (const database of databaseNames) {
    const program = await startCampaigns(fakes, { database: await newDatabase(database), profile });
    await program.read('old', recipients);
    await program.send('old');
    await program.report('old', delivered);
    await program.read('other', leftOut);
    await program.read('beside', recipients);
    rows.push(...(await usedOf(database, program)));
    await program.stop();
  }
  await fakes.stop();
  return rows;
}

async function usedOf(database: DatabaseName, program: CampaignProgram): Promise<Row[]> {
  await wait(2_000);
  const { now: before } = await program.memory();
  const sending = program.send('beside');
  let most = before;
  let isUsed = false;
  const watching = (async () => {
    while (!isUsed) {
      most = Math.max(most, (await program.memory()).now);
      await wait(pollMs);
    }
  })();
  const used = await program.use('new', { from: 'old', part: 'no_report', without: 'other' });
  isUsed = true;
  await watching;
  const more = most - before;
  const sent = await sending;
  const row = (what: string, ours: string, target: string, reached: boolean): Row => ({
    measure: `${what} ${grouped(used.recipients)} of ${grouped(recipients)} recipients of a campaign, while another is sent`,
    database,
    ours,
    rival: '–',
    ratio: undefined,
    target,
    reached,
  });
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  const isFast = used.importing <= targets.seconds * 1000;
  return [
    row(
      'time to count',
      seconds(used.counting),
      `≤ ${targets.seconds} s`,
      used.counting <= targets.seconds * 1000,
    ),
    row('time to import', seconds(used.importing), `≤ ${targets.seconds} s`, isFast),
    row(
      'memory of',
      `${more.toFixed(0)} MiB more`,
      `≤ ${targets.megabytes} MiB more`,
      more <= targets.megabytes,
    ),
    row('time to send a million beside', seconds(sent), 'ends', true),
  ];
}
