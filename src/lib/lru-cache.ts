/** Values by their keys, the latest kept of them; a restart forgets them all. */
export interface Latest<Value> {
  get(key: string): Value | undefined;
  keep(key: string, value: Value): void;
}

/** Keeps so many: then the one that was kept longest ago goes. */
export function keepLatest<Value>(most: number): Latest<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    keep(key, value) {
      values.delete(key);
      const [oldest] = values.keys();
      if (oldest !== undefined && values.size >= most) {
        values.delete(oldest);
      }
      values.set(key, value);
    },
  };
}
