/**
 * Works at once and then every so often, never twice at a time: what takes longer than `milliseconds` is not begun anew
 * meanwhile. Gives what ends it: `work` then hears of it by its signal, and is waited for.
 */
export function startInterval(
  milliseconds: number,
  work: (ending: AbortSignal) => Promise<void>,
): () => Promise<void> {
  const ending = new AbortController();
  let working: Promise<void> | undefined;
  const begin = () => {
    working ??= work(ending.signal).finally(() => {
      working = undefined;
    });
  };
  begin();
  const timer = setInterval(begin, milliseconds);
  return async () => {
    clearInterval(timer);
    ending.abort();
    await working;
  };
}
