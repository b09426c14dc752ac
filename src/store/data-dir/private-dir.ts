import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { StoreError } from '../errors.ts';

/**
 * Makes sure the folder exists and is open to its owner alone. A folder that is open to others is closed to them when
 * it is empty or has been ours before; any other is refused, because it may not be ours to close.
 *
 * @param mark a file whose presence says that the folder is ours
 * @throws StoreError `bad_folder`
 */
export function preparePrivateDir(folder: string, mark: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const openToOthers = (statSync(folder).mode & 0o077) !== 0;
    if (!openToOthers) {
      return;
    }
    const entries = readdirSync(folder);
    if (entries.length === 0 || entries.includes(mark)) {
      chmodSync(folder, 0o700);
      return;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      'bad_folder',
      `The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to a folder that this user owns.`,
      { cause: error },
    );
  }
  throw new StoreError(
    'bad_folder',
    `The data folder ${folder} can be read by others and holds files that are not Switchboard's. ` +
      `Set DATA_DIR to a folder inside it (it is created private), or close it to others: chmod 700 ${folder}`,
  );
}
