import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProvider } from '../sandbox/provider/server.ts';
import { readSettings } from '../src/config/settings.ts';
import { openStore } from '../src/store/store.ts';
import { besideIdle } from './support/acknowledge.ts';
import { type CampaignProgram, type Fakes, startCampaigns, startFakes } from './support/campaigns.ts';
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
const warmUpRecipients = 100_000;
/** Bulk messages that are still to be reported. */
const refillBelow = 25;
const commandsPerSecond = 20;
const targets = { perSecond: 5_000, p99: 100, megabytes: 50, commands: 3 };
const header = 'x-provider-signature';
/** Takes reports that are signed in this header. */
const reportSettings = {
  PROVIDER_PROFILE: fileURLToPath(new URL('../provider-profile.example.yml', import.meta.url)),
};

/**
 * The rate at which signed delivery reports are taken in, durable and deduplicated before they are answered: one in each
 * request, where most of the time goes into HTTP, and a million in lists, with the memory and the commands meanwhile.
 */
export async function measureReports({ profile }: MeasureOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const database of databaseNames) {
    rows.push(...(await measureOn(database, profile)));
    rows.push(...(await whileSending(database, profile)));
  }
  return rows;
}

async function measureOn(database: DatabaseName, profile: string | undefined): Promise<Row[]> {
  const slack = await startSlack();
  const provider = await startProvider();
  const { key } = provider.account;
  const settings = {
    ...(await connectedSettings(slack.url, provider.url, key, await newDatabase(database))),
    ...reportSettings,
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
    loadSteadily(commandsTo(`${program.url}/slack/events`, slackUrl), until);
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

/** Reports of what a campaign sends, at the rate that is asked for, while it sends. */
async function whileSending(database: DatabaseName, profile: string | undefined): Promise<Row[]> {
  const fakes = await startFakes();
  const connected = {
    ...(await connectedSettings(fakes.slack, fakes.provider, fakes.key, await newDatabase(database))),
    ...reportSettings,
  };
  const token = await makeAddress(connected);
  const program = await startCampaigns(fakes, { connected, profile });
  const url = `${program.appUrl}/provider/reports/${token}`;
  await program.read('warm', warmUpRecipients);
  await program.send('warm');
  await reportSent({ fakes, program, url }, () => wait(warmUpSeconds * 1000));
  await program.read('sale', many);
  const idle = await reportSent({ fakes, program, url }, () => wait(seconds * 1000));
  const busy = await reportSent({ fakes, program, url }, () => program.send('sale'));
  await program.stop();
  await fakes.stop();
  const p99 = percentile(busy.reports, 0.99);
  const what = `while ${grouped(many)} rows are sent`;
  return [
    {
      measure: `p99 of a request with ${listLength} reports, ${grouped(targets.perSecond)} reports a second, ${what}`,
      database,
      ours: `${p99.toFixed(1)} ms`,
      rival: `${percentile(idle.reports, 0.99).toFixed(1)} ms, nothing sent`,
      ratio: undefined,
      target: `≤ ${targets.p99} ms`,
      reached: p99 <= targets.p99,
    },
    {
      measure: `p99 of \`/sms help\`, ${commandsPerSecond} a second, meanwhile`,
      database,
      ...besideIdle(busy.commands, idle.commands, targets.commands),
    },
  ];
}

/** Reports what was sent before and during some work, and sends slash commands. Returns the milliseconds that each took. */
async function reportSent(
  { fakes, program, url }: { fakes: Fakes; program: CampaignProgram; url: string },
  work: () => Promise<unknown>,
): Promise<{ reports: number[]; commands: number[] }> {
  const until = work();
  const commands = loadSteadily(commandsTo(program.slackEvents, fakes.slack), until);
  const reports = await loadSteadily(
    { url, next: await reportsOfSent(fakes), isRight: isEmpty, perSecond: targets.perSecond / listLength },
    until,
  );
  return { reports: reports.times, commands: (await commands).times };
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
  const { dataDir, postgres, encryptionKeys } = await readSettings(environment);
  const store = await openStore({ dataDir, postgres, encryptionKeys });
  const token = await store.reportAddresses.create(teamId, 'U0BENCH');
  await store.close();
  return token;
}

function commandsTo(url: string, slackUrl: string) {
  return {
    url,
    next: slashCommands('/sms', 'help', `${slackUrl}/response`),
    isRight: (body: string) => body === '' || body.includes('How to send an SMS with /sms'),
    perSecond: commandsPerSecond,
  };
}

/** A list for each bulk message that the provider has accepted: that it was delivered to all. The last one again where none is left. */
async function reportsOfSent({ key, sent }: Fakes): Promise<() => SignedBody> {
  let messages = await sent();
  let last = messages[0];
  let isAsking = false;
  const refill = async () => {
    isAsking = true;
    messages = [...messages, ...(await sent())];
    isAsking = false;
  };
  return () => {
    if (messages.length < refillBelow && !isAsking) {
      void refill();
    }
    last = messages.shift() ?? last;
    return signed(
      key,
      last?.to.map((number) => reportOf(last?.id ?? '', number, 'DELIVERED')),
    );
  };
}

/** Two reports of each message. Signing them takes the machine about as long as checking them. */
function signedReports(key: string, length: number): () => SignedBody {
  let count = 0;
  const report = () => {
    count += 1;
    const message = Math.floor(count / 2);
    const number = `234803${String(1_000_000 + (message % 1_000_000)).slice(-7)}`;
    return reportOf(
      `30175457195${length}-${message}`,
      number,
      count % 2 === 0 ? 'Message Sent' : 'DELIVERED',
    );
  };
  return () => signed(key, length === 1 ? report() : Array.from({ length }, report));
}

function reportOf(messageId: string, receiver: string, status: string) {
  return {
    type: 'outbound',
    message_id: messageId,
    receiver,
    sender: 'PalmMarket',
    message: 'Your order is on its way. Thank you for shopping with us.',
    sent_at: new Date().toISOString().slice(0, 19).replace('T', ' '),
    cost: '4.25',
    status,
    channel: 'SMS',
  };
}

interface SignedBody {
  headers: Record<string, string>;
  body: string;
}

function signed(key: string, reports: unknown): SignedBody {
  const body = JSON.stringify(reports);
  const signature = createHmac('sha512', key).update(body).digest('hex');
  return { headers: { 'content-type': 'application/json', [header]: signature }, body };
}
