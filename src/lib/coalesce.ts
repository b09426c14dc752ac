/**
 * Returns a function that runs work which serves all who ask for it before it begins: while it runs, all further calls share
 * the next run.
 */
export function coalesce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;

  function run(): Promise<Result> {
    const current = work().finally(() => {
      if (running === current) {
        running = undefined;
      }
    });
    running = current;
    return current;
  }

  return () => {
    if (next !== undefined) {
      return next;
    }
    if (running === undefined) {
      return run();
    }
    next = running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
