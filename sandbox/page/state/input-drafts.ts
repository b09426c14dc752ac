import type { JsonObject } from '../../lib/json.ts';

interface Draft {
  state: JsonObject;
  send: () => Promise<void>;
  timer?: ReturnType<typeof setTimeout>;
  keep: boolean;
}

/**
 * Inputs that the server doesn't show yet. A draft overrides the snapshot until it is sent, so that a view
 * update doesn't overwrite typed text. Drafts of one container are sent in order.
 */
export class InputDrafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #queues = new Map<string, Promise<void>>();

  stateOf(container: string, slot: string): JsonObject | undefined {
    return this.#drafts.get(`${container} ${slot}`)?.state;
  }

  /**
   * Keeps `state` and calls `send` after `pause` milliseconds, unless a newer state of the slot replaces it.
   * With `keep`, the draft stays after sending, because only the page remembers choices in messages.
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

  /** Sends the waiting drafts of a container. Resolves when all have arrived. */
  async flush(container: string): Promise<void> {
    for (const [key, draft] of this.#drafts) {
      if (draft.timer !== undefined && key.startsWith(`${container} `)) {
        void this.#start(container, key, draft);
      }
    }
    await this.#queues.get(container);
  }

  #start(container: string, key: string, draft: Draft): Promise<void> {
    clearTimeout(draft.timer);
    delete draft.timer;
    const before = this.#queues.get(container) ?? Promise.resolve();
    const queued = before.then(draft.send).finally(() => {
      if (!draft.keep && this.#drafts.get(key) === draft) {
        this.#drafts.delete(key);
      }
      if (this.#queues.get(container) === queued) {
        this.#queues.delete(container);
      }
    });
    this.#queues.set(container, queued);
    return queued;
  }
}
