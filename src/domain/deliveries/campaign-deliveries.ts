import { readOutcome } from './delivery-status.ts';

/** Recipients whose message failed for one reason. */
export interface FailedDeliveries {
  /** In the middle of a sentence; undefined where the provider gives none. */
  reason: string | undefined;
  recipients: number;
}

/** What became of the messages of a campaign that the provider has accepted, in recipients: each is in one of these. */
export interface CampaignDeliveries {
  delivered: number;
  onTheWay: number;
  /** Those with the most recipients first. */
  failed: readonly FailedDeliveries[];
  /** Reported in words that are not in the table of statuses. */
  other: number;
  /** Nothing was reported of them yet. */
  waiting: number;
}

/** @param counts recipients by `outcomeOf` the status of their message */
export function summarizeDeliveries(
  counts: Iterable<readonly [outcome: string, recipients: number]>,
  accepted: number,
): CampaignDeliveries {
  const sums = { delivered: 0, sent: 0, unknown: 0, failed: 0 };
  const byReason = new Map<string | undefined, number>();
  for (const [outcome, recipients] of counts) {
    const { state, reason } = readOutcome(outcome);
    sums[state] += recipients;
    if (state === 'failed' && recipients > 0) {
      byReason.set(reason, (byReason.get(reason) ?? 0) + recipients);
    }
  }
  const { delivered, sent, unknown, failed } = sums;
  return {
    delivered,
    onTheWay: sent,
    failed: [...byReason]
      .map(([reason, recipients]) => ({ reason, recipients }))
      .sort((one, other) => other.recipients - one.recipients),
    other: unknown,
    // The two are read one after the other.
    waiting: Math.max(0, accepted - delivered - sent - failed - unknown),
  };
}
