const PATIENCE = 5_000;

/** Resolves with what `look` finds, looking again at each change. Rejects after `within` milliseconds, naming `what`. */
export async function until<T>(
  onChange: (listener: () => void) => () => void,
  look: () => T | undefined | null | false,
  what: string,
  within = PATIENCE,
): Promise<T> {
  const found = look();
  if (found) return found;
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`Waited ${within} ms in vain for ${what}.`));
    }, within);
    const stop = onChange(() => {
      const found = look();
      if (!found) return;
      clearTimeout(timer);
      stop();
      resolve(found);
    });
  });
}
