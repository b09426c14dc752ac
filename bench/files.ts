import { setTimeout as wait } from 'node:timers/promises';
import { acknowledge, besideIdle } from './support/acknowledge.ts';
import { type CampaignProgram, type Fakes, startCampaigns, startFakes } from './support/campaigns.ts';
import { evilFiles } from './support/evil-files.ts';
import { percentile } from './support/figures.ts';
import { atMostMore, type MeasureOptions } from './support/measurement.ts';
import { mostMegabytes, residentMegabytes } from './support/program.ts';
import type { Row } from './support/rows.ts';

/** For each file without a size, and for the idle program before each file. */
const seconds = { file: 8, idle: 4 };
const targets = { megabytes: 100, p99: 3 };
/**
 * The lists other than campaign recipients, with the size of each file in bytes: at least the maximum of
 * their forms.
 */
const lists: Readonly<Record<string, number>> = {
  contacts: 2_000_000,
  checks: 2_000_000,
  'do-not-contact': 10_000_000,
};

/**
 * Measures worst-case files: memory over the idle program, and the latency of slash commands. The program is
 * idle before each file. For each list other than recipients, the worst file is shown. `FILES` and `LISTS`
 * select files and lists, separated by bars.
 */
export async function measureFiles({ profile }: MeasureOptions): Promise<Row[]> {
  const names = process.env.FILES?.split('|') ?? evilFiles;
  const chosen = process.env.LISTS?.split('|') ?? ['recipients', ...Object.keys(lists)];
  const fakes = await startFakes();
  const rows: Row[] = [];
  if (chosen.includes('recipients')) {
    for (const name of names) {
      const read = (program: CampaignProgram) => program.readEvil('evil', name, seconds.file);
      rows.push(...rowsOf(name, await measureReading(fakes, profile, name, read)));
    }
  }
  for (const [list, size] of Object.entries(lists).filter(([list]) => chosen.includes(list))) {
    const readings: Reading[] = [];
    for (const name of names) {
      const read = (program: CampaignProgram) => program.readList(list, name, size);
      readings.push(await measureReading(fakes, profile, `${list}, ${name}`, read));
    }
    const [worst] = readings.sort((one, other) => other.megabytes - other.idle - (one.megabytes - one.idle));
    if (worst !== undefined) {
      const merged = (which: 'times' | 'idleTimes') => readings.flatMap((reading) => reading[which]);
      const what = `${names.length} files as ${list}, of ${size / 1e6} MB`;
      rows.push(...rowsOf(what, { ...worst, times: merged('times'), idleTimes: merged('idleTimes') }));
    }
  }
  await fakes.stop();
  return rows;
}

interface Reading {
  /** Milliseconds of each slash command. */
  times: number[];
  idleTimes: number[];
  /** Megabytes of the idle program. */
  idle: number;
  /** Peak megabytes while the file was read. */
  megabytes: number;
}

async function measureReading(
  fakes: Fakes,
  profile: string | undefined,
  what: string,
  read: (program: CampaignProgram) => Promise<string | undefined>,
): Promise<Reading> {
  const program = await startCampaigns(fakes, { profile });
  await wait(2_000);
  const idle = residentMegabytes(program);
  const idleTimes = await acknowledge(fakes, program, wait(seconds.idle * 1000));
  const begin = performance.now();
  const reading = read(program);
  const [times, megabytes] = await Promise.all([
    acknowledge(fakes, program, reading),
    mostMegabytes(program, reading),
  ]);
  const refusal = await reading;
  await program.stop();
  const took = ((performance.now() - begin) / 1000).toFixed(0);
  const p99 = [times, idleTimes].map((each) => percentile(each, 0.99).toFixed(0)).join(', idle ');
  console.error(
    `${what}: ${(megabytes - idle).toFixed(0)} MB over idle, p99 ${p99} ms, ${took} s, ${refusal ?? 'read'}`,
  );
  return { times, idleTimes, idle, megabytes };
}

function rowsOf(what: string, { times, idleTimes, idle, megabytes }: Reading): Row[] {
  return [
    {
      measure: `memory while a file is read: ${what}`,
      database: 'SQLite',
      ours: `${megabytes.toFixed(0)} MB`,
      rival: `${idle.toFixed(0)} MB, idle`,
      ...atMostMore(targets.megabytes, megabytes - idle, 'MB'),
    },
    {
      measure: `p99 of a slash command meanwhile: ${what}`,
      database: 'SQLite',
      ...besideIdle(times, idleTimes, targets.p99),
    },
  ];
}
