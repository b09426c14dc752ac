import type { CampaignDeliveries } from '../../../domain/deliveries/delivery-status.ts';
import { inZone } from '../../../domain/time/start-time.ts';
import { clampText } from '../limits.ts';
import { formatCount, pluralize } from '../plural.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../text.ts';

/** Maximum length of a status in the provider's own words on one line, in characters. */
const maxWordsLength = 40;
/** Maximum number of such statuses and reasons on one line. */
const maxNamed = 5;

export function countNotDelivered({ failed }: Pick<CampaignDeliveries, 'failed'>): number {
  return failed.reduce((sum, { recipients }) => sum + recipients, 0);
}

/** What became of accepted recipients, each in one of the parts; those with none are left out. */
export function deliveryCountWords(deliveries: CampaignDeliveries): Markup[] {
  const { delivered, onTheWay, waiting } = deliveries;
  const parts: [count: number, word: Markup][] = [
    [delivered, mrkdwn`delivered`],
    [onTheWay, mrkdwn`on the way`],
    [countNotDelivered(deliveries), mrkdwn`not delivered`],
    ...otherCounts(deliveries),
    [waiting, mrkdwn`waiting for a report`],
  ];
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [mrkdwn`${formatCount(count)} ${word}`]));
}

/** Statuses that aren't in the table, in the provider's own words. */
export function otherCounts({ other }: CampaignDeliveries): [count: number, word: Markup][] {
  const named = other.filter(({ words }) => words !== undefined).slice(0, maxNamed);
  const rest = other.filter((each) => !named.includes(each));
  return [
    ...named.map(({ words = '', recipients }): [number, Markup] => [
      recipients,
      mrkdwn`reported as “${clampText(words, maxWordsLength)}”`,
    ]),
    [rest.reduce((sum, { recipients }) => sum + recipients, 0), mrkdwn`reported in other words`],
  ];
}

/** What became of accepted recipients, for a line of its own; undefined where nothing is known of any. */
export function campaignDeliveryLine(deliveries: CampaignDeliveries | undefined): Markup | undefined {
  const words = deliveries === undefined ? [] : deliveryCountWords(deliveries);
  return words.length === 0 ? undefined : joinInline(words);
}

/** Why messages were not delivered, for a line of its own; undefined where all were. */
export function failureLine({ failed }: CampaignDeliveries): Markup | undefined {
  const rest = failed.slice(maxNamed).reduce((sum, { recipients }) => sum + recipients, 0);
  const reasons = [
    ...failed
      .slice(0, maxNamed)
      .map(({ reason = 'no reason given', recipients }) => mrkdwn`${formatCount(recipients)}: ${reason}`),
    ...(rest === 0 ? [] : [mrkdwn`${formatCount(rest)}: other reasons`]),
  ];
  return reasons.length === 0 ? undefined : mrkdwn`Not delivered: ${joinInline(reasons)}`;
}

/**
 * What to do about messages that were, or may have been, blocked by Do-Not-Disturb. Undefined if nothing
 * would help.
 */
export function dndAdvice(route: string, mayBeDnd: boolean): Markup | undefined {
  return mayBeDnd && route === 'generic'
    ? mrkdwn`Transactional (DND) reaches numbers on Do-Not-Disturb too, with transactional messages.`
    : undefined;
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
  account_inactive: 'the provider has deactivated the account',
  not_connected: 'no key connected',
  budget: 'page budget used up',
  country: 'country not allowed',
  sender_id_unknown: 'sender ID not approved',
  no_route: 'route not active',
  device_unknown: 'device not found',
  device_limit: 'daily limit of the device reached',
  country_inactive: 'country not active',
  not_permitted: 'you can no longer send campaigns here. Ask an admin',
  unclear_answers: 'the provider gives no clear answer',
  restored: 'data restored from a backup',
  quiet_hours: 'it would run into quiet hours',
  sender_inactive: 'the sender ID isn’t active',
  approval_needed: 'it needs approval now',
  not_prepared: 'its text can no longer be sent as it is',
};
