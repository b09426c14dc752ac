import { type AppOptions, longestStopMs, startApp } from './app.ts';
import { readSettings } from './config/settings.ts';
import { createLog, type Log } from './lib/log.ts';
import { withTimeout } from './lib/time/timeout.ts';
import { systemTimers } from './lib/time/timers.ts';
import { explain } from './programs/explain.ts';
import { version } from './version.ts';

/** Loaded only where it is wanted. */
async function startTraces(collector: URL, log: Log): Promise<() => Promise<void>> {
  const { startTracing } = await import('./lib/tracing/open-telemetry.ts');
  return startTracing(collector, { version, log });
}

export interface RunOptions extends AppOptions {
  /** The name of the file that was started, for the log. */
  program: string;
  /** The longest that a stop may take, in milliseconds. */
  stopMs?: number | undefined;
}

/** In milliseconds: npm forwards signals, so a second one within this time is the same. */
const sameSignalMs = 1_000;

/** Runs the program until a signal stops it. A wrong setting ends the start with what to do about it. */
export async function run(options: RunOptions): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    const explanation = explain(error);
    if (explanation === undefined) {
      createLog('info').fatal({ err: error }, 'Switchboard could not start');
    } else {
      process.stderr.write(`${explanation}\n`);
    }
    process.exitCode = 1;
  }
}

/** Reads the settings from the environment. */
async function start({ program, stopMs = longestStopMs, ...options }: RunOptions): Promise<void> {
  const settings = await readSettings(process.env);
  const log = createLog(settings.logLevel);
  for (const warning of settings.warnings) {
    log.warn(warning);
  }
  // An unhandled rejection belongs to one request, or to one message on the socket, and leaves nothing half done; ending
  // the program for it would leave everybody else's operations unconfirmed. An uncaught exception may have left anything
  // half done, so it ends the program.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught exception ends the program');
    process.exit(1);
  });
  const stopTracing = settings.traces && (await startTraces(settings.traces, log));
  const app = await startApp(settings, { ...options, log });
  const stop = async () => {
    await app.stop();
    await stopTracing?.();
  };
  stopOnSignals(stop, { stopMs, log });
  // Logged last: from here on, a signal stops the program in good order.
  log.info(
    {
      port: app.port,
      metricsPort: app.metricsPort,
      transport: settings.slack.transport,
      program,
    },
    'Switchboard is ready',
  );
}

/** The first signal stops the program in good order, the next one at once. */
function stopOnSignals(stop: () => Promise<void>, { stopMs, log }: { stopMs: number; log: Log }): void {
  const isOfNpm = process.env.npm_lifecycle_event !== undefined;
  let stoppingSince: number | undefined;
  const onSignal = async (signal: NodeJS.Signals) => {
    const { elapsed } = systemTimers;
    if (stoppingSince !== undefined) {
      // A supervisor signals npm and the program, and npm the program once more.
      if (isOfNpm && elapsed() - stoppingSince < sameSignalMs) {
        return;
      }
      process.exit(1);
    }
    stoppingSince = elapsed();
    log.info({ signal }, 'stopping');
    const stopped = stop().then(
      () => 0,
      (error: unknown) => {
        log.fatal({ err: error }, 'could not stop cleanly');
        return 1;
      },
    );
    process.exit(
      await withTimeout(stopped, stopMs, () => {
        log.fatal({ stopMs }, 'could not stop in time');
        return 1;
      }),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void onSignal(signal));
  }
}
