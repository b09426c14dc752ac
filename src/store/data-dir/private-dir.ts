import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { StoreError } from '../errors.ts';

/**
 * Makes sure that the folder exists and only its owner has access. Where others have access, it is taken from them if
 * the folder is empty or already Switchboard's; any other folder is refused, because it may not be ours to close.
 *
 * @param ownFile a file whose presence proves that the folder is Switchboard's
 * @throws StoreError `bad_folder`
 */
export function preparePrivateDir(folder: string, ownFile: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const openToOthers = (statSync(folder).mode & 0o077) !== 0;
    if (!openToOthers) {
      return;
    }
    const entries = readdirSync(folder);
    if (entries.length === 0 || entries.includes(ownFile)) {
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
