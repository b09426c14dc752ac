/** Has what is done under one name go one after the other, each whether or not the one before it failed. */
export function createKeyedMutex(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const working = before.then(work);
    const done = working
      .catch(() => {})
      .finally(() => {
        if (last.get(name) === done) {
          last.delete(name);
        }
      });
    last.set(name, done);
    return working;
  };
}
