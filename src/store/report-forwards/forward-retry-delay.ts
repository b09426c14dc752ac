const firstDelayMs = 10_000;
const maxDelayMs = 60 * 60_000;
const maxPauseMs = 5 * 60_000;

/** How long the next attempt at a request is put off after a number of failed ones, in milliseconds. */
export function forwardRetryDelay(attempts: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1));
}

/** How long an address that could not be reached is left alone, in milliseconds. */
export function forwardPause(failures: number): number {
  return Math.min(maxPauseMs, firstDelayMs * 2 ** (failures - 1));
}
