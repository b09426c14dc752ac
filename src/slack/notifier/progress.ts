/** Shows the progress of long work. */
export interface Progress {
  /** @param done how much is done so far */
  report(done: number): void;
  /** Resolves when no update is in flight any more, which could otherwise overwrite what is shown next. */
  settled(): Promise<void>;
}

/**
 * Shows progress each time `step` more is done, one update at a time: while Slack is slow, it is shown less often. An
 * update that fails is skipped; the next one makes up for it.
 */
export function showProgress(
  show: (done: number) => Promise<unknown>,
  step: number,
  total: number,
): Progress {
  let next = step;
  let updating: Promise<void> | undefined;
  return {
    report(done) {
      if (updating !== undefined || done < next || done >= total) {
        return;
      }
      next = done + step;
      updating = show(done)
        .then(
          () => {},
          () => {},
        )
        .finally(() => {
          updating = undefined;
        });
    },
    settled: async () => {
      await updating;
    },
  };
}
