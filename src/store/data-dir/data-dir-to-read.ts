import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../../lib/time/clock.ts';
import { StoreError } from '../errors.ts';
import { openReadOnly, type ReadOnlyDatabase } from '../sqlite/read-only.ts';
import { type DataDir, databasePath, isLogOlderThan } from './data-dir.ts';
import { lockDataDir } from './lock.ts';
import { preparePrivateDir } from './private-dir.ts';

export type DataDirToRead<Tables> = ReadOnlyDatabase<Tables> & Pick<DataDir<Tables>, 'file' | 'isLogOlder'>;

/**
 * Opens a folder whose data is to be moved: for this process alone, and without changing any of its data.
 *
 * @throws StoreError `bad_folder`, `in_use` or `missing_data`
 */
export function openDataDirToRead<Tables>(dataDir: string, clock: Clock): DataDirToRead<Tables> {
  const file = databasePath(dataDir);
  if (!existsSync(file)) {
    const explanation = `There is no ${file}. Set DATA_DIR to the folder whose data is to be moved.`;
    throw new StoreError('missing_data', explanation);
  }
  preparePrivateDir(dataDir, basename(file));
  const lock = lockDataDir(dataDir, clock);
  try {
    const isLogOlder = isLogOlderThan(file, clock());
    const database = openReadOnly<Tables>(file);
    return {
      ...database,
      file,
      isLogOlder,
      close() {
        database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
