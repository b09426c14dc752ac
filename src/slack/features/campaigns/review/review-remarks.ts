import {
  type ProblemCounts,
  type RowProblem,
  rowProblemSchema,
} from '../../../../domain/csv/rejected-row.ts';
import { checkDelivery } from '../../../../domain/deliveries/delivery-check.ts';
import type { ReachedLimit } from '../../../../domain/limits/reached-limit.ts';
import type { OptOutCost } from '../../../../domain/messages/opt-out-cost.ts';
import { inQuietHours, meetsQuietHours, quietHours } from '../../../../domain/messages/quiet-hours.ts';
import { needsConfirmation, routeTitles, type Warning } from '../../../../domain/messages/routes.ts';
import { columnsWithoutFallback, readTemplate } from '../../../../domain/messages/template.ts';
import type { CampaignReview, DndSummary } from '../../../../services/campaigns/preflight/preflight.ts';
import { type CostEstimate, isBalanceShort } from '../../../../services/costs/estimate.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { present } from '../../../block-kit/build.ts';
import { wordFor } from '../../../block-kit/descriptions/campaign-counts.ts';
import { lowBalanceWarning } from '../../../block-kit/descriptions/costs.ts';
import { budgetWarning, foreseenLimit, type ShownBudget } from '../../../block-kit/descriptions/limits.ts';
import {
  describeDeliveryWarning,
  describeOptOutCost,
  describeWarning,
} from '../../../block-kit/descriptions/warnings.ts';
import { formatCount, formatPercent, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn } from '../../../block-kit/text.ts';

/** What is known about a campaign besides its import. */
export interface CampaignFacts {
  /** When it would start. */
  start: Date;
  dnd?: DndSummary | undefined;
  cost?: CostEstimate | undefined;
  /** Budgets that would be nearly used up. */
  budgets?: readonly ShownBudget[] | undefined;
  /** What would refuse the start. */
  limit?: ReachedLimit | undefined;
  /** Columns in the text that are written as in another tool, and how they are written here. */
  placeholders?: readonly { from: string; to: string }[] | undefined;
  /** What the opt-out link adds to the first example. */
  optOut?: OptOutCost | undefined;
  /** Whether an admin reads it. */
  isAdmin?: boolean;
}

/** What the user should know before the start. */
export function reviewWarnings(
  review: CampaignReview,
  { start, dnd, cost, budgets = [], limit, optOut, isAdmin = false }: CampaignFacts,
): Markup[] {
  const low = lowBalanceWarning(cost, {
    whom: review.campaign.counts.recipients === 1 ? '' : ' for everyone',
    next: `The ${wordFor(review.campaign)} pauses when the balance runs out.`,
  });
  const link = optOut && optOut.pages > optOut.pagesWithout ? optOut : undefined;
  return present(
    ...(limit === undefined ? budgets.map(budgetWarning) : [foreseenLimit(limit)]),
    low,
    swallowedByNight(review, start) > 0 && quietHoursWarning(review, start),
    dnd && describeDndSummary(dnd, review),
    ...review.warnings
      .filter((warning) => aboutText(warning) && !(link && isOfLinkAlone(warning)))
      .map(describeWarning),
    link && optOutWarning(link, isAdmin),
    ...checkDelivery(review.delivery, { start, durationMs: review.durationMs }).map((warning) =>
      describeDeliveryWarning(warning, review.campaign.senderId),
    ),
  );
}

/** Whether somebody is known not to get the message, it costs more, or the balance does not pay for all of them. */
export function isSentAnyway(
  review: CampaignReview,
  { start, dnd, cost, placeholders = [] }: CampaignFacts,
): boolean {
  const skipsDnd = review.campaign.route === 'generic' && (dnd?.active ?? 0) > 0;
  const isWarned = review.warnings.filter(aboutText).some(needsConfirmation);
  return (
    isBalanceShort(cost) ||
    skipsDnd ||
    isWarned ||
    placeholders.length > 0 ||
    swallowedByNight(review, start) > 0
  );
}

/** The remedy is a setting of the operator’s, which an admin can ask for. */
function optOutWarning(link: OptOutCost, isAdmin: boolean): Markup {
  const { pages, pagesWithoutScheme: fewer } = link;
  const remedy =
    isAdmin && fewer < pages
      ? mrkdwn` Your operator can make it ${pluralize(fewer, 'page')}: \`OPT_OUT_ADDRESS\` without \`https://\` has no special characters.`
      : mrkdwn``;
  return mrkdwn`:scissors: ${describeOptOutCost(link)}${remedy}`;
}

function isOfLinkAlone(warning: Warning): boolean {
  return warning.kind === 'special_characters' && warning.characters.every((each) => each === '//');
}

/** Warnings about recipients are left out: they cover the examples alone, and the counts cover everybody. */
function aboutText({ kind }: Warning): boolean {
  return kind !== 'quiet_hours' && kind !== 'dnd_on_generic' && kind !== 'dnd_unknown';
}

/** How many recipients may not get it for quiet hours. Counted at the import: some may have been removed since. */
function swallowedByNight({ campaign: { route, counts }, durationMs }: CampaignReview, start: Date): number {
  return route === 'generic' && meetsQuietHours(start, durationMs)
    ? Math.min(counts.quiet, counts.recipients)
    : 0;
}

function quietHoursWarning(review: CampaignReview, start: Date): Markup {
  const { recipients } = review.campaign.counts;
  const quiet = swallowedByNight(review, start);
  const mtn = mrkdwn`${shareOf(quiet, recipients)} ${quiet === 1 ? 'looks like an MTN number' : 'look like MTN numbers'}`;
  return inQuietHours(start)
    ? mrkdwn`:crescent_moon: *Quiet hours until ${quietHours.end}.* ${mtn} and won’t get it on ${routeTitles.generic}. Start at ${quietHours.end}, or use ${routeTitles.dnd}.`
    : mrkdwn`:crescent_moon: *Sending runs into quiet hours, ${quietHours.all}.* ${mtn}. After ${quietHours.begin}, ${routeTitles.generic} doesn’t reach ${quiet === 1 ? 'it' : 'them'}. Start earlier in the day, or use ${routeTitles.dnd}.`;
}

/** How many of the recipients that were checked are not reached on the generic route. */
export function describeDndSummary(
  { checked, active, unknown, sample }: DndSummary,
  { campaign }: CampaignReview,
): Markup {
  const known = checked - unknown;
  if (checked === 0) {
    return mrkdwn`${stateIcons.done} *Do-Not-Disturb* is for Nigerian numbers only. None was found.`;
  }
  if (known === 0) {
    return mrkdwn`${stateIcons.unknown} *Do-Not-Disturb unknown for all ${formatCount(checked)}.*`;
  }
  const picked = sample ? `, picked at random from ${formatCount(campaign.counts.recipients)},` : '';
  const more = unknown === 0 ? '' : ` Unknown for ${formatCount(unknown)} more.`;
  if (known === 1 && unknown === 0) {
    return describeDndOfOne(active === 1, campaign.route);
  }
  if (active === 0) {
    return mrkdwn`${stateIcons.done} *Nobody is on Do-Not-Disturb.* Checked: ${pluralize(known, 'recipient')}${picked.replace(/,$/, '')}.${more}`;
  }
  const share = mrkdwn`${shareOf(active, known)}${picked}`;
  return campaign.route === 'generic'
    ? mrkdwn`:no_bell: *Do-Not-Disturb.* ${share} won’t get it on ${routeTitles.generic}, but you’re still charged. ${routeTitles.dnd} reaches them.${more}`
    : mrkdwn`${stateIcons.done} *Do-Not-Disturb.* ${share} ${active === 1 ? 'is' : 'are'} on Do-Not-Disturb. This ${wordFor(campaign)}’s route reaches ${active === 1 ? 'it' : 'them'}.${more}`;
}

function describeDndOfOne(isOn: boolean, route: string): Markup {
  if (!isOn) {
    return mrkdwn`${stateIcons.done} The recipient *isn’t on Do-Not-Disturb*.`;
  }
  return route === 'generic'
    ? mrkdwn`:no_bell: *The recipient is on Do-Not-Disturb* and won’t get it on ${routeTitles.generic}, but you’re still charged. ${routeTitles.dnd} delivers it.`
    : mrkdwn`${stateIcons.done} *The recipient is on Do-Not-Disturb.* This route reaches them anyway.`;
}

/** Begins a sentence. A single recipient is no share. */
function shareOf(count: number, all: number): Markup {
  if (all === 1) {
    return mrkdwn`The recipient`;
  }
  return mrkdwn`*${formatCount(count)} of ${pluralize(all, 'recipient')} (${formatPercent(count / all)})*`;
}

/**
 * What was left out of the list: duplicates, suppressed numbers, recipients who need no second message, and skipped rows with
 * the remedy for each problem.
 *
 * @param offered whether the view offers *Replace with plain text* and *Send without accents*
 */
export function describeLeftOut(campaign: Campaign, offered: OfferedChanges): Markup[] {
  const { duplicates, suppressed, acceptedBefore, invalid } = campaign.counts;
  const removed = present(
    duplicates > 0 && mrkdwn`${pluralize(duplicates, 'duplicate')}`,
    suppressed > 0 && mrkdwn`${formatCount(suppressed)} on the do-not-contact list`,
    acceptedBefore > 0 && mrkdwn`${formatCount(acceptedBefore)} already sent to`,
  );
  return present(
    removed.length > 0 && mrkdwn`Skipped: ${joinInline(removed)}`,
    invalid > 0 && (offered.skipped ?? describeSkippedRows(campaign, offered)),
  );
}

/** The most frequent problem first. */
function describeSkippedRows(
  { counts, invalidByProblem = {}, text = '' }: Campaign,
  offered: OfferedChanges,
): Markup {
  const rows = mrkdwn`:warning: *${pluralize(counts.invalid, 'row')} skipped*`;
  const problems = rowProblemSchema.options
    .map((problem) => ({ problem, count: invalidByProblem[problem] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(
      ({ problem, count }) =>
        mrkdwn`${formatCount(count)} ${problem === 'missing_value' ? describeMissing(invalidByProblem, text) : describeProblem(problem, offered)}`,
    );
  return problems.length === 0 ? rows : mrkdwn`${rows}: ${joinInline(problems)}`;
}

/** Names the columns with empty cells. If there are several, also says in how many rows each is empty. */
function describeMissing(counts: ProblemCounts, text: string): Markup {
  const read = readTemplate(text);
  const columns = (read.ok ? columnsWithoutFallback(read.template) : [])
    .map((column, position) => ({ column, rows: counts[`missing_value ${position}`] ?? 0 }))
    .filter(({ rows }) => rows > 0);
  const [example = { column: 'column' }, ...others] = columns;
  const names = columns.map(({ column, rows }) =>
    others.length === 0 ? column : `${column} (${formatCount(rows)})`,
  );
  const fallback = example.column.includes('name') ? 'there' : 'text if empty';
  const remedy = others.length > 0 ? 'add fallbacks like' : 'add a fallback like';
  return mrkdwn`${counts.missing_value === 1 ? 'has' : 'have'} no ${names.join(' or no ') || 'value in a column'}: ${remedy} ${`{{${example.column}|${fallback}}}`}`;
}

interface OfferedChanges {
  replaceable: boolean;
  isAccented: boolean;
  /** Names each recipient of a message that was skipped. */
  skipped?: Markup | undefined;
}

function describeProblem(
  problem: Exclude<RowProblem, 'missing_value'>,
  { replaceable, isAccented }: OfferedChanges,
): Markup {
  switch (problem) {
    case 'replaceable_characters':
      return replaceable
        ? mrkdwn`with characters that can’t be sent: press *Replace with plain text*`
        : mrkdwn`with characters that can’t be sent: press *Edit* and replace special characters`;
    case 'accented_letters':
      return isAccented
        ? mrkdwn`with accents, which can’t be sent: press *Send without accents*`
        : mrkdwn`with accents, which can’t be sent: press *Edit* and send without accents`;
    default:
      return mrkdwn`${problemWords[problem]}`;
  }
}

const problemWords: Record<
  Exclude<RowProblem, 'missing_value' | 'replaceable_characters' | 'accented_letters'>,
  string
> = {
  shortened: 'shortened by Excel: format the column as text and export again',
  no_number: 'without a phone number',
  too_short: 'too short',
  too_long: 'too long',
  not_a_number: 'not a number',
  several_numbers: 'with several numbers: give each number a row',
  unsendable_characters: 'with letters that can’t be sent',
  text_too_long: 'with a message that is too long',
  text_empty: 'with an empty message',
};
