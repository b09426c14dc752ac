import type { ServerResponse } from 'node:http';
import { StoreError } from '../../store/errors.ts';
import type { HttpRoute } from './http/server.ts';

export interface Health {
  /** Resolves when the database answers and can be written to. */
  database: () => Promise<unknown>;
  /** Resolves when Slack answers. */
  slack: () => Promise<unknown>;
  /** Whether Slack’s requests can come in. */
  isReceiving: () => boolean;
  metrics: () => Promise<{ contentType: string; text: string }>;
}

const slackAskedEvery = 10_000;
const databaseAskedEvery = 1_000;

/** `/healthz`: the process lives. `/readyz`: it can do its work. `/metrics`: figures for Prometheus. */
export function healthRoutes(health: Health): HttpRoute[] {
  const database = remembered(health.database, databaseAskedEvery);
  const slack = remembered(health.slack, slackAskedEvery);

  async function ready(response: ServerResponse): Promise<void> {
    const [stored, reachable] = await Promise.allSettled([
      database(),
      health.isReceiving() ? slack() : Promise.reject(new Error('the socket to Slack is not open')),
    ]);
    const parts = { database: word(stored), slack: word(reachable) };
    const isReady = stored.status === 'fulfilled' && reachable.status === 'fulfilled';
    answer(response, isReady ? 200 : 503, 'application/json', JSON.stringify(parts));
  }

  async function metrics(response: ServerResponse): Promise<void> {
    const { contentType, text } = await health.metrics();
    answer(response, 200, contentType, text);
  }

  return [
    get('/healthz', async (response) => answer(response, 200, 'text/plain', 'ok')),
    get('/readyz', ready),
    get('/metrics', metrics),
  ];
}

function get(path: string, handle: (response: ServerResponse) => Promise<void>): HttpRoute {
  return { method: 'GET', path, handle: (_, response) => handle(response) };
}

function answer(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(text);
}

function word(result: PromiseSettledResult<unknown>): string {
  if (result.status === 'fulfilled') {
    return 'ok';
  }
  return result.reason instanceof StoreError ? result.reason.fault : 'unreachable';
}

/** Anyone may ask whether the program is ready; Slack and the disk are not asked each time. */
function remembered<T>(ask: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let last: { answer: Promise<T>; at: number } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > milliseconds) {
      last = { answer: ask(), at: performance.now() };
    }
    return last.answer;
  };
}
