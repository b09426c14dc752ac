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
  /** For `/metrics` alone; undefined where there is none. */
  metricsPort?: number | undefined;
}

export interface Web {
  /** Throws a StartupError if a port cannot be listened on; then none is. */
  open(): Promise<OpenPorts>;
  close(): Promise<void>;
}

/**
 * All that the program serves over HTTP. Where `METRICS_PORT` is set, `/metrics` has a server of its own, and is not found on
 * the other. Where it is not, `/metrics` is on the other, but only if the app serves one workspace: installed in many, it has
 * an address that anyone may call, and the figures of all of them are not for strangers.
 */
export function createWeb(
  context: Context & { services: Services },
  mounted: Omit<Health, 'database' | 'elapsed'> & {
    /** Those of Slack. */
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
  const own =
    metricsPort === undefined
      ? undefined
      : { server: createHttpServer({ routes: [figures], log, timers }), port: metricsPort };

  return {
    async open() {
      const opened = await listen(main, { host, port }, 'HOST and PORT');
      try {
        return {
          port: opened,
          metricsPort: own && (await listen(own.server, { host, port: own.port }, 'HOST and METRICS_PORT')),
        };
      } catch (error) {
        await main.close();
        throw error;
      }
    },
    async close() {
      await Promise.all([main.close(), own?.server.close()]);
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
      ? new StartupError(`Cannot listen on ${host}, port ${port} (${code}). Set ${settings} to what is free.`)
      : error;
  }
}
