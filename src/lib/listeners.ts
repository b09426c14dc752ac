export interface Listeners<Value> {
  /** Calls every listener. */
  tell(value: Value): void;
  /** Adds a listener. Returns a function that removes it. */
  watch(listener: (value: Value) => void): () => void;
}

/** A listener that throws keeps neither the others nor the caller from going on. */
export function createListeners<Value>(report: (error: unknown) => void): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    tell(value) {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          report(error);
        }
      }
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
