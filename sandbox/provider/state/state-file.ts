import { readFile } from 'node:fs/promises';
import { StateFile } from '../../lib/state-file.ts';
import { type State, stateSchema } from './state.ts';

/** Messages kept over a restart: enough to look back on, and quick to write. */
const savedMessages = 1000;

/** Reads the state from a file. Resolves with undefined when there is no file; throws when it cannot be read. */
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

/** Keeps the state in a file, with the newest 1,000 messages each way. */
export function createProviderStateFile(file: string, state: () => State): StateFile {
  return new StateFile(file, () => {
    const { record, inbox, ...rest } = state();
    return { ...rest, record: record.slice(-savedMessages), inbox: inbox.slice(-savedMessages) };
  });
}
