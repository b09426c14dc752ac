import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type State, stateSchema } from './state.ts';

/** How many messages outlive a restart: enough for a person to look back on, and quick to write. */
const savedMessages = 1000;
const delay = 200;

/** The state that a file holds, or nothing where there is no file. Throws where it cannot be read. */
export async function readProviderState(file: string): Promise<State | undefined> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    const message = `The sandbox cannot read what its provider remembered in ${file}. Remove the file, or run: npm run sandbox -- --reset`;
    throw new Error(message, { cause: error });
  }
}

export interface ProviderStateFile {
  /** Saves a moment later, and once for many changes. */
  save(): void;
  /** Saves what is not saved yet. Rejects where a save failed. */
  flush(): Promise<void>;
}

/** Keeps a file up to date. Each save replaces the file whole, so that a crash leaves the old or the new one. */
export function keepState(file: string, state: () => State): ProviderStateFile {
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();

  async function write() {
    const { record, ...rest } = state();
    const text = JSON.stringify({ ...rest, record: record.slice(-savedMessages) }, null, 2);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  function begin() {
    timer = undefined;
    // A save that failed does not keep the next from trying; the last failure is for flush() to pass on.
    saving = saving.catch(() => {}).then(write);
    saving.catch(() => {});
  }

  return {
    save() {
      timer ??= setTimeout(begin, delay);
    },
    async flush() {
      if (timer) {
        clearTimeout(timer);
        begin();
      }
      await saving;
    },
  };
}
