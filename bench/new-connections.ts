import { once } from 'node:events';
import { Agent, type ClientRequest, get, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { median, percentile } from './support/figures.ts';
import { atMost, grouped, type MeasureOptions } from './support/measurement.ts';
import { startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { type FakeSlack, startSlack } from './support/slack.ts';
import { slashCommands } from './support/slash-commands.ts';
import { startSwitchboard } from './support/switchboard.ts';
import { slackSettings } from './support/workspace.ts';

const seconds = 30;
const rounds = 3;
/** Commands a second, each over a connection of its own. */
const newPerSecond = 500;
/** Commands a second over connections that were open before, taking turns. */
const kept = { perSecond: 20, connections: 10 };
const warmUp = { perSecond: 30, seconds: 8 };
/** With the time limit of `deploy/kubernetes`, and more of them. */
const probes = { count: 20, timeoutMs: 5_000 };
/** Slack gives up then. */
const lateMs = 3_000;
const maxRatio = 2;

/** What became of requests at a steady rate. */
interface Outcome {
  /** Of those that were answered with 200, the milliseconds until the answer was there. */
  times: number[];
  failed: number;
}

type Round = Record<'kept' | 'fresh' | 'probes', Outcome>;

interface Side {
  url: string;
  next: () => { headers: Record<string, string>; body: string };
}

/**
 * More new connections than can be served, beside a bare Bolt app under the same load: `/sms` is sent over 500 new
 * connections a second. Meanwhile it is sent over connections that were open before, and `/healthz` is asked.
 */
export async function measureNewConnections({ profile }: MeasureOptions): Promise<Row[]> {
  const slack = await startSlack();
  const rows: Row[] = [];
  for (const database of databaseNames) {
    rows.push(...(await compare(slack, database, profile)));
  }
  await slack.stop();
  return rows;
}

async function compare(
  slack: FakeSlack,
  database: DatabaseName,
  profile: string | undefined,
): Promise<Row[]> {
  const program = await startSwitchboard(slack.url, await newDatabase(database), profile);
  const next = slashCommands('/sms', '', `${slack.url}/response`);
  const switchboard = { url: program.url, next };
  await sendKept(switchboard, warmUp);
  // Forms are opened after the acknowledgement.
  await wait(2_000);
  const { lastView } = await slack.seen();
  if (!lastView.includes('"sms_compose"')) {
    throw new Error(`This is not the form of /sms: ${lastView}`);
  }
  const settings = { ...slackSettings(slack.url), VIEW: lastView };
  const bareProgram = await startProgram(new URL('bare-app.ts', import.meta.url), settings, profile);
  const bare = { url: bareProgram.url, next };
  await sendKept(bare, warmUp);

  const found: { ours: Round; bare: Round }[] = [];
  while (found.length < rounds) {
    const ours = await round(switchboard, `${database}, Switchboard`);
    found.push({ ours, bare: await round(bare, `${database}, bare Bolt`) });
  }
  await program.stop();
  await bareProgram.stop();
  const p99 = ({ kept }: Round) => percentile(kept.times, 0.99);
  const [ours, rival] = [
    median(found.map((each) => p99(each.ours))),
    median(found.map((each) => p99(each.bare))),
  ];
  const answered = found.map((each) => each.ours.probes.times.length);
  const load = `beside ${newPerSecond} new connections a second`;
  return [
    {
      measure: `p99 of \`/sms\` over kept connections, ${load}`,
      database,
      ours: `${ours.toFixed(0)} ms`,
      rival: `${rival.toFixed(0)} ms, bare Bolt`,
      ...atMost(maxRatio, median(found.map((each) => p99(each.ours) / p99(each.bare)))),
    },
    {
      measure: `probes of ${probes.count} answered within ${probes.timeoutMs / 1000} s, ${load}`,
      database,
      ours: answered.join(', '),
      rival: '–',
      ratio: undefined,
      target: 'all',
      reached: answered.every((count) => count === probes.count),
    },
  ];
}

/** Prints what became of the requests, as the rows have only what has a target. */
async function round(side: Side, name: string): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: kept.connections, scheduling: 'fifo' });
  await Promise.all(
    Array.from({ length: kept.connections }, () => sendKept(side, { perSecond: 1, seconds: 1 }, agent)),
  );
  const [keptOutcome, fresh, probed] = await Promise.all([
    sendKept(side, { ...kept, seconds }, agent),
    steadily({ perSecond: newPerSecond, seconds }, () => sendFresh(side)),
    steadily({ perSecond: probes.count / seconds, seconds }, async () => {
      const signal = AbortSignal.timeout(probes.timeoutMs);
      // Bare Bolt has no such path, and its 404 is as good.
      return (await answerTo(get(`${side.url}/healthz`, { agent: false, signal }))) > 0;
    }),
  ]);
  agent.destroy();
  const outcomes = { kept: keptOutcome, fresh, probes: probed };
  for (const [kind, { times, failed }] of Object.entries(outcomes)) {
    const [p50 = '', p99 = ''] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
    const late = times.filter((time) => time > lateMs).length;
    console.error(
      `${name}, ${kind}: ${grouped(times.length)} answered, ${late} of them after 3 s, p50 ${p50} ms, p99 ${p99} ms; ${grouped(failed)} not answered`,
    );
  }
  return outcomes;
}

interface Pace {
  perSecond: number;
  seconds: number;
}

async function sendKept(
  { url, next }: Side,
  pace: Pace,
  agent = new Agent({ keepAlive: true, maxSockets: kept.connections }),
): Promise<Outcome> {
  return steadily(pace, async () => {
    const { headers, body } = next();
    const sent = request(`${url}/slack/events`, { agent, method: 'POST', headers });
    sent.end(body);
    return (await answerTo(sent)) === 200;
  });
}

async function answerTo(sent: ClientRequest): Promise<number> {
  const [response] = await once(sent, 'response');
  await text(response);
  return response.statusCode;
}

/** Without Node's HTTP client, which takes more of the machine than what it measures. */
async function sendFresh({ url, next }: Side): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const { headers, body } = next();
  const head = Object.entries({
    ...headers,
    host: hostname,
    'content-length': body.length,
    connection: 'close',
  });
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /slack/events HTTP/1.1\r\n${head.map((each) => `${each.join(': ')}\r\n`).join('')}\r\n${body}`,
  );
  return (await text(socket)).startsWith('HTTP/1.1 200 ');
}

/** Sends without waiting for answers. `send` resolves with whether it was answered well. */
async function steadily({ perSecond, seconds }: Pace, send: () => Promise<boolean>): Promise<Outcome> {
  const times: number[] = [];
  const timed = async () => {
    const begin = performance.now();
    if (await send().catch(() => false)) {
      times.push(performance.now() - begin);
    }
  };
  const sent: Promise<void>[] = [];
  const begin = performance.now();
  while (sent.length < perSecond * seconds) {
    await wait(Math.max(0, begin + (sent.length * 1000) / perSecond - performance.now()));
    sent.push(timed());
  }
  await Promise.all(sent);
  return { times, failed: sent.length - times.length };
}
