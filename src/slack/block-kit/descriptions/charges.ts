import { type Route, routeSchema } from '../../../domain/messages/routes.ts';
import { readMoney, writeMoney } from '../../../domain/money/money.ts';
import type { Charges } from '../../../services/costs/estimate.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { formatMoney, pluralize } from '../plural.ts';
import { joinInline, type Markup, mrkdwn } from '../text.ts';
import { knownCost } from './costs.ts';

/** Counts that explain the gap between the estimate and the charge. */
export interface SentCounts {
  route: Route;
  /** To how many numbers it was to be sent. */
  recipients: number;
  accepted: number;
  rejected: number;
  unconfirmed: number;
  /** Recipients whose answer is under way. */
  inFlight: number;
  /** Whether those who were not sent to never will be. */
  isFinal: boolean;
  /** Of all recipients together; undefined where they are those that were estimated. */
  pages?: number | undefined;
}

export function sentOf({ route, counts, inFlight, state }: Campaign): SentCounts {
  return {
    ...counts,
    route: routeSchema.parse(route),
    inFlight,
    isFinal: state === 'done' || state === 'cancelled',
  };
}

/**
 * What was estimated, what the provider charged, and why the two differ; nothing where nothing is known. For who may see
 * costs.
 */
export function describeCharges(charges: Charges | undefined, sent: SentCounts): Markup[] {
  if (charges === undefined || sent.accepted + sent.unconfirmed === 0) {
    return [];
  }
  const { total, messages, estimate } = charges;
  const estimated = estimate === undefined ? [] : [mrkdwn`estimated ${knownCost(estimate, sent.route)}`];
  if (total === undefined) {
    return [joinInline([mrkdwn`*Cost*: not reported yet`, ...estimated])];
  }
  const charged = mrkdwn`*Cost*: ${formatMoney(total)} charged for ${pluralize(messages, 'message')}`;
  const gap = gapWords(charges, sent);
  return [
    joinInline([charged, ...estimated]),
    ...(gap.length === 0 ? [] : [joinInline(gap.map((words) => mrkdwn`${words}`))]),
  ];
}

/** Says why the charge differs from the estimate, or isn't final. */
function gapWords(
  { estimate, perPage, messages, free }: Charges,
  { recipients, accepted, rejected, unconfirmed, inFlight, isFinal, pages }: SentCounts,
): string[] {
  const notSent = recipients - accepted - rejected - unconfirmed - inFlight;
  const unnamed = accepted - messages;
  const removed =
    estimate === undefined || pages === undefined ? 0 : estimate.pages + estimate.unknownPages - pages;
  // Their counts stand beside the costs.
  const uncharged = [...(rejected > 0 ? ['rejected'] : []), ...(notSent > 0 && isFinal ? ['not sent'] : [])];
  return [
    ...(uncharged.length > 0 ? [`${uncharged.join(' and ')}: not charged`] : []),
    ...(removed > 0 ? [`${pluralize(removed, 'page')} fewer than estimated: recipients were removed`] : []),
    ...(unconfirmed > 0 ? ['unconfirmed: cost unknown'] : []),
    ...(free > 0 ? [`${pluralize(free, 'message')} cost nothing`] : []),
    ...(unnamed > 0 ? [`no cost reported for ${pluralize(unnamed, 'message')}`] : []),
    ...(perPage !== undefined && estimate?.perPage !== undefined && differs(perPage, estimate.perPage)
      ? [`a page cost ${formatMoney(perPage)}, estimated ${formatMoney(estimate.perPage)}`]
      : []),
  ];
}

/** Whether two prices are not the same to a reader. One of them may have been written when the currency was not known. */
function differs(one: string, other: string): boolean {
  const shown = (amount: string) => {
    const read = readMoney(amount);
    return read && formatMoney(writeMoney({ nanos: read.nanos }));
  };
  return shown(one) !== shown(other);
}
