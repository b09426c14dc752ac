/** A call of a Web API method that is held back, or that will be. */
export interface HeldCall {
  /** Resolves when the call is there. */
  arrived: Promise<void>;
  /** Lets the call go on. */
  release(): void;
}

/** Holds waiting for the next calls of a method: nothing is done with such a call until it is released. */
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

  /** Resolves when a call of the method may go on: at once, unless it is held back. */
  async pass(method: string): Promise<void> {
    await this.#waiting.get(method)?.shift()?.();
  }
}
