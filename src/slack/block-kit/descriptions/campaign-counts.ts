import { PersonalText } from '../../../domain/access/private-values.ts';
import type { CampaignDeliveries } from '../../../domain/deliveries/delivery-status.ts';
import { routeTitles } from '../../../domain/messages/routes.ts';
import { inZone } from '../../../domain/time/start-time.ts';
import type { CampaignFailures } from '../../../services/campaigns/campaign-service.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { clampText } from '../limits.ts';
import { formatCount, pluralize } from '../plural.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../text.ts';

/** Of a status in the provider's own words, in characters. */
const maxStatusLength = 100;
/** Of such a status on a line with others. */
const maxWordsLength = 40;
/** Maximum number of such statuses and reasons on one line. */
const maxNamed = 5;
/** Of why recipients were rejected, or are unconfirmed. */
const maxReasons = 3;
/** Of such a reason, in characters: it may quote the provider. */
const maxReasonLength = 150;

/** What a text calls it. */
export const wordFor = ({ isMessage }: Pick<Campaign, 'isMessage'>) => (isMessage ? 'message' : 'campaign');

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
function otherCounts({ other }: CampaignDeliveries): [count: number, word: Markup][] {
  const named = other.filter(({ words }) => words !== undefined).slice(0, maxNamed);
  const rest = other.filter((each) => !named.includes(each));
  return [
    ...named.map(({ words = '', recipients }): [number, Markup] => [
      recipients,
      mrkdwn`reported as “${new PersonalText(clampText(words, maxWordsLength))}”`,
    ]),
    [rest.reduce((sum, { recipients }) => sum + recipients, 0), mrkdwn`with another status`],
  ];
}

/** Why nobody is left of its recipients, after “all of them”. */
export function whyRemoved({ suppressed, acceptedBefore }: Campaign['counts']): string {
  const isListed = 'are on the do-not-contact list';
  const isAccepted = 'were already sent to';
  if (acceptedBefore === 0) {
    return isListed;
  }
  return suppressed === 0 ? isAccepted : `${isListed} or ${isAccepted}`;
}

export function nobodyLeft({ counts }: Pick<Campaign, 'counts'>): Markup {
  return mrkdwn`No recipients left: all of them ${whyRemoved(counts)}. Nothing was sent.`;
}

/** For the middle of a sentence. The words may name a number. */
export function providerSays(words: string): Markup {
  return mrkdwn`the provider says “${new PersonalText(clampText(words, maxStatusLength))}”`;
}

/** Recipients whose request has not left, and is not leaving. */
export function notSentCount({ counts, inFlight }: Campaign): number {
  return counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed - inFlight;
}

/** What became of a campaign's recipients: *all sent*, or each of them in one of the counts. None before it starts. */
export function campaignOutcomeCounts(campaign: Campaign): Markup[] {
  const { state, counts, startedAt, deliveries } = campaign;
  const { recipients, accepted, rejected, unconfirmed } = counts;
  if (startedAt === undefined || recipients === 0) {
    return [];
  }
  const reported = deliveries === undefined ? [] : deliveryCountWords(deliveries);
  const sent = accepted > 0 ? [mrkdwn`${formatCount(accepted)} sent`] : [];
  const notSent = state === 'running' || state === 'paused' ? 0 : notSentCount(campaign);
  const others = [
    [rejected, 'rejected'],
    [unconfirmed, 'unconfirmed'],
    [notSent, 'not sent'],
  ] as const;
  const known = [
    ...(reported.length > 0 ? reported : sent),
    ...others.flatMap(([count, word]) => (count > 0 ? [mrkdwn`${formatCount(count)} ${word}`] : [])),
  ];
  const isOfAll = known.length === 1 && accepted + rejected + unconfirmed + notSent === recipients;
  const all = recipients === 1 ? '' : 'all ';
  return isOfAll ? known.map(({ source }) => mrkdwn`${all}${source.slice(source.indexOf(' ') + 1)}`) : known;
}

/** Why messages were not delivered, as a separate line; undefined if all were. */
export function failureLine({ failed }: CampaignDeliveries): Markup | undefined {
  const reasons = failed.map(({ reason, words, recipients }) => ({
    reason: words === undefined ? mrkdwn`${reason ?? 'no reason given'}` : providerSays(words),
    recipients,
  }));
  return reasonsLine('Not delivered', reasons, { max: maxNamed });
}

/** Why recipients were rejected or are unconfirmed, as a separate line; undefined if it applies to nobody. */
export function unsentLine(
  { counts }: Pick<Campaign, 'counts'>,
  failures: CampaignFailures | undefined,
  state: keyof CampaignFailures,
): Markup | undefined {
  const title = state === 'rejected' ? 'Rejected' : 'Unconfirmed';
  const reasons = failures?.[state].map((each) => ({ ...each, reason: clauseOf(each.reason) })) ?? [];
  return reasonsLine(title, reasons, { max: maxReasons, all: counts[state] });
}

/** A sentence for a list. It may repeat the provider's words. */
function clauseOf(sentence: string): Markup {
  return mrkdwn`${new PersonalText(clampText(sentence.replace(/\.$/, ''), maxReasonLength))}`;
}

/** @param options.all how many recipients there are, if it is not those with a reason */
function reasonsLine(
  title: string,
  failed: readonly { reason: Markup; recipients: number }[],
  { max, all }: { max: number; all?: number },
): Markup | undefined {
  const sumOf = (some: typeof failed) => some.reduce((sum, { recipients }) => sum + recipients, 0);
  const rest = (all ?? sumOf(failed)) - sumOf(failed.slice(0, max));
  const reasons = [
    ...failed.slice(0, max).map(({ reason, recipients }) => mrkdwn`${formatCount(recipients)}: ${reason}`),
    ...(rest > 0 ? [mrkdwn`${formatCount(rest)}: other reasons`] : []),
  ];
  return failed.length === 0 ? undefined : mrkdwn`${title}: ${joinInline(reasons)}`;
}

/**
 * What to do about messages that were, or may have been, blocked by Do-Not-Disturb. Undefined if nothing
 * would help.
 */
export function dndAdvice(route: string, mayBeDnd: boolean): Markup | undefined {
  return mayBeDnd && route === 'generic'
    ? mrkdwn`${routeTitles.dnd} reaches numbers on Do-Not-Disturb too, with transactional messages.`
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
    ...(acceptedBefore === 0 ? [] : [mrkdwn`${formatCount(acceptedBefore)} already sent to`]),
    ...(invalid === 0 ? [] : [mrkdwn`${formatCount(invalid)} invalid`]),
  ];
  return parts.length === 0 ? [] : [mrkdwn`Skipped: ${joinInline(parts)}`];
}

const lagos = 'Africa/Lagos';

/** A start in each reader's own zone; also in Lagos, where it was chosen elsewhere. */
export function startWithLagos(startAt: Date, zone: string | undefined): Markup {
  return zone === lagos ? timeFor(startAt) : mrkdwn`${timeFor(startAt)} (${inZone(startAt, lagos)})`;
}

/** Why a campaign is paused; undefined where it is not, or a person paused it. */
export function pauseReason({ state, pause }: Pick<Campaign, 'state' | 'pause'>): string | undefined {
  return state === 'paused' && pause?.by !== 'person'
    ? (pauseReasons[pause?.error?.reason ?? ''] ?? 'problem at the provider')
    : undefined;
}

/** By the reason of the pause's error, to the creator. */
const pauseReasons: Readonly<Record<string, string>> = {
  balance_too_low: 'balance too low',
  bad_key: 'the provider rejects the key',
  account_inactive: 'the provider has deactivated the account',
  not_connected: 'no key connected',
  budget: 'page budget used up',
  rate: 'limit on messages reached',
  country: 'country not allowed',
  sender_id_unknown: 'sender ID not approved',
  no_route: 'route not active',
  device_unknown: 'device not found',
  device_limit: 'daily limit of the device reached',
  country_inactive: 'country not active',
  not_permitted: 'its creator can no longer send it, ask an admin',
  unclear_answers: 'the provider gives no clear answer',
  restored: 'data restored from a backup',
  quiet_hours: 'it would run into quiet hours',
  sender_inactive: 'the sender ID isn’t active',
  approval_needed: 'it needs approval now',
  not_prepared: 'its text can no longer be sent as it is',
};
