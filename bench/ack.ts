import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median, percentile, table } from './support/figures.ts';
import { load } from './support/load.ts';
import { startProgram } from './support/program.ts';
import { type FakeSlack, startSlack } from './support/slack.ts';
import { slashCommands } from './support/slash-commands.ts';
import { startSwitchboard } from './support/switchboard.ts';
import { slackSettings } from './support/workspace.ts';

/**
 * `npm run bench`: the rate and the latency at which Switchboard acknowledges signed slash commands, compared with a bare
 * Bolt app. Each runs in its own process with the same fake Slack, and they are loaded in turns.
 *
 * `node bench/ack.ts --connections 10 --rounds 6 --seconds 1.5`, and `--profile <folder>` for CPU profiles of both.
 */
const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '1.5' },
    profile: { type: 'string' },
  },
});
/** For each side, before the first round: fills caches, and lets the compiler optimise. */
const warmUpSeconds = 3;
const openTimeoutMs = 10_000;

interface Comparison {
  /** The text after `/sms`. */
  text: string;
  /** Whether it opens a view. */
  opens: boolean;
  bare: string;
  /** Checks the body of Switchboard's acknowledgement. The bare app's is empty. */
  isRight: (body: string) => boolean;
  /** The smallest ratio to the bare app's rate, and the largest to its p99. */
  targets: { rate: number; p99?: number };
}

const isEmpty = (body: string) => body === '';

const comparisons: Comparison[] = [
  {
    text: 'help',
    opens: false,
    bare: 'bare Bolt, which only acknowledges',
    isRight: (body) => body.includes('"ephemeral"') && body.includes('How to send an SMS with /sms'),
    targets: { rate: 0.8, p99: 2 },
  },
  {
    text: '',
    opens: true,
    bare: 'bare Bolt, which acknowledges and opens a fixed view',
    isRight: isEmpty,
    targets: { rate: 0.7 },
  },
];

interface Side {
  url: string;
  isRight: (body: string) => boolean;
}

interface Round {
  /** The share of acknowledgements with a wrong body. */
  wrong: number;
  /** Commands a second that were acknowledged and, if they open a view, whose view was opened. */
  rate: number;
  /** Of the acknowledgement, in milliseconds. */
  p50: number;
  p99: number;
}

async function compare(slack: FakeSlack, comparison: Comparison): Promise<string[][]> {
  const program = await startSwitchboard(slack.url, options.profile);
  const switchboard = { url: program.url, isRight: comparison.isRight };
  await measure(slack, switchboard, comparison, warmUpSeconds);

  // The bare app opens the same form as Switchboard, so that the size of the view makes no difference.
  const { lastView } = await slack.seen();
  if (comparison.opens && !lastView.includes('"sms_compose"')) {
    throw new Error(`This is not the form of /sms: ${lastView}`);
  }
  const bareProgram = await startProgram(
    new URL('bare-app.ts', import.meta.url),
    { ...slackSettings(slack.url), ...(comparison.opens ? { VIEW: lastView } : {}) },
    options.profile,
  );
  const bare = { url: bareProgram.url, isRight: isEmpty };
  await measure(slack, bare, comparison, warmUpSeconds);

  const round = async (side: Side) => {
    const found = await measure(slack, side, comparison, Number(options.seconds));
    // Once a minute a user is authorised again, and gets the help after an empty acknowledgement: right too, but rare.
    if (found.wrong > 0.05) {
      throw new Error(`${found.wrong * 100} % of the answers from ${side.url} are not what they should be.`);
    }
    return found;
  };
  const rounds: Record<'bare' | 'switchboard', Round>[] = [];
  while (rounds.length < Number(options.rounds)) {
    // They take turns to go first, so that other load on the machine favours neither.
    const bareIsFirst = rounds.length % 2 === 0;
    const first = await round(bareIsFirst ? bare : switchboard);
    const second = await round(bareIsFirst ? switchboard : bare);
    rounds.push(bareIsFirst ? { bare: first, switchboard: second } : { bare: second, switchboard: first });
  }
  await program.stop();
  await bareProgram.stop();
  return rowsOf(comparison, rounds);
}

async function measure(
  slack: FakeSlack,
  side: Side,
  comparison: Comparison,
  seconds: number,
): Promise<Round> {
  const before = await slack.seen();
  const begin = performance.now();
  const { times, wrong } = await load({
    url: `${side.url}/slack/events`,
    connections: Number(options.connections),
    seconds,
    next: slashCommands('/sms', comparison.text, `${slack.url}/response`),
    isRight: side.isRight,
  });
  if (comparison.opens) {
    await untilOpened(slack, before.opened + times.length);
  }
  const took = performance.now() - begin;
  return {
    wrong: wrong / times.length,
    rate: (times.length / took) * 1000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/** Views are opened after the acknowledgement, as a part of the measured work. */
async function untilOpened(slack: FakeSlack, count: number): Promise<void> {
  const deadline = performance.now() + openTimeoutMs;
  let { opened } = await slack.seen();
  while (opened < count) {
    if (performance.now() > deadline) {
      throw new Error(`${count} views should have been opened by now, and ${opened} were.`);
    }
    await wait(5);
    ({ opened } = await slack.seen());
  }
}

function rowsOf(
  { text, bare, targets }: Comparison,
  rounds: Record<'bare' | 'switchboard', Round>[],
): string[][] {
  const middle = (side: 'bare' | 'switchboard', figure: keyof Round) =>
    median(rounds.map((round) => round[side][figure]));
  const ratio = (figure: keyof Round) =>
    median(rounds.map((round) => round.switchboard[figure] / round.bare[figure]));
  const figures = (side: 'bare' | 'switchboard') => [
    middle(side, 'rate').toFixed(0),
    middle(side, 'p50').toFixed(2),
    middle(side, 'p99').toFixed(2),
  ];
  const met = (isMet: boolean) => (isMet ? 'met' : 'missed');
  return [
    [`Switchboard: /sms ${text}`.trim(), ...figures('switchboard')],
    [bare, ...figures('bare')],
    ['ratio', ratio('rate').toFixed(2), ratio('p50').toFixed(2), ratio('p99').toFixed(2)],
    [
      'target',
      `≥ ${targets.rate}: ${met(ratio('rate') >= targets.rate)}`,
      '',
      targets.p99 === undefined ? '' : `≤ ${targets.p99}: ${met(ratio('p99') <= targets.p99)}`,
    ],
    [],
  ];
}

const slack = await startSlack();
const rows = [['', 'requests/s', 'p50 ms', 'p99 ms']];
for (const comparison of comparisons) {
  rows.push(...(await compare(slack, comparison)));
}
await slack.stop();
console.log(table(rows));
console.log(
  `Medians of ${options.rounds} rounds of ${options.seconds} s on ${options.connections} connections; ` +
    'a ratio is the median of the rounds’ ratios.',
);
