import {
  type CampaignDeliveries,
  summarizeDeliveries,
} from '../../../domain/deliveries/campaign-deliveries.ts';
import { outcomeOf, readReportedStatus } from '../../../domain/deliveries/delivery-status.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import { clampText } from '../limits.ts';
import { type Markup, mrkdwn, stripMarkup, timeFor } from '../text.ts';
import { deliveryCountWords, failureLine } from './delivery-counts.ts';

const words: Readonly<Record<MessageDelivery['state'], string>> = {
  delivered: 'delivered',
  failed: 'not delivered',
  sent: 'on the way',
  unknown: 'with another status',
};

/** Of the provider’s own words, in characters. */
const maxStatusLength = 100;

/** What is known of messages once they were accepted, and how many recipients they have together. */
export interface KnownDeliveries {
  deliveries: readonly MessageDelivery[];
  recipients: number;
}

/**
 * What became of messages once they were accepted, for a line: of one recipient with the time and reason, of several how many.
 * Nothing where nothing is known.
 */
export function describeDeliveries(known: KnownDeliveries): Markup[] {
  const [first] = known.deliveries;
  if (first === undefined) {
    return [];
  }
  return isOfOne(known) ? [describeDelivery(first)] : deliveryCountWords(countsOf(known));
}

/** The same without times and reasons. */
export function deliveryWords(known: KnownDeliveries): string[] {
  const [first] = known.deliveries;
  if (first === undefined) {
    return [];
  }
  return isOfOne(known) ? [words[first.state]] : deliveryCountWords(countsOf(known)).map(stripMarkup);
}

/** Why messages to several recipients were not delivered, for a line of its own; undefined where all were. */
export function describeFailures(known: KnownDeliveries): Markup | undefined {
  return isOfOne(known) ? undefined : failureLine(countsOf(known));
}

/** Whether all of it is of one recipient, so that its time and reason are those of the whole. */
function isOfOne({ deliveries, recipients }: KnownDeliveries): boolean {
  return recipients <= 1 && deliveries.length <= 1;
}

function countsOf({ deliveries, recipients }: KnownDeliveries): CampaignDeliveries {
  return summarizeDeliveries(
    deliveries.map(({ status }) => [outcomeOf(status), 1] as const),
    recipients,
  );
}

function describeDelivery({ state, status, receivedAt }: MessageDelivery): Markup {
  const { reason } = readReportedStatus(status);
  switch (state) {
    case 'delivered':
      return mrkdwn`*delivered* ${timeFor(receivedAt)}`;
    case 'sent':
      return mrkdwn`on the way ${timeFor(receivedAt)}`;
    case 'failed':
      return mrkdwn`*not delivered* ${timeFor(receivedAt)}: ${reason ?? `the provider says “${clampText(status, maxStatusLength)}”`}`;
    case 'unknown':
      return mrkdwn`the provider says “${clampText(status, maxStatusLength)}” ${timeFor(receivedAt)}`;
  }
}
