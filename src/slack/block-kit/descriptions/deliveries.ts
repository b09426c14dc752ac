import {
  type CampaignDeliveries,
  outcomeOf,
  readReportedStatus,
  summarizeDeliveries,
} from '../../../domain/deliveries/delivery-status.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import { clampText } from '../limits.ts';
import { stateIcons } from '../state-icons.ts';
import { joinInline, type Markup, mrkdwn, stripMarkup, timeFor } from '../text.ts';
import { deliveryCountWords, failureLine } from './campaign-counts.ts';

const words: Readonly<Record<Exclude<MessageDelivery['state'], 'unknown'>, string>> = {
  delivered: 'delivered',
  failed: 'not delivered',
  sent: 'on the way',
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
  if (!isOfOne(known)) {
    return deliveryCountWords(countsOf(known)).map(stripMarkup);
  }
  return [first.state === 'unknown' ? saidOf(first) : words[first.state]];
}

/** Whether no message has a known status. Then only the provider's own words are shown. */
export function isOnlyOther({ deliveries, recipients }: KnownDeliveries): boolean {
  const isOfAll = deliveries.length > 0 && deliveries.length >= recipients;
  return isOfAll && deliveries.every(({ state }) => state === 'unknown');
}

/** How far accepted messages came, for the headline of their outcome: *Delivered* to +234 803 123 4567. */
interface Arrival {
  icon: Markup;
  word: 'Sent' | 'On its way' | 'Delivered' | 'Not delivered';
  /** Whom that is true of, in place of the recipients: `2 of 5`. */
  whom?: string;
  /** Ends the sentence that names the recipients: why they were not reached, or what is known instead. */
  end: Markup;
  /** When it was reported; undefined where the recipients differ. */
  at?: Date | undefined;
}

export function describeArrival(known: KnownDeliveries): Arrival {
  const { deliveries, recipients } = known;
  const [first, ...others] = deliveries;
  const sent = { icon: stateIcons.done, word: 'Sent' } as const;
  if (first === undefined) {
    return { ...sent, end: mrkdwn`, waiting for delivery.` };
  }
  const isDifferent = ({ state, status }: MessageDelivery) =>
    state !== first.state || (state === 'unknown' && status !== first.status);
  if (deliveries.length < recipients || others.some(isDifferent)) {
    const counts = joinInline(deliveryCountWords(countsOf(known)));
    const failed = deliveries.filter(({ state }) => state === 'failed').length;
    if (failed > 0) {
      const whom = `${failed} of ${recipients}`;
      return { icon: stateIcons.unconfirmed, word: 'Not delivered', whom, end: mrkdwn`: ${counts}.` };
    }
    const icon = deliveries.some(({ state }) => state === 'unknown') ? stateIcons.unknown : sent.icon;
    return { ...sent, icon, end: mrkdwn`: ${counts}.` };
  }
  const at = new Date(Math.max(...deliveries.map(({ receivedAt }) => receivedAt.getTime())));
  switch (first.state) {
    case 'delivered':
      return { icon: stateIcons.done, word: 'Delivered', end: mrkdwn`.`, at };
    case 'failed': {
      const reasons = new Set(deliveries.map(reasonOf));
      const end = reasons.size === 1 ? mrkdwn`: ${reasonOf(first)}.` : mrkdwn`.`;
      return { icon: stateIcons.failed, word: 'Not delivered', end, at };
    }
    case 'sent':
      return { icon: stateIcons.done, word: 'On its way', end: mrkdwn`.`, at };
    case 'unknown':
      return { ...sent, icon: stateIcons.unknown, end: mrkdwn`: ${saidOf(first)}.`, at };
  }
}

/** What became of the message to one of several recipients: an icon, and words that follow the number. */
export function describeRecipient(delivery: MessageDelivery | undefined): {
  icon: Markup;
  words: string;
  /** The lower, the more it matters. */
  rank: number;
} {
  switch (delivery?.state) {
    case 'failed':
      return { icon: stateIcons.failed, words: `not delivered, ${reasonOf(delivery)}`, rank: 0 };
    case 'unknown':
      return { icon: stateIcons.unknown, words: saidOf(delivery), rank: 1 };
    case 'delivered':
      return { icon: stateIcons.done, words: 'delivered', rank: 3 };
    default:
      return {
        icon: stateIcons.underway,
        words: delivery === undefined ? 'waiting for a report' : 'on its way',
        rank: 2,
      };
  }
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

function describeDelivery(delivery: MessageDelivery): Markup {
  const at = timeFor(delivery.receivedAt);
  switch (delivery.state) {
    case 'delivered':
      return mrkdwn`*delivered* ${at}`;
    case 'sent':
      return mrkdwn`on the way ${at}`;
    case 'failed':
      return mrkdwn`*not delivered* ${at}: ${reasonOf(delivery)}`;
    case 'unknown':
      return mrkdwn`${saidOf(delivery)} ${at}`;
  }
}

function reasonOf(delivery: MessageDelivery): string {
  return readReportedStatus(delivery.status).reason ?? saidOf(delivery);
}

function saidOf({ status }: MessageDelivery): string {
  return `the provider says “${clampText(status, maxStatusLength)}”`;
}
