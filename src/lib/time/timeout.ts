import { settledInTime, systemTimers, type Timers } from './timers.ts';

/**
 * Returns what `promise` resolves to, or what `otherwise` returns if that takes more than `ms` milliseconds. The promise
 * is left to go on.
 */
export async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  otherwise: () => T,
  timers: Timers = systemTimers,
): Promise<T> {
  const settled = new AbortController();
  try {
    const first = await Promise.race([
      promise.then((value) => ({ value })),
      timers.bound(ms, settled.signal),
    ]);
    return first === undefined ? otherwise() : first.value;
  } finally {
    settled.abort(settledInTime);
  }
}

/**
 * Runs `work` with a signal that is aborted with a `TimeoutError` after `ms` milliseconds, and returns its result: for
 * work that ends itself when its signal is aborted.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  timers: Timers = systemTimers,
): Promise<T> {
  const deadline = new AbortController();
  const settled = new AbortController();
  void timers.bound(ms, settled.signal).then(() => {
    if (!settled.signal.aborted) {
      deadline.abort(new DOMException(`More than ${ms} ms have passed`, 'TimeoutError'));
    }
  });
  try {
    return await work(deadline.signal);
  } finally {
    settled.abort(settledInTime);
  }
}
