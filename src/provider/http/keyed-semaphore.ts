/**
 * Limits how many holders of one key run at the same time, first come, first served. Each account is a key, so that one
 * with a hundred requests waiting leaves connections to the others.
 */
export interface KeyedSemaphore {
  /** Resolves to a function that releases the permit, or to `undefined` if the signal is aborted first. */
  acquire(key: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

interface Queue {
  running: number;
  /** Called in order, each with a permit that was released. */
  readonly waiting: Set<() => void>;
}

export function createKeyedSemaphore(permits: number): KeyedSemaphore {
  const queues = new Map<string, Queue>();

  const release = (key: string, queue: Queue): void => {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next();
      return;
    }
    queue.running -= 1;
    // An empty queue is deleted, so that accounts no longer in use take no memory.
    if (queue.running === 0) {
      queues.delete(key);
    }
  };

  return {
    acquire(key, signal) {
      if (signal.aborted) {
        return Promise.resolve(undefined);
      }
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
      queues.set(key, queue);
      const releasePermit = () => release(key, queue);
      if (queue.running < permits) {
        queue.running += 1;
        return Promise.resolve(releasePermit);
      }
      return new Promise((resolve) => {
        const abandon = () => {
          queue.waiting.delete(proceed);
          resolve(undefined);
        };
        const proceed = () => {
          signal.removeEventListener('abort', abandon);
          resolve(releasePermit);
        };
        queue.waiting.add(proceed);
        signal.addEventListener('abort', abandon, { once: true });
      });
    },
  };
}
