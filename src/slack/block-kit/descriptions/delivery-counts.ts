import type { CampaignDeliveries } from '../../../domain/deliveries/campaign-deliveries.ts';
import { formatCount } from '../plural.ts';
import { joinInline, type Markup, mrkdwn } from '../text.ts';

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
