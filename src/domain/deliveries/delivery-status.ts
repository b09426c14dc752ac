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
  /** Why it failed, in our words, for the middle of a sentence. */
  reason?: string;
  /** Whether it failed, or may have failed, because the number is on Do-Not-Disturb. */
  mayBeDnd?: true;
  /** The provider's own words: a status that isn't in the table, or its explanation of a failure. */
  words?: string;
}

/** The provider's words in lower case, without the explanation that may follow a bar. */
const statuses = new Map<string, ReportedStatus>(
  Object.entries({
    sent: { state: 'sent' },
    'message sent': { state: 'sent' },
    delivered: { state: 'delivered' },
    'message delivered': { state: 'delivered' },
    'message delivered to handset': { state: 'delivered' },
    // Incoming messages only have this status, see `isReceived`.
    received: { state: 'delivered' },
    failed: { state: 'failed' },
    'message failed': { state: 'failed' },
    undelivered: { state: 'failed' },
    undeliverable: { state: 'failed' },
    'dnd active on phone number': {
      state: 'failed',
      reason: 'the number is on Do-Not-Disturb',
      mayBeDnd: true,
    },
    // This provider uses it for Do-Not-Disturb, others for a refusal by the network.
    rejected: { state: 'failed', reason: 'rejected, possibly Do-Not-Disturb', mayBeDnd: true },
    expired: { state: 'failed', reason: 'the phone wasn’t reached in time' },
  }),
);

/** Maximum length of the provider's own words, in characters. */
const maxWordsLength = 100;

/** Returns what a status means, ignoring case. */
export function readReportedStatus(status: string): ReportedStatus {
  const [head, explanation] = partsOf(status);
  const known = statuses.get(head.toLowerCase());
  if (known === undefined) {
    const words = clamp(head || explanation);
    return { state: 'unknown', ...(words !== '' && { words }) };
  }
  if (known.state !== 'failed' || known.reason !== undefined || explanation === '') {
    return known;
  }
  const explained = statuses.get(explanation.toLowerCase());
  return explained?.reason === undefined ? { state: 'failed', words: clamp(explanation) } : explained;
}

/** Whether a status is *Received*: the only status of an incoming message, or a delivered outgoing one. */
export function isReceived(status: string): boolean {
  const [head] = partsOf(status);
  return head.toLowerCase() === 'received';
}

/**
 * Returns what a status counts as: its state and the reason for a failure, or, after a colon, the provider's
 * own words.
 */
export function outcomeOf(status: string): string {
  const { state, reason, words } = readReportedStatus(status);
  if (words !== undefined) {
    return `${state}: ${words}`;
  }
  const [head, explanation] = partsOf(status).map((part) => part.toLowerCase());
  const word = statuses.get(head ?? '')?.reason === undefined ? explanation : head;
  return reason === undefined ? state : `${state} ${word}`;
}

/** Removes the provider's own words from an outcome. Returns `undefined` if it has no such words. */
export function withoutOwnWords(outcome: string): string | undefined {
  const [, state] = ownWords.exec(outcome) ?? [];
  return state;
}

const ownWords = /^(unknown|failed): (.*)$/s;

const plainOutcomes = new Map<string, ReportedStatus>(
  (['unknown', 'sent', 'failed', 'delivered'] as const).map((state) => [state, { state }]),
);

/** Reverses `outcomeOf`. */
function readOutcome(outcome: string): ReportedStatus {
  const [, state, words = ''] = ownWords.exec(outcome) ?? [];
  if (state !== undefined) {
    return { state: state === 'failed' ? 'failed' : 'unknown', words };
  }
  return plainOutcomes.get(outcome) ?? readReportedStatus(outcome.slice(outcome.indexOf(' ') + 1));
}

/** Splits a status at the bar into its words and their explanation, with single spaces. */
function partsOf(status: string): [head: string, explanation: string] {
  const bar = status.indexOf('|');
  const parts = bar === -1 ? [status, ''] : [status.slice(0, bar), status.slice(bar + 1)];
  const [head = '', explanation = ''] = parts.map((part) => part.trim().replaceAll(/\s+/g, ' '));
  return [head, explanation];
}

function clamp(words: string): string {
  return words.slice(0, maxWordsLength).toWellFormed();
}

/**
 * A message's known state only moves up, in whatever order reports arrive: a failed message may still be delivered by another
 * route, and a delivered one stays so. Stored, so the numbers keep their meaning; 1 once included *sent*.
 */
export const reportedProgress: Readonly<Record<ReportedState, number>> = {
  sent: 0,
  unknown: 1,
  failed: 2,
  delivered: 3,
};

/** Recipients whose message failed for one reason. */
export interface FailedDeliveries {
  /** In our words, for the middle of a sentence. */
  reason?: string | undefined;
  /** In the provider's own words, if the reason isn't in the table. Neither where the provider gave none. */
  words?: string | undefined;
  mayBeDnd?: true;
  recipients: number;
}

/** Recipients whose message has a status that isn't in the table. */
export interface OtherDeliveries {
  /** The provider's own words. Undefined if they weren't counted separately. */
  words: string | undefined;
  recipients: number;
}

/** What became of the messages of a campaign that the provider has accepted, in recipients: each is in one of these. */
export interface CampaignDeliveries {
  delivered: number;
  onTheWay: number;
  /** Sorted by the number of recipients, most first, like the others. */
  failed: readonly FailedDeliveries[];
  other: readonly OtherDeliveries[];
  /** Nothing was reported of them yet. */
  waiting: number;
}

/** @param counts recipients by `outcomeOf` the status of their message */
export function summarizeDeliveries(
  counts: Iterable<readonly [outcome: string, recipients: number]>,
  accepted: number,
): CampaignDeliveries {
  const sums = { delivered: 0, sent: 0 };
  const failed = new Map<string | undefined, FailedDeliveries>();
  const other = new Map<string | undefined, OtherDeliveries>();
  let reported = 0;
  // If spellings differ only in case, show the one with the most recipients.
  for (const [outcome, recipients] of [...counts].sort(([, one], [, two]) => two - one)) {
    const { state, reason, mayBeDnd, words } = readOutcome(outcome);
    reported += recipients;
    if (state === 'delivered' || state === 'sent') {
      sums[state] += recipients;
    } else if (recipients > 0 && state === 'failed') {
      const key = reason ?? words;
      const sum = recipients + (failed.get(key)?.recipients ?? 0);
      failed.set(key, {
        ...(reason !== undefined && { reason }),
        ...(words !== undefined && { words }),
        ...(mayBeDnd && { mayBeDnd }),
        recipients: sum,
      });
    } else if (recipients > 0) {
      const key = words?.toLowerCase();
      const known = other.get(key);
      other.set(key, { words: known?.words ?? words, recipients: recipients + (known?.recipients ?? 0) });
    }
  }
  return {
    delivered: sums.delivered,
    onTheWay: sums.sent,
    failed: [...failed.values()].sort(byRecipients),
    other: [...other.values()].sort(byRecipients),
    // The two are read one after the other.
    waiting: Math.max(0, accepted - reported),
  };
}

function byRecipients(one: { recipients: number }, other: { recipients: number }): number {
  return other.recipients - one.recipients;
}
