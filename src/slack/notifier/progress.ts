/** Shows how far something long is. */
export interface Progress {
  /** Hears how much is done. */
  report(done: number): void;
  /** Resolves when no showing is under way any more, which could otherwise overtake what is shown next. */
  settled(): Promise<void>;
}

/**
 * Shows progress each time `step` more is done, but never twice at once: where Slack is slow, it is shown less often.
 * A showing that fails is left out; the next one makes up for it.
 */
export function showProgress(
  show: (done: number) => Promise<unknown>,
  step: number,
  total: number,
): Progress {
  let next = step;
  let showing: Promise<void> | undefined;
  return {
    report(done) {
      if (showing !== undefined || done < next || done >= total) {
        return;
      }
      next = done + step;
      showing = show(done)
        .then(
          () => {},
          () => {},
        )
        .finally(() => {
          showing = undefined;
        });
    },
    settled: async () => {
      await showing;
    },
  };
}
