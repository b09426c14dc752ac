/** No bound on what is waited for: only a test that fails waits this long, and a machine with much else to do is slow. */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Resolves with the first truthy result of `look`, which is called now and on each change. Rejects with an error that
 * names `what`, as it is then, after `within` milliseconds, or with the error that `look` throws.
 */
export async function until<T>(
  onChange: (listener: () => void) => () => void,
  look: () => T | undefined | null | false,
  what: string | (() => string),
  within = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  const outcome = Promise.withResolvers<T>();
  const lookAgain = (): void => {
    try {
      const found = look();
      if (found) {
        outcome.resolve(found);
      }
    } catch (error) {
      outcome.reject(error);
    }
  };
  let isDue = false;
  // Once for all that changes in one go: each look copies what a person sees.
  const stop = onChange(() => {
    if (!isDue) {
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        lookAgain();
      });
    }
  });
  const timer = setTimeout(() => {
    const named = typeof what === 'string' ? what : what();
    outcome.reject(new Error(`Waited ${within} ms for ${named}.`));
  }, within);
  lookAgain();
  try {
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
