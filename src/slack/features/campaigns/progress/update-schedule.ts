/** Minimum time between two updates of one message, in milliseconds. */
const minInterval = 3_000;
const firstRetryDelay = 2_000;
const maxRetryDelay = 60_000;
/** Changes within this time are shown together. */
const batchMs = 100;

/**
 * Returns when an update of a campaign's message is due: at once when its state has changed, every three seconds for its
 * counts, and after a failure with exponential backoff. It is then begun in its turn, see `createUpdateTurns`. All times are
 * in milliseconds of one stopwatch.
 */
export function nextUpdateAt(
  {
    stateChanged,
    shownAt,
    failures,
  }: { stateChanged: boolean /** When the last update began. */; shownAt: number; failures: number },
  {
    now,
    notBefore,
  }: {
    now: number;
    /** Until when Slack's rate limit lasts. */
    notBefore: number;
  },
): number {
  return Math.max(allowedAt(), notBefore, now + batchMs);

  function allowedAt(): number {
    if (failures > 0) {
      return shownAt + Math.min(maxRetryDelay, firstRetryDelay * 2 ** (failures - 1));
    }
    return stateChanged ? 0 : shownAt + minInterval;
  }
}
