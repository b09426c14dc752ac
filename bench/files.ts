import { setTimeout as wait } from 'node:timers/promises';
import { acknowledge, besideIdle } from './support/acknowledge.ts';
import { startCampaigns, startFakes } from './support/campaigns.ts';
import { evilFiles } from './support/evil-files.ts';
import type { MeasureOptions } from './support/measurement.ts';
import type { Row } from './support/rows.ts';

/** Of each file. */
const seconds = 8;
/** The largest ratio to the idle p99. */
const maxRatio = 3;

/**
 * The latency of slash commands while a worst-case file is imported, beside the idle program. The files have the most columns,
 * the longest cells and the most rows that are read, full of text that is slow to parse.
 */
export async function measureFiles({ profile }: MeasureOptions): Promise<Row[]> {
  const fakes = await startFakes();
  const program = await startCampaigns(fakes, { profile });
  const idle: number[] = [];
  const busy: [string, number[]][] = [];
  // To let the compiler optimise.
  for (const file of evilFiles) {
    await acknowledge(fakes, program, program.readEvil('warm', file, 1));
  }
  for (const [index, file] of evilFiles.entries()) {
    idle.push(...(await acknowledge(fakes, program, wait((seconds * 1000) / 2))));
    const reading = program.readEvil(`evil-${index}`, file, seconds);
    busy.push([file, await acknowledge(fakes, program, reading)]);
  }
  await program.stop();
  await fakes.stop();
  return busy.map(([file, times]) => ({
    measure: `p99 of a slash command while a file is read: ${file}`,
    database: 'SQLite',
    ...besideIdle(times, idle, maxRatio),
  }));
}
