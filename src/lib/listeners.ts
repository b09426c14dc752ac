/** A listener that throws keeps neither the others nor the caller from going on. */
export function createListeners<Value>(report: (error: unknown) => void) {
  const listeners = new Set<(value: Value) => void>();
  return {
    /** Calls every listener. */
    tell(value: Value): void {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          report(error);
        }
      }
    },
    /** Adds a listener. Returns a function that removes it. */
    watch(listener: (value: Value) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
