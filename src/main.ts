import { startApp } from './app.ts';
import { readSettings, SettingsError } from './config/settings.ts';
import { createLog } from './lib/log.ts';
import { StartupError } from './lib/startup-error.ts';
import { withTimeout } from './lib/timeout.ts';
import { StoreError } from './store/errors.ts';

/** What a stop may take beside the requests to the provider: Slack is told of their outcomes. */
const stopMarginMs = 30_000;

/** `npm start`: the settings come from the environment; a wrong one ends the start with what to do about it. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel);
  // A rejection that nothing waited for is one request's, or one message's on the socket, and leaves nothing half done:
  // to end the program for it would make unconfirmed what all others have under way. What is thrown outside of any
  // promise may have torn something in the middle, and ends it.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a fault that nothing waited for'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an unhandled fault ends the program');
    process.exit(1);
  });
  const app = await startApp(settings, { log });

  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      process.exit(1);
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    const stopMs = settings.provider.totalTimeout + stopMarginMs;
    const stopped = app.stop().then(
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
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  // Whoever reads this may stop the program at once, and it stops in good order.
  log.info({ port: app.port, transport: settings.slack.transport }, 'Switchboard is ready');
}

main().catch((error: unknown) => {
  if (error instanceof SettingsError || error instanceof StoreError || error instanceof StartupError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    createLog('info').fatal({ err: error }, 'Switchboard could not start');
  }
  process.exitCode = 1;
});
