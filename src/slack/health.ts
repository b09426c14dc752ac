import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StoreError } from '../store/errors.ts';

export interface Health {
  /** Resolves when the database answers and can be written to. */
  database: () => Promise<unknown>;
  /** Resolves when Slack answers. */
  slack: () => Promise<unknown>;
  metrics: () => Promise<{ contentType: string; text: string }>;
}

export interface HealthRoute {
  path: string;
  method: string;
  handler: (request: IncomingMessage, response: ServerResponse) => void;
}

const slackAskedEvery = 10_000;
const databaseAskedEvery = 1_000;

/** `/healthz`: the process lives. `/readyz`: it can do its work. `/metrics`: figures for Prometheus. */
export function healthRoutes(health: Health): HealthRoute[] {
  const slack = remembered(health.slack, slackAskedEvery);
  const askDatabase = remembered(health.database, databaseAskedEvery);

  async function ready(response: ServerResponse): Promise<void> {
    const [database, reachable] = await Promise.allSettled([askDatabase(), slack()]);
    const parts = { database: word(database), slack: word(reachable) };
    const isReady = database.status === 'fulfilled' && reachable.status === 'fulfilled';
    answer(response, isReady ? 200 : 503, 'application/json', JSON.stringify(parts));
  }

  async function metrics(response: ServerResponse): Promise<void> {
    const { contentType, text } = await health.metrics();
    answer(response, 200, contentType, text);
  }

  return [
    { path: '/healthz', method: 'GET', handler: (_, response) => answer(response, 200, 'text/plain', 'ok') },
    { path: '/readyz', method: 'GET', handler: (_, response) => void ready(response) },
    { path: '/metrics', method: 'GET', handler: (_, response) => void metrics(response) },
  ];
}

/** A server of its own for these routes, where Slack comes over a socket and there is no other. */
export function createHealthServer(routes: readonly HealthRoute[]): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const route = routes.find(({ path, method }) => path === pathname && method === request.method);
    if (route === undefined) {
      answer(response, 404, 'text/plain', 'not found');
    } else {
      route.handler(request, response);
    }
  });
}

function answer(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(text);
}

function word(result: PromiseSettledResult<unknown>): string {
  if (result.status === 'fulfilled') return 'ok';
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
