import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { acknowledge, acknowledgements, perSecond } from './support/acknowledge.ts';
import { startCampaigns } from './support/campaigns.ts';
import { evilFiles } from './support/evil-files.ts';
import { startProgram } from './support/program.ts';
import { startSlack } from './support/slack.ts';

/**
 * `npm run bench`: the latency of slash commands while a worst-case file is imported, compared with the idle program. The
 * files have the most columns, the longest cells and the most rows that are read, full of text that is slow to parse.
 * Everything runs in its own process, with a fake Slack and a provider that only counts.
 *
 * `node bench/files.ts --seconds 10`, and `--profile <folder>` for CPU profiles.
 */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, profile: { type: 'string' } },
});
const seconds = Number(options.seconds);
/** The largest ratio to the idle p99. */
const maxRatio = 3;

const slack = await startSlack();
const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
const fakes = { slack: slack.url, provider: provider.url };
const program = await startCampaigns(fakes, options.profile);
const idle: number[] = [];
const busy: Record<string, number[]> = {};
// To let the compiler optimise.
for (const file of evilFiles) {
  await acknowledge(fakes, program, program.readEvil('warm', file, 1));
}
for (const [index, file] of evilFiles.entries()) {
  idle.push(...(await acknowledge(fakes, program, wait((seconds * 1000) / 2))));
  busy[`while a file is read: ${file}`] = await acknowledge(
    fakes,
    program,
    program.readEvil(`evil-${index}`, file, seconds),
  );
}
await program.stop();
await provider.stop();
await slack.stop();
console.log(acknowledgements(idle, maxRatio, busy));
console.log(`${perSecond} commands a second, whether or not earlier ones were answered.`);
