/** A Web API call that is or will be held. */
export interface HeldCall {
  /** Resolves when the call has arrived. */
  arrived: Promise<void>;
  /** Lets the call continue. */
  release(): void;
}

/** Holds the next calls by method. A held call does nothing until it is released. */
export class HeldCalls {
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();

  add(method: string): HeldCall {
    const arrival = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const hold = (): Promise<void> => {
      arrival.resolve();
      return release.promise;
    };
    this.#waiting.set(method, [...(this.#waiting.get(method) ?? []), hold]);
    return { arrived: arrival.promise, release: release.resolve };
  }

  /** Resolves when a call may continue: at once, unless it is held. */
  async pass(method: string): Promise<void> {
    await this.#waiting.get(method)?.shift()?.();
  }
}
