import { once } from 'node:events';
import { createServer } from 'node:http';
import { startApp } from '../src/app.ts';
import { readSettings } from '../src/config/settings.ts';
import type { Services } from '../src/services/services.ts';
import { announcePort } from './support/announce-port.ts';
import { evilCsv, evilText } from './support/evil-files.ts';
import { csvOf } from './support/recipients.ts';
import { teamId, userIds } from './support/workspace.ts';

/**
 * The whole of Switchboard, driven without Slack. `GET /read?id=one&rows=1000` imports a campaign, `GET /send?id=one`
 * sends it, and `GET /read-evil?id=one&file=name&seconds=5` imports a worst-case file; each responds when it is done.
 * `GET /memory` returns the process's memory now and at its peak, `GET /port` the port of Slack's requests.
 */
const userId = userIds[0] ?? '';

async function read({ campaigns }: Services, id: string, rows: number): Promise<number> {
  const begin = performance.now();
  const reading = await campaigns.importRecipients({
    workspaceId: teamId,
    userId,
    id,
    source: { kind: 'file', id: 'F0BENCH', name: 'customers.csv', open: () => csvOf(rows) },
    form: { text: 'Your order is on its way.', route: 'dnd', senderId: 'PalmMarket' },
  });
  if (reading.kind !== 'ready' || reading.preview.campaign.counts.recipients !== rows) {
    throw new Error(`Not all recipients were imported: ${JSON.stringify(reading)}`);
  }
  return performance.now() - begin;
}

async function readEvil({ campaigns }: Services, id: string, file: string, seconds: number): Promise<number> {
  const begin = performance.now();
  const reading = await campaigns.importRecipients({
    workspaceId: teamId,
    userId,
    id,
    source: { kind: 'file', id: 'F0BENCH', name: 'customers.csv', open: () => evilCsv(file, seconds) },
    form: { text: evilText(file), route: 'dnd', senderId: 'PalmMarket' },
  });
  if (reading.kind !== 'ready') {
    throw new Error(`The file was not imported: ${JSON.stringify(reading)}`);
  }
  return performance.now() - begin;
}

async function send({ campaigns }: Services, id: string): Promise<number> {
  const begin = performance.now();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stopWatching = campaigns.watch((campaign) => {
    if (campaign.id === id && campaign.state !== 'running') {
      resolve();
    }
  });
  await campaigns.start({ workspaceId: teamId, userId, id });
  await ended;
  stopWatching();
  const took = performance.now() - begin;
  const campaign = await campaigns.find({ workspaceId: teamId, userId, isAdmin: false }, id);
  if (campaign?.state !== 'done' || campaign.counts.accepted !== campaign.counts.recipients) {
    throw new Error(`Not every message was accepted: ${JSON.stringify(campaign)}`);
  }
  return took;
}

const app = await startApp(readSettings(process.env));

async function answer(url: URL): Promise<unknown> {
  const { id = '', rows, file = '', seconds } = Object.fromEntries(url.searchParams);
  switch (url.pathname) {
    case '/read':
      return { milliseconds: await read(app.services, id, Number(rows)) };
    case '/read-evil':
      return { milliseconds: await readEvil(app.services, id, file, Number(seconds)) };
    case '/send':
      return { milliseconds: await send(app.services, id) };
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
