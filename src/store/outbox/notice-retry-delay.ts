const firstDelayMs = 2_000;
export const maxNoticeRetryDelayMs = 60 * 60_000;

/** How long the next attempt is put off after a number of failed ones, in milliseconds. */
export function noticeRetryDelay(attempts: number): number {
  return Math.min(maxNoticeRetryDelayMs, firstDelayMs * 2 ** (attempts - 1));
}
