import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { acknowledge, acknowledgements, perSecond } from './support/acknowledge.ts';
import { type Fakes, inFlight, startCampaigns, startLoop } from './support/campaigns.ts';
import { median, table } from './support/figures.ts';
import { startProgram } from './support/program.ts';
import { startSlack } from './support/slack.ts';

/**
 * `npm run bench`: the rate of a campaign compared with a bare loop that stores nothing; the time and memory of importing
 * and sending ten thousand to a million recipients; and the latency of slash commands meanwhile. Everything runs in its
 * own process, with a fake Slack and a provider that only counts.
 *
 * `node bench/campaign.ts --parts rate,size,ack --rounds 6 --rows 100000`, and `--profile <folder>` for CPU profiles.
 */
const { values: options } = parseArgs({
  options: {
    parts: { type: 'string', default: 'rate,size,ack' },
    rounds: { type: 'string', default: '6' },
    rows: { type: 'string', default: '100000' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    profile: { type: 'string' },
  },
});
const sizes = options.sizes.split(',').map(Number);
/** The smallest ratio to the bare loop's rate; the most MiB above the idle program; the largest ratio to the idle p99. */
const targets = { rate: 0.8, memory: 100, p99: 3 };
/** In milliseconds: the latency of a provider that is near but not on the same machine. */
const slow = 20;
const idleSeconds = 8;

const met = (isMet: boolean) => (isMet ? 'met' : 'missed');
const thousands = (figure: number) => Math.round(figure).toLocaleString('en');
const seenSchema = z.object({ recipients: z.number() });

/** Throws unless the provider sees exactly `rows` recipients while the work runs. */
async function expectRecipients<Result>(
  { provider }: Fakes,
  rows: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const seen = async () => seenSchema.parse(await (await fetch(`${provider}/seen`)).json()).recipients;
  const before = await seen();
  const result = await work();
  const recipients = (await seen()) - before;
  if (recipients !== rows) {
    throw new Error(`The provider saw ${recipients} recipients instead of ${rows}.`);
  }
  return result;
}

/** Delays the provider's responses from now on. */
async function delayResponses({ provider }: Fakes, milliseconds: number): Promise<void> {
  await fetch(`${provider}/slow?milliseconds=${milliseconds}`);
}

async function compareRates(fakes: Fakes): Promise<string> {
  const rows = Number(options.rows);
  const rounds = Number(options.rounds);
  const lines: string[][] = [];
  for (const slowness of [0, slow]) {
    await delayResponses(fakes, slowness);
    const { campaign, bare, ratio } = await rates(fakes, rows, rounds);
    lines.push([
      slowness === 0 ? 'at once' : `after ${slowness} ms`,
      thousands(campaign),
      thousands(bare),
      ratio.toFixed(2),
      `≥ ${targets.rate}: ${met(ratio >= targets.rate)}`,
    ]);
  }
  await delayResponses(fakes, 0);
  return [
    table([
      ['recipients/s, where the provider answers', 'a campaign', 'bare undici', 'ratio', 'target'],
      ...lines,
    ]),
    `${inFlight} requests in flight, 100 recipients each. Medians of ${rounds} rounds of ${thousands(rows)} recipients; ` +
      'a ratio is the median of the rounds’ ratios. Bare undici stores nothing.',
  ].join('\n');
}

async function rates(
  fakes: Fakes,
  rows: number,
  rounds: number,
): Promise<{ campaign: number; bare: number; ratio: number }> {
  const program = await startCampaigns(fakes, options.profile);
  const loop = await startLoop(fakes, options.profile);
  // One more than is measured, to let the compiler optimise.
  for (let round = 0; round <= rounds; round += 1) {
    await program.read(`rate-${round}`, rows);
  }
  const sides = {
    campaign: (round: number) => program.send(`rate-${round}`),
    bare: () => loop.send(rows),
  };
  const rate = async (side: keyof typeof sides, round: number) =>
    (rows / (await expectRecipients(fakes, rows, () => sides[side](round)))) * 1000;
  await rate('campaign', 0);
  await rate('bare', 0);
  const found: { campaign: number; bare: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    // They take turns to go first, so that other load on the machine favours neither.
    if (round % 2 === 0) {
      found.push({ campaign: await rate('campaign', round), bare: await rate('bare', round) });
    } else {
      found.push({ bare: await rate('bare', round), campaign: await rate('campaign', round) });
    }
  }
  await program.stop();
  await loop.stop();
  return {
    campaign: median(found.map(({ campaign }) => campaign)),
    bare: median(found.map(({ bare }) => bare)),
    ratio: median(found.map(({ campaign, bare }) => campaign / bare)),
  };
}

async function compareSizes(fakes: Fakes): Promise<string> {
  const lines: { rows: number; reading: number; sending: number; idle: number; most: number }[] = [];
  for (const rows of sizes) {
    // Each in its own process, as the peak of a process's memory never falls.
    const program = await startCampaigns(fakes, options.profile);
    await wait(2_000);
    const { now: idle } = await program.memory();
    const reading = await program.read('size', rows);
    const sending = await expectRecipients(fakes, rows, () => program.send('size'));
    const { most } = await program.memory();
    await program.stop();
    lines.push({ rows, reading, sending, idle, most });
  }
  const perRow = ({ rows, reading, sending }: (typeof lines)[number]) => ((reading + sending) / rows) * 1000;
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) {
    throw new Error('There is no size to measure.');
  }
  const over = last.most - last.idle;
  return [
    table([
      ['rows', 'reading s', 'rows/s', 'sending s', 'rows/s', 'µs/row', 'idle MiB', 'peak MiB', 'over idle'],
      ...lines.map((line) => [
        thousands(line.rows),
        (line.reading / 1000).toFixed(1),
        thousands((line.rows / line.reading) * 1000),
        (line.sending / 1000).toFixed(1),
        thousands((line.rows / line.sending) * 1000),
        perRow(line).toFixed(1),
        line.idle.toFixed(0),
        line.most.toFixed(0),
        (line.most - line.idle).toFixed(0),
      ]),
      ['target', '', '', '', '', '', '', '', `≤ ${targets.memory}: ${met(over <= targets.memory)}`],
    ]),
    `A row of the largest list takes ${(perRow(last) / perRow(first)).toFixed(2)} times as long as one of the smallest.`,
  ].join('\n');
}

async function compareAcknowledgements(fakes: Fakes): Promise<string> {
  const rows = Math.max(...sizes);
  const program = await startCampaigns(fakes, options.profile);
  // To let the compiler optimise.
  await acknowledge(fakes, program, program.read('warm', rows / 10));
  await acknowledge(fakes, program, program.send('warm'));
  const idle = wait.bind(undefined, idleSeconds * 1000);
  const before = await acknowledge(fakes, program, idle());
  const reading = await acknowledge(fakes, program, program.read('ack', rows));
  const between = await acknowledge(fakes, program, idle());
  const sending = await acknowledge(fakes, program, program.send('ack'));
  await program.read('slow', rows / 5);
  await delayResponses(fakes, slow);
  const sendingSlowly = await acknowledge(fakes, program, program.send('slow'));
  await delayResponses(fakes, 0);
  await program.stop();

  return [
    acknowledgements([...before, ...between], targets.p99, {
      [`while ${thousands(rows)} rows are read`]: reading,
      'while they are sent, and answered at once': sending,
      [`while a fifth is sent, answered after ${slow} ms`]: sendingSlowly,
    }),
    `${perSecond} commands a second, whether or not earlier ones were answered.`,
  ].join('\n');
}

const slack = await startSlack();
const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
const fakes = { slack: slack.url, provider: provider.url };
const parts: Record<string, (fakes: Fakes) => Promise<string>> = {
  rate: compareRates,
  size: compareSizes,
  ack: compareAcknowledgements,
};
for (const name of options.parts.split(',')) {
  const part = parts[name];
  if (part === undefined) {
    throw new Error(`There is no part ${name}; there are: ${Object.keys(parts).join(', ')}.`);
  }
  console.log(`${await part(fakes)}\n`);
}
await slack.stop();
await provider.stop();
