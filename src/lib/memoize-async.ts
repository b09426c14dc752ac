/**
 * Does a piece of work once for its key, in which is all that the result depends on: who asks again meanwhile or soon after gets the same result. For what does no
 * harm when done twice but would be shown twice; what costs money is the ledger's. Work that failed is done again.
 */
export function onceEach<T>(remembered: number): (key: string, work: () => Promise<T>) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = results.get(key);
    if (known !== undefined) {
      return known;
    }
    const [oldest] = results.keys();
    if (oldest !== undefined && results.size >= remembered) {
      results.delete(oldest);
    }
    const result = work();
    results.set(key, result);
    result.catch(() => results.delete(key));
    return result;
  };
}
