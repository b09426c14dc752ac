import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startProvider } from '../sandbox/provider/server.ts';
import { readSettings } from '../src/config/settings.ts';
import { Secret } from '../src/lib/secret.ts';
import { openStore } from '../src/store/store.ts';
import { besideIdle } from './support/acknowledge.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { percentile } from './support/figures.ts';
import { load } from './support/load.ts';
import { grouped, type MeasureOptions } from './support/measurement.ts';
import { type Program, residentMegabytes, startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { startSlack } from './support/slack.ts';
import { slashCommands } from './support/slash-commands.ts';
import { loadSteadily } from './support/steady.ts';
import { connectedSettings, launcher, startOptions } from './support/switchboard.ts';
import { teamId } from './support/workspace.ts';

/** Requests in flight: of one report, and of lists. */
const connections = { one: 50, list: 4 };
const listLength = 100;
/** Reports in lists, in all. */
const many = 1_000_000;
const warmUpSeconds = 3;
const seconds = 8;
const commandsPerSecond = 20;
const targets = { perSecond: 5_000, p99: 100, megabytes: 50, commands: 3 };
const header = 'x-bench-signature';

/**
 * The rate at which signed delivery reports are taken in, durable and deduplicated before they are answered: one in each
 * request, where most of the time goes into HTTP, and a million in lists, with the memory and the commands meanwhile.
 */
export async function measureReports({ profile }: MeasureOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const database of databaseNames) {
    rows.push(...(await measureOn(database, profile)));
  }
  return rows;
}

async function measureOn(database: DatabaseName, profile: string | undefined): Promise<Row[]> {
  const slack = await startSlack();
  const provider = await startProvider();
  const { key } = provider.account;
  const settings = {
    ...(await connectedSettings(slack.url, provider.url, key, await newDatabase(database))),
    PROVIDER_REPORT_SIGNATURE_HEADER: header,
  };
  const token = await makeAddress(settings);
  const program = await startProgram(launcher, settings, profile, startOptions);
  const target = { program, url: `${program.url}/provider/reports/${token}`, key };
  const rows = [
    { database, ...(await oneByOne(target)) },
    ...(await inLists(target, slack.url)).map((row) => ({ database, ...row })),
  ];
  await program.stop();
  await provider.stop();
  await slack.stop();
  return rows;
}

interface Target {
  program: Program;
  url: string;
  key: string;
}

const isEmpty = (body: string) => body === '';

async function oneByOne({ url, key }: Target): Promise<Omit<Row, 'database'>> {
  const shared = { url, connections: connections.one, next: signedReports(key, 1), isRight: isEmpty };
  await load({ ...shared, seconds: warmUpSeconds });
  const begin = performance.now();
  const { times } = await load({ ...shared, seconds });
  return rowOf('one in a request', (times.length / (performance.now() - begin)) * 1000, times);
}

async function inLists({ program, url, key }: Target, slackUrl: string): Promise<Omit<Row, 'database'>[]> {
  const shared = { url, connections: connections.list, isRight: isEmpty };
  const next = signedReports(key, listLength);
  await load({ ...shared, next, seconds: warmUpSeconds });
  const commands = (until: Promise<unknown>) =>
    loadSteadily(
      {
        url: `${program.url}/slack/events`,
        next: slashCommands('/sms', 'help', `${slackUrl}/response`),
        isRight: (body) => body === '' || body.includes('How to send an SMS with /sms'),
        perSecond: commandsPerSecond,
      },
      until,
    );
  const idle = await commands(wait(seconds * 1000));
  const before = residentMegabytes(program);
  const begin = performance.now();
  const loading = load({ ...shared, next, seconds: 60 * 60, amount: many / listLength });
  const busy = await commands(loading);
  const { times } = await loading;
  const rate = (many / (performance.now() - begin)) * 1000;
  const more = residentMegabytes(program) - before;
  return [
    rowOf(`${grouped(many)} in lists of ${listLength}`, rate, times),
    {
      measure: `memory after ${grouped(many)} reports`,
      ours: `${more.toFixed(0)} MB more`,
      rival: `${before.toFixed(0)} MB before`,
      ratio: undefined,
      target: `≤ ${targets.megabytes} MB more`,
      reached: more <= targets.megabytes,
    },
    {
      measure: `p99 of \`/sms help\`, ${commandsPerSecond} a second, meanwhile`,
      ...besideIdle(busy.times, idle.times, targets.commands),
    },
  ];
}

function rowOf(how: string, rate: number, times: readonly number[]): Omit<Row, 'database'> {
  const p99 = percentile(times, 0.99);
  return {
    measure: `delivery reports taken in a second, ${how}; p99 of a request`,
    ours: `${grouped(rate)}; ${p99.toFixed(1)} ms`,
    rival: '–',
    ratio: undefined,
    target: `≥ ${grouped(targets.perSecond)}; ≤ ${targets.p99} ms`,
    reached: rate >= targets.perSecond && p99 <= targets.p99,
  };
}

async function makeAddress(environment: Record<string, string>): Promise<string> {
  const { dataDir, postgres, encryptionKeys } = readSettings(environment);
  const store = await openStore({ dataDir, postgres, encryptionKeys });
  const { token } = await store.reportAddresses.create(teamId, 'U0BENCH');
  await store.close();
  return token;
}

/** Two reports of each message. Signing them takes the machine about as long as checking them. */
function signedReports(key: string, length: number): () => { headers: Record<string, string>; body: string } {
  const secret = new Secret(key);
  let count = 0;
  const report = () => {
    count += 1;
    const message = Math.floor(count / 2);
    return {
      type: 'outbound',
      message_id: `30175457195${length}-${message}`,
      receiver: `234803${String(1_000_000 + (message % 1_000_000)).slice(-7)}`,
      sender: 'PalmMarket',
      message: 'Your order is on its way. Thank you for shopping with us.',
      sent_at: new Date().toISOString().slice(0, 19).replace('T', ' '),
      cost: '4.25',
      status: count % 2 === 0 ? 'Message Sent' : 'DELIVERED',
      channel: 'SMS',
    };
  };
  return () => {
    const body = JSON.stringify(length === 1 ? report() : Array.from({ length }, report));
    const signature = createHmac('sha512', secret.reveal()).update(body).digest('hex');
    return { headers: { 'content-type': 'application/json', [header]: signature }, body };
  };
}
