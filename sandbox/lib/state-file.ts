import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const saveDelayMs = 200;

/** Keeps a JSON file up to date. Each save replaces the whole file by a rename, so a crash never leaves half of one. */
export class StateFile {
  readonly #path: string;
  readonly #state: () => unknown;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(path: string, state: () => unknown) {
    this.#path = path;
    this.#state = state;
  }

  /** Schedules a save. Changes within 200 ms share one save. */
  save(): void {
    this.#timer ??= setTimeout(() => this.#start(), saveDelayMs);
  }

  /** Saves what is still scheduled. Rejects when the last save failed. */
  async flush(): Promise<void> {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#start();
    }
    await this.#saving;
  }

  #start(): void {
    this.#timer = undefined;
    // A failed save does not prevent the next one; flush() reports the last failure.
    this.#saving = this.#saving.catch(() => {}).then(() => this.#write());
    this.#saving.catch(() => {});
  }

  async #write(): Promise<void> {
    const draft = `${this.#path}.new`;
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(draft, JSON.stringify(this.#state()), { mode: 0o600 });
    await rename(draft, this.#path);
  }
}
