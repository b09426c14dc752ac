import type { ServerResponse } from 'node:http';
import type { Stopwatch } from '../lib/time/clock.ts';
import { StoreError } from '../store/engine/errors.ts';
import type { HttpRoute } from './server.ts';

export type ProgramPhase = 'starting' | 'running' | 'stopping';

export interface Health {
  /** Resolves when the database answers and can be written to. */
  database: () => Promise<unknown>;
  /** Resolves when Slack answers. */
  slack: () => Promise<unknown>;
  /** Whether Slack’s requests can be received. */
  isReceiving: () => boolean;
  /** Only while it runs, it is to be sent requests. */
  phase: () => ProgramPhase;
  elapsed: Stopwatch;
}

const slackCachedForMs = 10_000;
const databaseCachedForMs = 1_000;

/** `/healthz`: the process is alive. `/readyz`: it can do its work. */
export function healthRoutes(health: Health): HttpRoute[] {
  const database = cached(health.database, databaseCachedForMs, health.elapsed);
  const slack = cached(health.slack, slackCachedForMs, health.elapsed);

  async function ready(response: ServerResponse): Promise<void> {
    const [stored, reachable] = await Promise.allSettled([
      database(),
      health.isReceiving() ? slack() : Promise.reject(new Error('the socket to Slack is not open')),
    ]);
    const phase = health.phase();
    const parts = {
      database: statusOf(stored),
      slack: statusOf(reachable),
      ...(phase === 'running' ? {} : { program: phase }),
    };
    const isReady = stored.status === 'fulfilled' && reachable.status === 'fulfilled' && phase === 'running';
    respond(response, isReady ? 200 : 503, 'application/json', JSON.stringify(parts));
  }

  return [
    get('/healthz', async (response) => respond(response, 200, 'text/plain', 'ok')),
    get('/readyz', ready),
  ];
}

/** `/metrics`: figures for Prometheus. */
export function metricsRoute(read: () => Promise<{ contentType: string; text: string }>): HttpRoute {
  return get('/metrics', async (response) => {
    const { contentType, text } = await read();
    respond(response, 200, contentType, text);
  });
}

function get(path: string, handle: (response: ServerResponse) => Promise<void>): HttpRoute {
  return { method: 'GET', path, handle: (_, response) => handle(response) };
}

function respond(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(text);
}

function statusOf(result: PromiseSettledResult<unknown>): string {
  if (result.status === 'fulfilled') {
    return 'ok';
  }
  return result.reason instanceof StoreError ? result.reason.fault : 'unreachable';
}

/** Anyone may ask whether the program is ready, so Slack and the disk are not asked each time. */
function cached<T>(ask: () => Promise<T>, ms: number, elapsed: Stopwatch): () => Promise<T> {
  let last: { answer: Promise<T>; at: number } | undefined;
  return () => {
    if (last === undefined || elapsed() - last.at > ms) {
      last = { answer: ask(), at: elapsed() };
    }
    return last.answer;
  };
}
