import { readSettings } from '../../../src/config/settings.ts';
import { machineTime, type Time } from '../../../src/lib/time/clock.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Killable } from '../kill-walk.ts';
import type { TestApp } from './test-app.ts';

/**
 * An app whose database can be killed, and that restarts on its data, optionally as restored from a backup. `time`: the
 * app's clock.
 */
export function killableApp(
  { app, dataDir, env, stopApp, startApp }: TestApp,
  time: Time = machineTime,
): Killable {
  return {
    get store() {
      return app().context.store;
    },
    folder: dataDir,
    async restart({ isRestored = false, whileStopped } = {}) {
      await stopApp();
      await whileStopped?.();
      if (isRestored) {
        const store = await openStore({ ...(await readSettings(env)), isRestored, time });
        await store.close();
      }
      await startApp();
    },
  };
}
