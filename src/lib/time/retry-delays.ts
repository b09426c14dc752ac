interface RetryDelay {
  firstMs: number;
  maxMs: number;
}

/** When failed work is retried: after the first delay, doubled each time, up to the longest. */
export const retryDelays = {
  /** A request to the provider that may be repeated. */
  request: { firstMs: 250, maxMs: 5_000 },
  /** The requests of a campaign, once the provider has refused one as too many. */
  campaign: { firstMs: 1_000, maxMs: 60_000 },
  /** A request to Slack that did not reach it, or that it asked to send later. */
  slack: { firstMs: 400, maxMs: 5_000 },
  /** A notice in the outbox. */
  notice: { firstMs: 2_000, maxMs: 60 * 60_000 },
  /** A write whose content is known to this process alone. */
  write: { firstMs: 1_000, maxMs: 1_000 },
  job: { firstMs: 2_000, maxMs: 60_000 },
} as const satisfies Record<string, RetryDelay>;

/** Returns the delay after a number of failures, in milliseconds. */
export function retryDelayMs({ firstMs, maxMs }: RetryDelay, failures: number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}
