import { StartupError } from '../lib/startup-error.ts';
import type { Context } from '../services/context.ts';
import type { Services } from '../services/services.ts';
import { type Health, healthRoutes, metricsRoute } from './health.ts';
import { optOutRoutes } from './opt-out.ts';
import { pageRoutes, sendNotFound } from './pages.ts';
import { reportsRoute } from './reports.ts';
import { createHttpServer, type HttpRoute, type HttpServer } from './server.ts';

export interface OpenPorts {
  /** For Slack's requests over HTTP, and in any case for the pages, `/healthz` and `/readyz`. */
  port: number;
  /** For `/metrics` alone; undefined if it isn't served. */
  metricsPort?: number | undefined;
}

export interface Web {
  /** Throws a StartupError if it can't listen on a port; no port is open then. */
  open(): Promise<OpenPorts>;
  close(): Promise<void>;
}

/**
 * Serves everything over HTTP. With `METRICS_PORT`, `/metrics` is on a server of its own. Without it, `/metrics` is only
 * served if the app is for one workspace: an app for many has a public address, and the figures are not for strangers.
 */
export function createWeb(
  context: Context & { services: Services },
  mounted: Omit<Health, 'database' | 'elapsed'> & {
    /** Slack's requests. */
    routes: readonly HttpRoute[];
    /** Where an installation begins, for people; undefined where there is only the one workspace. */
    installPath: string | undefined;
  },
): Web {
  const { settings, store, services, metrics, time, timers, log } = context;
  const { host, port, metricsPort } = settings;
  const figures = metricsRoute(metrics.read);
  const isOnMain = metricsPort === undefined && settings.slack.access.kind === 'token';
  const main = createHttpServer({
    routes: [
      ...healthRoutes({ ...mounted, database: () => store.ready(), elapsed: time.elapsed }),
      ...pageRoutes(context, mounted.installPath),
      ...mounted.routes,
      ...optOutRoutes(services.optOut),
      reportsRoute(context),
      ...(isOnMain ? [figures] : []),
    ],
    answerUnknown: sendNotFound,
    log,
    timers,
  });
  const separate =
    metricsPort === undefined
      ? undefined
      : { server: createHttpServer({ routes: [figures], log, timers }), port: metricsPort };

  return {
    async open() {
      const opened = await listen(main, { host, port }, 'HOST and PORT');
      try {
        return {
          port: opened,
          metricsPort:
            separate &&
            (await listen(separate.server, { host, port: separate.port }, 'HOST and METRICS_PORT')),
        };
      } catch (error) {
        await main.close();
        throw error;
      }
    },
    async close() {
      await Promise.all([main.close(), separate?.server.close()]);
    },
  };
}

/** Throws a StartupError where the program cannot listen there, if it is known why. `settings` name what to change. */
async function listen(
  server: HttpServer,
  { host, port }: { host: string; port: number },
  settings: string,
): Promise<number> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL'
      ? new StartupError(
          `Cannot listen on ${host}, port ${port} (${code}). Set ${settings} to an address and a port that are free.`,
        )
      : error;
  }
}
