import { once } from 'node:events';
import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { startApp } from '../src/app.ts';
import { readSettings } from '../src/config/settings.ts';
import { audienceParts } from '../src/domain/campaigns/audience.ts';
import { systemTimers } from '../src/lib/time/timers.ts';
import { usualLimits } from '../src/provider/client.ts';
import { readContactFile } from '../src/services/contacts/contact-uploads.ts';
import { readNumberList, readNumbersFile } from '../src/services/numbers/number-list.ts';
import type { Services } from '../src/services/services.ts';
import { createFiles } from '../src/slack/client/files.ts';
import type { Campaign } from '../src/store/campaigns/campaigns.ts';
import type { Store } from '../src/store/store.ts';
import { asSeen } from '../test/support/campaign-harness.ts';
import { announcePort } from './support/announce-port.ts';
import { evilFile } from './support/evil-files.ts';
import { csvOf } from './support/recipients.ts';
import { teamId, userIds } from './support/workspace.ts';

/**
 * The whole of Switchboard, without Slack. Requests to drive it:
 *
 * - `GET /read?id=one&rows=1000` imports a campaign, for the connected workspace or `team`;
 * - `/start`, `/pause` and `/resume` control it;
 * - `/send` starts it and responds once all of it is accepted, `/send-first` once its first message is;
 * - `/report?id=one&rows=1000` reports that many recipients as delivered;
 * - `/use?id=two&from=one&part=no_report` counts and imports some of them;
 * - `/read-evil?id=one&file=name&seconds=5` imports a worst-case file;
 * - `/read-list?list=contacts&file=name&size=10000000` reads one as another list;
 * - `/memory` returns the current and peak memory;
 * - `/turns` returns how often campaigns were settled or claimed;
 * - `/port` returns the port for Slack's requests.
 */
const userId = userIds[0] ?? '';
const evilUpload = { id: 'F0BENCH', name: 'customers.csv' };

async function read({ campaigns }: Services, workspaceId: string, id: string, rows: number): Promise<number> {
  const begin = performance.now();
  const reading = await campaigns.importRecipients({
    workspaceId,
    userId,
    id,
    source: { kind: 'file', id: 'F0BENCH', name: 'customers.csv', open: () => csvOf(rows) },
    form: { text: 'Your order is on its way.', route: 'dnd', senderId: 'PalmMarket' },
  });
  if (reading.kind !== 'ready' || reading.review.campaign.counts.recipients !== rows) {
    throw new Error(`Not all recipients were imported: ${JSON.stringify(reading)}`);
  }
  return performance.now() - begin;
}

/** Streams a worst-case file from Slack’s file host. */
function openEvil(params: Record<string, string>): AsyncGenerator<Uint8Array> {
  const url = new URL(`/files?${new URLSearchParams(params)}`, process.env.SLACK_API_URL);
  return files.stream(teamId, { ...evilUpload, url_private_download: url.href }, 200_000_000);
}

/**
 * Reads a worst-case file like the form of a list, and stores what the form would. Returns the refusal, if
 * any.
 */
async function readList(
  { contactUploads, suppressionList }: Services,
  { list, file: name, size }: Record<'list' | 'file' | 'size', string>,
): Promise<string | undefined> {
  const content = openEvil({ name, size });
  const user = { workspaceId: teamId, userId };
  switch (list) {
    case 'contacts': {
      const read = await readContactFile(content, 'NG');
      if (!read.ok) {
        return read.reason;
      }
      const phonebook = { id: 'bench', name: 'Customers' };
      await contactUploads.save({ ...user, key: name, phonebook, country: 'NG', table: read.table });
      return undefined;
    }
    case 'do-not-contact': {
      const read = await readNumbersFile(content, 'NG');
      if (!read.ok) {
        return read.reason;
      }
      await suppressionList.add({ ...user, numbers: read.read.numbers, source: { kind: 'file', name } });
      return undefined;
    }
    default: {
      const given = { typed: '', file: { name, content } };
      const read = await readNumberList(given, { country: 'NG', max: 1_000 });
      return read.ok ? undefined : Object.values(read.faults).join(' ');
    }
  }
}

/** Imports a worst-case file. Returns the refusal, if any. */
async function readEvil({ campaigns }: Services, id: string, name: string, seconds: number) {
  const { text, size, refusal } = evilFile(name);
  const open = () => openEvil({ name, seconds: String(seconds) });
  const reading = await campaigns.importRecipients({
    workspaceId: teamId,
    userId,
    id,
    source: { kind: 'file', ...evilUpload, size, open },
    form: { text, route: 'dnd', senderId: 'PalmMarket' },
  });
  const said = reading.kind === 'faults' ? Object.values(reading.faults).join(' ') : undefined;
  if (reading.kind !== 'ready' && !refusal?.test(said ?? '')) {
    throw new Error(`“${name}” was not read as expected: ${JSON.stringify(reading)}`);
  }
  return said;
}

/** Starts a campaign, and resolves with the milliseconds until it is so. */
async function startUntil(
  { campaigns }: Services,
  id: string,
  isSo: (campaign: Campaign) => boolean,
): Promise<number> {
  const begin = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopWatching = campaigns.watch((campaign) => {
    if (campaign.id === id && isSo(campaign)) {
      resolve();
    }
  });
  const started = await campaigns.start(await asSeen(campaigns, { workspaceId: teamId, userId, id }));
  if (started?.kind !== 'started') {
    throw new Error(`The campaign was not started: ${JSON.stringify(started)}`);
  }
  await promise;
  stopWatching();
  return performance.now() - begin;
}

async function send(services: Services, id: string): Promise<number> {
  const took = await startUntil(services, id, ({ state }) => state !== 'running');
  const campaign = await services.campaigns.findAny(teamId, id);
  if (campaign?.state !== 'done' || campaign.counts.accepted !== campaign.counts.recipients) {
    throw new Error(`Not every message was accepted: ${JSON.stringify(campaign)}`);
  }
  return took;
}

/** Reports the first recipients of a campaign as delivered. */
async function report({ campaigns, deliveries }: Store, id: string, recipients: number): Promise<void> {
  let left = recipients;
  for await (const { to, providerId } of campaigns.everyChunk(teamId, id)) {
    if (left === 0 || providerId === undefined) {
      break;
    }
    const reported = to.slice(0, left);
    left -= reported.length;
    const reports = reported.map((number) => ({
      providerId,
      number,
      status: 'DELIVERED',
      source: 'report' as const,
    }));
    await deliveries.record(teamId, reports);
  }
}

/** Imports a part of the recipients of a campaign, once they are counted. Returns how long both took. */
async function use(
  { campaigns }: Services,
  { id, from, part, without }: Record<'id' | 'from' | 'part', string> & { without?: string | undefined },
) {
  const user = { workspaceId: teamId, userId, isAdmin: false };
  const chosen = { campaign: from, part: z.enum(audienceParts).parse(part), without };
  const found = await campaigns.findAudience(user, chosen);
  if (!found.ok) {
    throw new Error(`There is no such audience: ${found.reason}`);
  }
  const begin = performance.now();
  const counted = await campaigns.countAudience(found.source, {
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  const counting = performance.now() - begin;
  const form = { text: 'Your order has arrived.', route: 'dnd', senderId: 'PalmMarket' };
  const reading = await campaigns.importRecipients({ ...user, id, source: found.source, form });
  const recipients = reading.kind === 'ready' ? reading.review.campaign.counts.recipients : 0;
  if (!counted.ok || counted.recipients !== recipients) {
    throw new Error(`Counted ${JSON.stringify(counted)}, imported ${recipients}.`);
  }
  return { recipients, counting, importing: performance.now() - begin - counting };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** `BENCH_CONNECTIONS`: how many to the provider, unless it is the usual number. */
const connections = Number(process.env.BENCH_CONNECTIONS ?? usualLimits.connections);
const files = createFiles({
  clients: { for: async () => new WebClient('xoxb-bench') },
  apiUrl: new URL(process.env.SLACK_API_URL ?? ''),
  timers: systemTimers,
});
const app = await startApp(await readSettings(process.env), { providerLimits: { connections } });
let turns = 0;
app.services.campaigns.watch(() => {
  turns += 1;
});

async function answer(url: URL): Promise<unknown> {
  const params = Object.fromEntries(url.searchParams);
  const { id = '', team = teamId, rows, file = '', seconds, from = '', part = '', without } = params;
  const { list = '', size = '' } = params;
  const { services, context } = app;
  const campaign = { workspaceId: team, userId, isAdmin: false, id };
  switch (url.pathname) {
    case '/read':
      return { milliseconds: await read(services, team, id, Number(rows)) };
    case '/report':
      return { milliseconds: await timed(() => report(context.store, id, Number(rows))) };
    case '/use':
      return use(services, { id, from, part, without });
    case '/read-evil':
      return { refusal: await readEvil(services, id, file, Number(seconds)) };
    case '/read-list':
      return { refusal: await readList(services, { list, file, size }) };
    case '/start':
      return {
        milliseconds: await timed(async () =>
          services.campaigns.start(await asSeen(services.campaigns, campaign)),
        ),
      };
    case '/send':
      return { milliseconds: await send(services, id) };
    case '/send-first':
      return { milliseconds: await startUntil(services, id, ({ counts }) => counts.accepted > 0) };
    case '/pause':
      return { milliseconds: await timed(() => services.campaigns.pause(campaign)) };
    case '/resume':
      return {
        milliseconds: await timed(async () =>
          services.campaigns.resume(await asSeen(services.campaigns, campaign)),
        ),
      };
    case '/turns':
      return { turns };
    case '/memory':
      return { now: process.memoryUsage.rss() / 2 ** 20, most: process.resourceUsage().maxRSS / 2 ** 10 };
    default:
      return { port: app.port };
  }
}

const server = createServer(async ({ url = '' }, response) => {
  response.end(JSON.stringify(await answer(new URL(url, 'http://bench'))));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);
