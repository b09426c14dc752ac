import type { ServerResponse } from 'node:http';
import type { SlackContext } from '../../client/slack-context.ts';
import { listenError } from '../startup-errors.ts';
import { createHttpServer, type HttpRoute } from './server.ts';

export interface OpenPorts {
  /** For Slack's requests and everyone's. */
  port: number;
  /** For `/metrics` alone; undefined where there is none. */
  metricsPort?: number | undefined;
}

export interface Ports {
  /** Throws a StartupError if one of them cannot be listened on; then none is. */
  open(): Promise<OpenPorts>;
  close(): Promise<void>;
}

/**
 * The ports that the program listens on. Where `METRICS_PORT` is set, `/metrics` has a server of its own, and is not found
 * on the other. Where it is not, `/metrics` is on the other, but only if the app serves one workspace: installed in many, it
 * has an address that anyone may call, and the figures of all of them are not for strangers.
 */
export function createPorts(
  { settings, timers, log }: SlackContext,
  options: {
    routes: readonly HttpRoute[];
    metrics: HttpRoute;
    /** See `createHttpServer`. The port of the metrics has none. */
    answerUnknown: (response: ServerResponse) => void;
  },
): Ports {
  const { routes, metrics, answerUnknown } = options;
  const { host, port, metricsPort } = settings;
  const isOnMain = metricsPort === undefined && settings.slack.access.kind === 'token';
  const main = createHttpServer({
    routes: isOnMain ? [...routes, metrics] : routes,
    answerUnknown,
    log,
    timers,
  });
  const own =
    metricsPort === undefined
      ? undefined
      : { server: createHttpServer({ routes: [metrics], log, timers }), port: metricsPort };

  async function openMetrics(): Promise<number | undefined> {
    try {
      return await own?.server.listen(host, own.port);
    } catch (error) {
      await main.close();
      throw listenError({ host, port: own?.port ?? port }, 'HOST and METRICS_PORT', error);
    }
  }

  return {
    async open() {
      const opened = await main.listen(host, port).catch((error: unknown) => {
        throw listenError({ host, port }, 'HOST and PORT', error);
      });
      return { port: opened, metricsPort: await openMetrics() };
    },
    async close() {
      await Promise.all([main.close(), own?.server.close()]);
    },
  };
}
