import { parseArgs } from 'node:util';
import { z } from 'zod';
import { median, table } from './support/figures.ts';
import { type Program, startProgram } from './support/program.ts';

/**
 * `npm run bench`: the calls a second of the provider's client, and their cost in CPU time and memory, compared with a
 * loop that makes the same call with undici's `request` alone. Each runs in its own process; they take turns with one
 * fake provider.
 *
 * `node bench/client.ts --loops 8 --rounds 8 --seconds 1.5`, and `--profile <folder>` for CPU profiles of both.
 */
const { values: options } = parseArgs({
  options: {
    loops: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '1.5' },
    profile: { type: 'string' },
  },
});
/** For each side, before the first round, to let the compiler optimise. */
const warmUpSeconds = 3;
/** The smallest ratio to the bare loop's rate. */
const target = 0.7;

const sides = ['client', 'bare'] as const;
type Side = (typeof sides)[number];

const roundSchema = z.object({
  /** Calls a second. */
  rate: z.number(),
  /** Microseconds of CPU time per call. */
  cpu: z.number(),
  /** In MiB: resident at the end of the round, and on the heap after garbage collection. */
  rss: z.number(),
  heap: z.number(),
});
type Figure = keyof z.output<typeof roundSchema>;

async function measure({ url }: Program, seconds: number) {
  const response = await fetch(`${url}/?seconds=${seconds}`);
  return roundSchema.parse(await response.json());
}

const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
const start = (side: Side) =>
  startProgram(
    new URL('caller.ts', import.meta.url),
    { SIDE: side, PROVIDER_URL: provider.url, LOOPS: options.loops },
    options.profile,
  );
const programs = { client: await start('client'), bare: await start('bare') };
for (const side of sides) {
  await measure(programs[side], warmUpSeconds);
}

const rounds: Record<Side, z.output<typeof roundSchema>>[] = [];
while (rounds.length < Number(options.rounds)) {
  const turn = (side: Side) => measure(programs[side], Number(options.seconds));
  // They take turns to go first, so that other load on the machine favours neither.
  if (rounds.length % 2 === 0) {
    rounds.push({ client: await turn('client'), bare: await turn('bare') });
  } else {
    rounds.push({ bare: await turn('bare'), client: await turn('client') });
  }
}
for (const program of [...Object.values(programs), provider]) {
  await program.stop();
}

const middle = (side: Side, figure: Figure) => median(rounds.map((round) => round[side][figure]));
const ratio = (figure: Figure) =>
  median(rounds.map(({ client, bare }) => client[figure] / bare[figure])).toFixed(2);
const figures = (side: Side) => [
  middle(side, 'rate').toFixed(0),
  middle(side, 'cpu').toFixed(0),
  middle(side, 'rss').toFixed(0),
  middle(side, 'heap').toFixed(1),
];
console.log(
  table([
    ['messages.send', 'calls/s', 'CPU µs/call', 'resident MiB', 'heap MiB'],
    ['the provider’s client', ...figures('client')],
    ['bare undici', ...figures('bare')],
    ['ratio', ratio('rate'), ratio('cpu'), ratio('rss'), ratio('heap')],
    ['target', `≥ ${target}: ${Number(ratio('rate')) >= target ? 'met' : 'missed'}`],
  ]),
);
console.log(
  `Medians of ${options.rounds} rounds of ${options.seconds} s with ${options.loops} loops; ` +
    'a ratio is the median of the rounds’ ratios.',
);
