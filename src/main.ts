import { startApp } from './app.ts';
import { readSettings, SettingsError } from './config.ts';
import { createLog } from './log.ts';
import { StartError } from './start-error.ts';
import { StoreError } from './store/errors.ts';

/** `npm start`: the settings come from the environment; a wrong one ends the start with what to do about it. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel);
  const app = await startApp(settings, { log });

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) {
      process.exit(1);
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'an unhandled fault ends the program');
    process.exit(1);
  });
  // Whoever reads this may stop the program at once, and it stops in good order.
  log.info({ port: app.port, transport: settings.slack.transport }, 'Switchboard is ready');
}

main().catch((error: unknown) => {
  if (error instanceof SettingsError || error instanceof StoreError || error instanceof StartError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    createLog('info').fatal({ err: error }, 'Switchboard could not start');
  }
  process.exitCode = 1;
});
