import {
  type CampaignDeliveries,
  outcomeOf,
  readReportedStatus,
  summarizeDeliveries,
} from '../../../domain/deliveries/delivery-status.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';
import { deliveryCountWords, failureLine, providerSays } from './campaign-counts.ts';

/** What became of a request, in the words that every surface uses. */
export interface OutcomeSummary {
  icon: Markup;
  /** *Sent*, *Delivered*, *Not delivered*, *Rejected*, *Not sent*, *Unconfirmed*, *Verified*, *Expired*. */
  word: string;
  /** When that was learned; undefined where it is no later than the request, or recipients differ. */
  at?: Date | undefined;
  /** Whom that is true of, where not of all recipients: `2 of 5`. */
  whom?: string | undefined;
  /** Why, how many, or who did it. */
  remarks: Markup[];
}

/** What is known of messages once they were accepted, and how many recipients they have together. */
export interface KnownDeliveries {
  /** Undefined where no report is kept. */
  deliveries?: readonly MessageDelivery[] | undefined;
  recipients: number;
}

/**
 * How far accepted messages came. `done`: what it is called where nothing has to arrive, such as *Requested*. `missedAt`: when
 * one was reported as not delivered, if the report is no longer kept.
 */
export function describeArrival(
  known: KnownDeliveries,
  { done, missedAt }: { done?: string | undefined; missedAt?: Date | undefined } = {},
): OutcomeSummary {
  const { deliveries, recipients } = known;
  const [first, ...others] = deliveries ?? [];
  const icon = done === undefined ? stateIcons.sent : stateIcons.done;
  const sent = { icon, word: done ?? 'Sent', remarks: [] };
  if (deliveries === undefined && missedAt !== undefined) {
    const some = { icon: stateIcons.unconfirmed, whom: `some of ${recipients}` };
    const who = recipients > 1 ? some : { icon: stateIcons.failed };
    return { word: 'Not delivered', at: missedAt, remarks: [], ...who };
  }
  if (deliveries === undefined || first === undefined) {
    return sent;
  }
  const isDifferent = ({ state, status }: MessageDelivery) =>
    state !== first.state || (state === 'unknown' && status !== first.status);
  if (deliveries.length < recipients || others.some(isDifferent)) {
    const counts = countsOf(known);
    const failed = deliveries.filter(({ state }) => state === 'failed').length;
    if (failed > 0) {
      const remarks = deliveryCountWords({ ...counts, failed: [] });
      const whom = `${failed} of ${recipients}`;
      return { icon: stateIcons.unconfirmed, word: 'Not delivered', whom, remarks };
    }
    const isUnknown = deliveries.some(({ state }) => state === 'unknown');
    return { ...sent, ...(isUnknown && { icon: stateIcons.unknown }), remarks: deliveryCountWords(counts) };
  }
  const at = new Date(Math.max(...deliveries.map(({ receivedAt }) => receivedAt.getTime())));
  switch (first.state) {
    case 'delivered':
      return { ...sent, icon: stateIcons.done, word: 'Delivered', at };
    case 'failed': {
      const reasons = new Map(deliveries.map(reasonOf).map((reason) => [reason.source, reason]));
      const remarks = reasons.size === 1 ? [...reasons.values()] : [];
      return { icon: stateIcons.failed, word: 'Not delivered', at, remarks };
    }
    case 'sent':
      return { ...sent, word: 'On its way', at };
    case 'unknown':
      return { ...sent, icon: stateIcons.unknown, at, remarks: [saidOf(first)] };
  }
}

/** What became of the message to one of several recipients: an icon, and words that follow the number. */
export function describeRecipient(delivery: MessageDelivery | undefined): {
  icon: Markup;
  words: Markup;
  /** The lower, the more it matters. */
  rank: number;
} {
  switch (delivery?.state) {
    case 'failed':
      return { icon: stateIcons.failed, words: mrkdwn`not delivered, ${reasonOf(delivery)}`, rank: 0 };
    case 'unknown':
      return { icon: stateIcons.unknown, words: saidOf(delivery), rank: 1 };
    case 'delivered':
      return { icon: stateIcons.done, words: mrkdwn`delivered`, rank: 3 };
    default:
      return {
        icon: stateIcons.sent,
        words: delivery === undefined ? mrkdwn`waiting for a report` : mrkdwn`on its way`,
        rank: 2,
      };
  }
}

/** Why messages to several recipients were not delivered, as a separate line; undefined if all were. */
export function describeFailures(known: KnownDeliveries): Markup | undefined {
  return known.recipients <= 1 ? undefined : failureLine(countsOf(known));
}

function countsOf({ deliveries = [], recipients }: KnownDeliveries): CampaignDeliveries {
  return summarizeDeliveries(
    deliveries.map(({ status }) => [outcomeOf(status), 1] as const),
    recipients,
  );
}

function reasonOf(delivery: MessageDelivery): Markup {
  const { reason, words = delivery.status } = readReportedStatus(delivery.status);
  return reason === undefined ? providerSays(words) : mrkdwn`${reason}`;
}

function saidOf({ status }: MessageDelivery): Markup {
  return providerSays(status);
}
