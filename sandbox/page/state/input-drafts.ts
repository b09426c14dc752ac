import type { JsonObject } from '../../lib/json.ts';

interface Draft {
  state: JsonObject;
  send: () => Promise<void>;
  timer?: ReturnType<typeof setTimeout>;
  keep: boolean;
}

/**
 * What a person has entered and the server does not show yet. A draft wins over the snapshot until it was sent,
 * so that an update of the view never takes letters away from under the fingers. Sends of one container keep
 * their order.
 */
export class InputDrafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #lines = new Map<string, Promise<void>>();

  stateOf(container: string, slot: string): JsonObject | undefined {
    return this.#drafts.get(`${container} ${slot}`)?.state;
  }

  /**
   * Keeps `state` and calls `send` after `pause` milliseconds, unless a later state of the slot takes its place.
   * With `keep` the draft outlives its sending: nobody else remembers what is chosen in a message.
   */
  put(
    container: string,
    slot: string,
    state: JsonObject,
    options: { send: () => Promise<void>; pause: number; keep: boolean },
  ): Promise<void> {
    const key = `${container} ${slot}`;
    clearTimeout(this.#drafts.get(key)?.timer);
    const draft: Draft = { state, send: options.send, keep: options.keep };
    this.#drafts.set(key, draft);
    if (options.pause === 0) {
      return this.#start(container, key, draft);
    }
    draft.timer = setTimeout(() => void this.#start(container, key, draft), options.pause);
    return Promise.resolve();
  }

  /** Sends what still waits in the container, and resolves when all of it has arrived. */
  async flush(container: string): Promise<void> {
    for (const [key, draft] of this.#drafts) {
      if (draft.timer !== undefined && key.startsWith(`${container} `)) {
        void this.#start(container, key, draft);
      }
    }
    await this.#lines.get(container);
  }

  #start(container: string, key: string, draft: Draft): Promise<void> {
    clearTimeout(draft.timer);
    delete draft.timer;
    const before = this.#lines.get(container) ?? Promise.resolve();
    const line = before.then(draft.send).finally(() => {
      if (!draft.keep && this.#drafts.get(key) === draft) {
        this.#drafts.delete(key);
      }
      if (this.#lines.get(container) === line) {
        this.#lines.delete(container);
      }
    });
    this.#lines.set(container, line);
    return line;
  }
}
