const PATIENCE = 10_000;

/**
 * Resolves with what `look` finds, looking again at each change. Rejects after `within` milliseconds, naming `what`,
 * and with whatever `look` throws.
 */
export async function until<T>(
  onChange: (listener: () => void) => () => void,
  look: () => T | undefined | null | false,
  what: string,
  within = PATIENCE,
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
  const stop = onChange(lookAgain);
  const timer = setTimeout(
    () => outcome.reject(new Error(`Waited ${within} ms in vain for ${what}.`)),
    within,
  );
  lookAgain();
  try {
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
