/** Minimum time between two updates of one message, in milliseconds. */
const minInterval = 3_000;
/** Slack: chat.update is tier 3, about 50 calls a minute for all messages of a workspace together. */
const intervalPerMessage = 1_300;
const firstRetryDelay = 2_000;
const maxRetryDelay = 60_000;
/** Changes within this time are shown together. */
const batchMs = 100;

/**
 * Returns when a campaign's message may be updated next: at once when its state has changed, its counts as often as
 * Slack's rate limit allows, and after a failure with exponential backoff. All times are in milliseconds of one stopwatch.
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
    waiting,
  }: {
    now: number;
    /** Until when Slack's rate limit lasts. */
    notBefore: number;
    /** How many messages of the workspace have changes that are not shown yet. */
    waiting: number;
  },
): number {
  return Math.max(allowedAt(), notBefore, now + batchMs);

  function allowedAt(): number {
    if (failures > 0) {
      return shownAt + Math.min(maxRetryDelay, firstRetryDelay * 2 ** (failures - 1));
    }
    return stateChanged ? 0 : shownAt + Math.max(minInterval, waiting * intervalPerMessage);
  }
}
