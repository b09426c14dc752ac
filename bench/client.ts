import { z } from 'zod';
import { median } from './support/figures.ts';
import { atLeast, grouped, type MeasureOptions } from './support/measurement.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';

const loops = 8;
const roundCount = 8;
const seconds = 1.5;
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
type Round = Record<Side, z.output<typeof roundSchema>>;

async function measure({ url }: Program, seconds: number) {
  const response = await fetch(`${url}/?seconds=${seconds}`);
  return roundSchema.parse(await response.json());
}

/**
 * The calls a second of the provider's client, beside a loop that makes the same call with undici's `request` alone. Each
 * runs in its own process; they take turns with one fake provider.
 */
export async function measureClient({ profile }: MeasureOptions): Promise<Row[]> {
  const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
  const start = (side: Side) =>
    startProgram(
      new URL('caller.ts', import.meta.url),
      { SIDE: side, PROVIDER_URL: provider.url, LOOPS: String(loops) },
      profile,
    );
  const programs = { client: await start('client'), bare: await start('bare') };
  for (const side of sides) {
    await measure(programs[side], warmUpSeconds);
  }
  const rounds: Round[] = [];
  while (rounds.length < roundCount) {
    const turn = (side: Side) => measure(programs[side], seconds);
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
  return [rowOf(rounds)];
}

function rowOf(rounds: readonly Round[]): Row {
  const middle = (side: Side, figure: Figure) => median(rounds.map((round) => round[side][figure]));
  const ratio = (figure: Figure) => median(rounds.map(({ client, bare }) => client[figure] / bare[figure]));
  console.error(
    `CPU a call ${middle('client', 'cpu').toFixed(0)} µs beside ${middle('bare', 'cpu').toFixed(0)}; ` +
      `heap ${middle('client', 'heap').toFixed(1)} MiB beside ${middle('bare', 'heap').toFixed(1)}`,
  );
  return {
    measure: '`messages.send` of the client, calls a second',
    database: '–',
    ours: grouped(middle('client', 'rate')),
    rival: `${grouped(middle('bare', 'rate'))}, bare undici`,
    ...atLeast(target, ratio('rate')),
  };
}
