/**
 * How far a message is known to have come:
 * - `unknown`: the provider’s word for it is not in the table;
 * - `sent`: on its way;
 * - `failed`: it did not arrive, and nothing more is tried;
 * - `delivered`: the phone has it.
 */
export type ReportedState = 'unknown' | 'sent' | 'failed' | 'delivered';

/** What the provider says of a message, in its own words and ours. */
export interface ReportedStatus {
  state: ReportedState;
  /** Why it failed, in the middle of a sentence. */
  reason?: string | undefined;
}

/** The provider’s words, in small letters and without what follows a bar. */
const statuses = new Map<string, ReportedStatus>(
  Object.entries({
    sent: { state: 'sent' },
    'message sent': { state: 'sent' },
    delivered: { state: 'delivered' },
    'message delivered': { state: 'delivered' },
    failed: { state: 'failed' },
    'message failed': { state: 'failed' },
    'dnd active on phone number': { state: 'failed', reason: 'Do-Not-Disturb is on for the number' },
    rejected: { state: 'failed', reason: 'the network rejected it' },
    expired: { state: 'failed', reason: 'the phone wasn’t reached in time' },
  }),
);

/** The words for a message that came in, rather than went out. */
const inbound = new Set(['received']);

/** Returns what a status means, whatever its letters’ case and what it adds after a bar. */
export function readReportedStatus(status: string): ReportedStatus {
  return statuses.get(wordsOf(status)) ?? { state: 'unknown' };
}

/** Whether a status is that of a message that came in. */
export function isInboundStatus(status: string): boolean {
  return inbound.has(wordsOf(status));
}

/**
 * Returns what a status is counted as: its state, and the words of the table where it failed for a reason. There are no more
 * than the table has.
 */
export function outcomeOf(status: string): string {
  const { state, reason } = readReportedStatus(status);
  return reason === undefined ? state : `${state} ${wordsOf(status)}`;
}

const plainOutcomes = new Map<string, ReportedStatus>(
  (['unknown', 'sent', 'failed', 'delivered'] as const).map((state) => [state, { state }]),
);

/** Returns the state and the reason that `outcomeOf` has made an outcome of. */
function readOutcome(outcome: string): ReportedStatus {
  return plainOutcomes.get(outcome) ?? readReportedStatus(outcome.slice(outcome.indexOf(' ') + 1));
}

function wordsOf(status: string): string {
  const [words = ''] = status.split('|', 1);
  return words.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/**
 * What is known of a message only moves forward by this, whatever the order in which it is reported. A message that was
 * reported as failed may still be delivered by another route; one that a phone has stays delivered. A word that is not in the
 * table says more than that it was sent. Stored: 1 was that of both before *sent* had one of its own.
 */
export const reportedProgress: Readonly<Record<ReportedState, number>> = {
  sent: 0,
  unknown: 1,
  failed: 2,
  delivered: 3,
};

/** Recipients whose message failed for one reason. */
export interface FailedDeliveries {
  /** In the middle of a sentence; undefined where the provider says none. */
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
