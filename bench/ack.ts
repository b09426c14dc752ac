import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { median, percentile } from './support/figures.ts';
import { type Answers, type Load, load } from './support/load.ts';
import { atLeast, atMost, grouped, type MeasureOptions } from './support/measurement.ts';
import { startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { type FakeSlack, startSlack } from './support/slack.ts';
import { slashCommands } from './support/slash-commands.ts';
import { startSwitchboard } from './support/switchboard.ts';
import { slackSettings } from './support/workspace.ts';

/** How each side is loaded. A ratio is the median of the rounds' ratios. */
const connections = 10;
const rounds = 6;
const seconds = 1.5;
/** For each side, before the first round: fills caches, and lets the compiler optimise. */
const warmUpSeconds = 3;
const openTimeoutMs = 10_000;
const burst = 100;

interface Comparison {
  measure: string;
  /** The text after `/sms`. */
  text: string;
  /** Whether it opens a view. */
  opens: boolean;
  /** Checks the body of an acknowledgement. */
  isRight: (body: string) => boolean;
  /** The smallest ratio to the bare app's rate, and the largest to its p99. */
  targets: { rate: number; p99?: number };
}

const isEmpty = (body: string) => body === '';

const comparisons: Comparison[] = [
  {
    measure: '`/sms help` acknowledged',
    text: 'help',
    opens: false,
    isRight: (body) => body.includes('"ephemeral"') && body.includes('How to send an SMS with /sms'),
    targets: { rate: 0.8, p99: 2 },
  },
  {
    measure: '`/sms` acknowledged, and its form opened',
    text: '',
    opens: true,
    isRight: isEmpty,
    targets: { rate: 0.7 },
  },
];

interface Side {
  url: string;
  isRight: (body: string) => boolean;
}

type Pair = Record<'bare' | 'switchboard', Round>;

interface Round {
  /** The share of acknowledgements with a wrong body. */
  wrong: number;
  /** Commands a second that were acknowledged and, if they open a view, whose view was opened. */
  rate: number;
  /** Of the acknowledgement, in milliseconds. */
  p50: number;
  p99: number;
}

/**
 * The rate and the latency at which signed slash commands are acknowledged, beside a bare Bolt app. Each runs in its own
 * process with the same fake Slack, and they are loaded in turns.
 */
export async function measureAcknowledgements({ profile }: MeasureOptions): Promise<Row[]> {
  const slack = await startSlack();
  const rows: Row[] = [];
  for (const comparison of comparisons) {
    for (const database of databaseNames) {
      rows.push(...(await compare(slack, comparison, database, profile)));
    }
  }
  await slack.stop();
  return rows;
}

async function compare(
  slack: FakeSlack,
  comparison: Comparison,
  database: DatabaseName,
  profile: string | undefined,
): Promise<Row[]> {
  const program = await startSwitchboard(slack.url, await newDatabase(database), profile);
  const switchboard = { url: program.url, isRight: comparison.isRight };
  await measure(slack, switchboard, comparison, warmUpSeconds);

  // The bare app answers with the same body as Switchboard and opens the same form, so that their size makes no difference.
  const answer = comparison.opens ? '' : await answerOf(slack, switchboard, comparison);
  const { lastView } = await slack.seen();
  if (comparison.opens && !lastView.includes('"sms_compose"')) {
    throw new Error(`This is not the form of /sms: ${lastView}`);
  }
  const bareProgram = await startProgram(
    new URL('bare-app.ts', import.meta.url),
    { ...slackSettings(slack.url), ...(comparison.opens ? { VIEW: lastView } : { ANSWER: answer }) },
    profile,
  );
  const bare = { url: bareProgram.url, isRight: comparison.isRight };
  await measure(slack, bare, comparison, warmUpSeconds);

  const round = async (side: Side) => {
    const figures = await measure(slack, side, comparison, seconds);
    // Once a minute a user is authorised again, and gets the help after an empty acknowledgement: right too, but rare.
    if (figures.wrong > 0.05) {
      throw new Error(
        `${figures.wrong * 100} % of the answers from ${side.url} are not what they should be.`,
      );
    }
    return figures;
  };
  const found: Pair[] = [];
  while (found.length < rounds) {
    // They take turns to go first, so that other load on the machine favours neither.
    const bareIsFirst = found.length % 2 === 0;
    const first = await round(bareIsFirst ? bare : switchboard);
    const second = await round(bareIsFirst ? switchboard : bare);
    found.push(bareIsFirst ? { bare: first, switchboard: second } : { bare: second, switchboard: first });
  }
  await program.stop();
  await bareProgram.stop();
  return rowsOf(comparison, database, found);
}

/** Returns the body that a command is acknowledged with. */
async function answerOf(slack: FakeSlack, side: Side, { text }: Comparison): Promise<string> {
  const request = slashCommands('/sms', text, `${slack.url}/response`)();
  const response = await fetch(`${side.url}/slack/events`, { method: 'POST', ...request });
  const body = await response.text();
  if (!side.isRight(body)) {
    throw new Error(`This is not the answer of /sms ${text}: ${body}`);
  }
  return body;
}

async function measure(
  slack: FakeSlack,
  side: Side,
  comparison: Comparison,
  seconds: number,
): Promise<Round> {
  const shared = {
    url: `${side.url}/slack/events`,
    connections,
    seconds,
    next: slashCommands('/sms', comparison.text, `${slack.url}/response`),
    isRight: side.isRight,
  };
  const begin = performance.now();
  const { times, wrong } = await (comparison.opens ? loadInBursts(slack, shared) : load(shared));
  const took = performance.now() - begin;
  return {
    wrong: wrong / times.length,
    rate: (times.length / took) * 1000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/**
 * Each burst once all forms of the one before are open. Forms are opened after the acknowledgement: without that, ever more
 * commands would be in flight, and the program refuses more than it can serve.
 */
async function loadInBursts(slack: FakeSlack, options: Load): Promise<Answers> {
  const end = performance.now() + options.seconds * 1000;
  const all: Answers = { times: [], wrong: 0 };
  while (performance.now() < end) {
    const { opened } = await slack.seen();
    const { times, wrong } = await load({ ...options, amount: burst });
    await untilOpened(slack, opened + times.length - wrong);
    all.times.push(...times);
    all.wrong += wrong;
  }
  return all;
}

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
  { measure: name, targets }: Comparison,
  database: DatabaseName,
  found: readonly Pair[],
): Row[] {
  const middle = (side: keyof Pair, figure: keyof Round) => median(found.map((pair) => pair[side][figure]));
  const ratio = (figure: keyof Round) =>
    median(found.map(({ switchboard, bare }) => switchboard[figure] / bare[figure]));
  const row = (measure: string, figure: keyof Round, show: (value: number) => string) => ({
    measure,
    database,
    ours: show(middle('switchboard', figure)),
    rival: `${show(middle('bare', figure))}, bare Bolt`,
  });
  const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
  const rate = row(`${name}, a second`, 'rate', grouped);
  const p99 = row(`${name}, p99`, 'p99', milliseconds);
  return [
    { ...rate, ...atLeast(targets.rate, ratio('rate')) },
    ...(targets.p99 === undefined ? [] : [{ ...p99, ...atMost(targets.p99, ratio('p99')) }]),
  ];
}
