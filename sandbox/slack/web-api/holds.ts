/** A Web API call that is or will be held. */
export interface HeldCall {
  /** Resolves when the call has arrived. */
  arrived: Promise<void>;
  /** Lets the call continue. */
  release(): void;
}

/** Holds the next calls by method. A held call does nothing until it is released. */
export class HeldCalls {
  #waiting: { method: string; place: string | undefined; hold: () => Promise<void> }[] = [];

  /** @param place holds only a call with the token of this workspace or enterprise */
  add(method: string, place?: string): HeldCall {
    const arrival = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const hold = (): Promise<void> => {
      arrival.resolve();
      return release.promise;
    };
    this.#waiting.push({ method, place, hold });
    return { arrived: arrival.promise, release: release.resolve };
  }

  /** Resolves when a call may continue: at once, unless it is held. */
  async pass(method: string, place: string | undefined): Promise<void> {
    const next = this.#waiting.find(
      (each) => each.method === method && (each.place === undefined || each.place === place),
    );
    this.#waiting = this.#waiting.filter((each) => each !== next);
    await next?.hold();
  }
}
