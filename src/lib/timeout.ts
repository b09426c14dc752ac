import { setTimeout as wait } from 'node:timers/promises';

/** What `promise` gives, or after `patience` milliseconds what `otherwise` gives; the promise is left to go on. */
export async function withTimeout<T>(promise: Promise<T>, patience: number, otherwise: () => T): Promise<T> {
  const timer = new AbortController();
  const late = wait(patience, undefined, { signal: timer.signal }).then(otherwise);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}
