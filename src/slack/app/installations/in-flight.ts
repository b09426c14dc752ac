/** Work that nobody waits for, until the program stops. */
export interface InFlight {
  /** @param work never rejects */
  track(work: Promise<void>): void;
  /** Resolves when all of it is done. */
  settled(): Promise<void>;
}

export function createInFlight(): InFlight {
  const inFlight = new Set<Promise<void>>();
  return {
    track(work) {
      const done = work.finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    async settled() {
      await Promise.all(inFlight);
    },
  };
}
