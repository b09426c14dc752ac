import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isJsonObject, parseJsonText } from '../../lib/json.ts';
import type { WorkspaceState } from './workspace.ts';

const DELAY = 200;

/** Keeps the workspace in a file: written whole, soon after a change, and replaced in one step. */
export class SlackStateFile {
  readonly #path: string;
  readonly #state: () => WorkspaceState;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, state: () => WorkspaceState) {
    this.#path = path;
    this.#state = state;
  }

  /** Writes a little later, once for all the changes until then. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.flush().catch(console.error), DELAY);
  }

  /** Writes now what is not yet written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const write = () => this.#write();
    this.#writing = this.#writing.then(write, write);
    await this.#writing;
  }

  async #write(): Promise<void> {
    const draft = `${this.#path}.draft`;
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(draft, JSON.stringify(this.#state()));
    await rename(draft, this.#path);
  }
}

/** What an earlier run left; undefined if there is none or it cannot be read. */
export function readSlackState(path: string): WorkspaceState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const state = parseJsonText(text);
  return isState(state) ? state : undefined;
}

function isState(state: unknown): state is WorkspaceState {
  const lists = ['channels', 'messages', 'homes', 'files'];
  return (
    isJsonObject(state) &&
    lists.every((key) => Array.isArray(state[key])) &&
    typeof state.lastTime === 'number'
  );
}
