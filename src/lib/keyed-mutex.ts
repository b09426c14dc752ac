/** Returns a function that runs work of the same key one at a time, in order. A failed run does not stop the next. */
export function createKeyedMutex(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const running = before.then(work);
    const tail = running
      .catch(() => {})
      .finally(() => {
        if (tails.get(key) === tail) {
          tails.delete(key);
        }
      });
    tails.set(key, tail);
    return running;
  };
}
