import { join } from 'node:path';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { openDatabase } from '../../src/store/engine/sqlite/database.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Opens an empty database that is closed, and removed, when the test ends. */
export async function temporaryDatabase<Tables>(test: { after(end: () => void | Promise<void>): void }) {
  const file = join(temporaryFolder(test), 'test.db');
  const worker = new URL('../../src/store/store-worker.ts', import.meta.url);
  const database = await openDatabase<Tables>(file, { worker, timers: systemTimers });
  test.after(database.close);
  return { ...database, file };
}
