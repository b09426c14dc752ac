/**
 * Shows progress each time `step` more is done, one update at a time: while Slack is slow, it is shown less often. An
 * update that fails is skipped; the next one makes up for it.
 */
export function showProgress(show: (done: number) => Promise<unknown>, step: number, total: number) {
  let next = step;
  let updating: Promise<void> | undefined;
  return {
    /** @param done how much is done so far */
    report(done: number): void {
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
    /** Resolves when no update is in flight, because one could overwrite the next view. */
    async settled(): Promise<void> {
      await updating;
    },
  };
}
