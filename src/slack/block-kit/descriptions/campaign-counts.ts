import type { CampaignDeliveries } from '../../../domain/deliveries/delivery-status.ts';
import { inZone } from '../../../domain/time/start-time.ts';
import { formatCount, pluralize } from '../plural.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../text.ts';

/** What became of accepted recipients, each in one of the parts; those with none are left out. */
export function deliveryCountWords(deliveries: CampaignDeliveries): Markup[] {
  const { delivered, onTheWay, other, waiting } = deliveries;
  const parts = [
    [delivered, 'delivered'],
    [onTheWay, 'on the way'],
    [notDelivered(deliveries), 'not delivered'],
    [other, 'with another status'],
    [waiting, 'waiting for a report'],
  ] as const;
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [mrkdwn`${formatCount(count)} ${word}`]));
}

/** What became of accepted recipients, for a line of its own; undefined where nothing is known of any. */
export function campaignDeliveryLine(deliveries: CampaignDeliveries | undefined): Markup | undefined {
  const words = deliveries === undefined ? [] : deliveryCountWords(deliveries);
  return words.length === 0 ? undefined : joinInline(words);
}

/** Why messages were not delivered, for a line of its own; undefined where all were. */
export function failureLine(deliveries: CampaignDeliveries): Markup | undefined {
  const reasons = deliveries.failed.map(
    ({ reason = 'no reason given', recipients }) => mrkdwn`${formatCount(recipients)}: ${reason}`,
  );
  return reasons.length === 0 ? undefined : mrkdwn`Not delivered: ${joinInline(reasons)}`;
}

function notDelivered({ failed }: CampaignDeliveries): number {
  return failed.reduce((sum, { recipients }) => sum + recipients, 0);
}

/** Rows of a list that nothing is sent to, in one line; none where all are sent to. */
export function skippedRows(counts: {
  duplicates: number;
  suppressed: number;
  acceptedBefore?: number | undefined;
  invalid: number;
}): Markup[] {
  const { duplicates, suppressed, acceptedBefore = 0, invalid } = counts;
  const parts = [
    ...(duplicates === 0 ? [] : [mrkdwn`${pluralize(duplicates, 'duplicate')}`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${formatCount(suppressed)} on the do-not-contact list`]),
    ...(acceptedBefore === 0 ? [] : [mrkdwn`${formatCount(acceptedBefore)} accepted after all`]),
    ...(invalid === 0 ? [] : [mrkdwn`${formatCount(invalid)} invalid`]),
  ];
  return parts.length === 0 ? [] : [mrkdwn`Skipped: ${joinInline(parts)}`];
}

const lagos = 'Africa/Lagos';

/** A start in each reader's own zone; also in Lagos, where it was chosen elsewhere. */
export function startWithLagos(startAt: Date, zone: string | undefined): Markup {
  return zone === lagos ? timeFor(startAt) : mrkdwn`${timeFor(startAt)} (${inZone(startAt, lagos)})`;
}

/** Why a campaign is paused, to its creator, by the reason of the pause's error. */
export const pauseReasons: Readonly<Record<string, string>> = {
  balance_too_low: 'balance too low',
  bad_key: 'the provider rejects the key',
  not_connected: 'no key connected',
  budget: 'page budget used up',
  country: 'country not allowed',
  sender_id_unknown: 'sender ID not approved',
  no_route: 'route not active',
  not_permitted: 'you can no longer send campaigns here. Ask an admin',
  unclear_answers: 'the provider gives no clear answer',
  restored: 'data restored from a backup',
  not_prepared: 'its text can no longer be sent as it is',
};
