import { settledInTime, systemTimers, type Timers } from './timers.ts';

/**
 * Calls `onLate` after `ms` milliseconds, unless the returned function is called before. An error is made in `onLate`,
 * where one is needed: its stack costs, and most work is in time.
 */
export function startTimeout(ms: number, onLate: () => void, timers: Timers = systemTimers): () => void {
  const settled = new AbortController();
  void timers.bound(ms, settled.signal).then(() => {
    if (!settled.signal.aborted) {
      onLate();
    }
  });
  return () => settled.abort(settledInTime);
}

/**
 * Returns what `promise` resolves to, or what `otherwise` returns if that takes more than `ms` milliseconds. The promise
 * is left to go on.
 */
export async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  otherwise: () => T,
  timers?: Timers,
): Promise<T> {
  const late = Promise.withResolvers<undefined>();
  const clear = startTimeout(ms, () => late.resolve(undefined), timers);
  try {
    const first = await Promise.race([promise.then((value) => ({ value })), late.promise]);
    return first === undefined ? otherwise() : first.value;
  } finally {
    clear();
  }
}

/**
 * Runs `work` with a signal that is aborted with a `TimeoutError` after `ms` milliseconds, and returns its result: for
 * work that ends itself when its signal is aborted.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  timers?: Timers,
): Promise<T> {
  const deadline = new AbortController();
  const late = () => deadline.abort(new DOMException(`More than ${ms} ms have passed`, 'TimeoutError'));
  const clear = startTimeout(ms, late, timers);
  try {
    return await work(deadline.signal);
  } finally {
    clear();
  }
}
