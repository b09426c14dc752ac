/** A clock that stands still until the test moves it. */
export interface StoppedClock {
  clock: () => Date;
  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): void;
}

export function stoppedClock(): StoppedClock {
  let now = Date.now();
  return {
    clock: () => new Date(now),
    pass(milliseconds) {
      now += milliseconds;
    },
  };
}
