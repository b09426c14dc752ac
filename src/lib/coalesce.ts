/**
 * Returns a function that runs work which serves all who ask for it before it begins: while it runs, all further calls share
 * the next run.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function run(): Promise<void> {
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
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
