import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export interface Restorable extends TestApp {
  /** Stops the app, copies its folder, and starts it again. */
  backUp(): Promise<void>;
  /** Copies its folder while it is idle, like a disk snapshot. */
  takeSnapshot(): Promise<void>;
  /** Stops the app, replaces its folder with the copy, and starts it again. */
  putBack(): Promise<void>;
}

export async function startRestorable(
  test: Parameters<typeof startTestApp>[0] & { after(end: () => void): void },
  options: Parameters<typeof startTestApp>[1] = {},
): Promise<Restorable> {
  const folder = temporaryFolder(test);
  const [dataDir, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const testApp = await startTestApp(test, { ...options, dataDir });
  const replace = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
  };
  const replaceStopped = async (from: string, to: string) => {
    await testApp.stopApp();
    replace(from, to);
    await testApp.startApp();
  };
  return {
    ...testApp,
    backUp: () => replaceStopped(dataDir, copy),
    async takeSnapshot() {
      await testApp.app().settled();
      replace(dataDir, copy);
    },
    putBack: () => replaceStopped(copy, dataDir),
  };
}
