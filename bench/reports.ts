import { createHmac } from 'node:crypto';
import { startProvider } from '../sandbox/provider/server.ts';
import { readSettings } from '../src/config/settings.ts';
import { Secret } from '../src/lib/secret.ts';
import { openStore } from '../src/store/store.ts';
import { type DatabaseName, databaseNames, newDatabase } from './support/databases.ts';
import { percentile } from './support/figures.ts';
import { load } from './support/load.ts';
import { grouped, type MeasureOptions } from './support/measurement.ts';
import { startProgram } from './support/program.ts';
import type { Row } from './support/rows.ts';
import { startSlack } from './support/slack.ts';
import { connectedSettings, launcher, startOptions } from './support/switchboard.ts';
import { teamId } from './support/workspace.ts';

/** Requests in flight. */
const connections = 50;
const warmUpSeconds = 3;
const seconds = 8;
const targets = { perSecond: 5_000, p99: 100 };
const header = 'x-bench-signature';

/** The rate at which signed delivery reports are taken in: one in each request, durable before it is answered. */
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
  const shared = {
    url: `${program.url}/provider/reports/${token}`,
    connections,
    next: signedReports(key),
    isRight: (body: string) => body === '',
  };
  await load({ ...shared, seconds: warmUpSeconds });
  const begin = performance.now();
  const { times } = await load({ ...shared, seconds });
  const rate = (times.length / (performance.now() - begin)) * 1000;
  const p99 = percentile(times, 0.99);
  await program.stop();
  await provider.stop();
  await slack.stop();
  return [
    {
      measure: 'delivery reports taken in a second, one in a request; p99',
      database,
      ours: `${grouped(rate)}; ${p99.toFixed(1)} ms`,
      rival: '–',
      ratio: undefined,
      target: `≥ ${grouped(targets.perSecond)}; ≤ ${targets.p99} ms`,
      reached: rate >= targets.perSecond && p99 <= targets.p99,
    },
  ];
}

async function makeAddress(environment: Record<string, string>): Promise<string> {
  const { dataDir, postgres, encryptionKeys } = readSettings(environment);
  const store = await openStore({ dataDir, postgres, encryptionKeys });
  const { token } = await store.reportAddresses.create(teamId, 'U0BENCH');
  await store.close();
  return token;
}

/** Two reports of each message, of some numbers. Signing them takes the machine about as long as checking them. */
function signedReports(key: string): () => { headers: Record<string, string>; body: string } {
  const secret = new Secret(key);
  let count = 0;
  return () => {
    count += 1;
    const message = Math.floor(count / 2);
    const body = JSON.stringify({
      type: 'outbound',
      message_id: `30175457195${message}`,
      receiver: `234803${String(1_000_000 + (message % 1_000_000)).slice(-7)}`,
      sender: 'PalmMarket',
      message: 'Your order is on its way. Thank you for shopping with us.',
      sent_at: new Date().toISOString().slice(0, 19).replace('T', ' '),
      cost: '4.25',
      status: count % 2 === 0 ? 'Message Sent' : 'DELIVERED',
      channel: 'SMS',
    });
    const signature = createHmac('sha512', secret.reveal()).update(body).digest('hex');
    return { headers: { 'content-type': 'application/json', [header]: signature }, body };
  };
}
