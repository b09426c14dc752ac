import { checkDelivery } from '../../../../domain/deliveries/delivery-check.ts';
import type { ReachedLimit } from '../../../../domain/limits/reached-limit.ts';
import { inQuietHours, meetsQuietHours } from '../../../../domain/messages/quiet-hours.ts';
import { needsConfirmation, type Warning } from '../../../../domain/messages/routes.ts';
import type { DndSummary, Preview } from '../../../../services/campaigns/preflight/preflight.ts';
import { type CostEstimate, isBalanceShort } from '../../../../services/costs/estimate.ts';
import { lowBalanceWarning } from '../../../block-kit/descriptions/costs.ts';
import { budgetWarning, foreseenLimit, type ShownBudget } from '../../../block-kit/descriptions/limits.ts';
import { describeDeliveryWarning, describeWarning } from '../../../block-kit/descriptions/warnings.ts';
import { formatCount, formatPercent, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';

/** What is known about a campaign besides its import. */
export interface CampaignFacts {
  /** When it would start. */
  start: Date;
  dnd?: DndSummary | undefined;
  cost?: CostEstimate | undefined;
  /** Budgets of which little would be left. */
  budgets?: readonly ShownBudget[] | undefined;
  /** What would refuse the start. */
  limit?: ReachedLimit | undefined;
}

/** What the user should know before the start. */
export function previewWarnings(
  preview: Preview,
  { start, dnd, cost, budgets = [], limit }: CampaignFacts,
): Markup[] {
  const low = lowBalanceWarning(cost, {
    whom: ' for everyone',
    next: 'The campaign pauses when the balance runs out.',
  });
  return [
    ...(limit === undefined ? budgets.map(budgetWarning) : [foreseenLimit(limit)]),
    ...(low === undefined ? [] : [low]),
    ...(swallowedByNight(preview, start) > 0 ? [quietHoursWarning(preview, start)] : []),
    ...(dnd === undefined ? [] : [describeDndSummary(dnd, preview)]),
    ...preview.warnings.filter(aboutText).map(describeWarning),
    ...checkDelivery(preview.delivery, { start, durationMs: preview.durationMs }).map((warning) =>
      describeDeliveryWarning(warning, preview.campaign.senderId),
    ),
  ];
}

/** Whether somebody is known not to get the message, it costs more, or the balance does not pay for all of them. */
export function isSentAnyway(preview: Preview, { start, dnd, cost }: CampaignFacts): boolean {
  const skipsDnd = preview.campaign.route === 'generic' && (dnd?.active ?? 0) > 0;
  const isWarned = preview.warnings.filter(aboutText).some(needsConfirmation);
  return isBalanceShort(cost) || skipsDnd || isWarned || swallowedByNight(preview, start) > 0;
}

/** Warnings about recipients are left out: they cover the examples alone, and the counts cover everybody. */
function aboutText({ kind }: Warning): boolean {
  return kind !== 'quiet_hours' && kind !== 'dnd_on_generic' && kind !== 'dnd_unknown';
}

/** How many recipients may not get it for quiet hours. Counted at the import: some may have been removed since. */
function swallowedByNight({ campaign: { route, counts }, durationMs }: Preview, start: Date): number {
  return route === 'generic' && meetsQuietHours(start, durationMs)
    ? Math.min(counts.quiet, counts.recipients)
    : 0;
}

function quietHoursWarning(preview: Preview, start: Date): Markup {
  const { recipients } = preview.campaign.counts;
  const mtn = shareOf(swallowedByNight(preview, start), recipients);
  return inQuietHours(start)
    ? mrkdwn`:crescent_moon: *Quiet hours until 08:00 WAT.* ${mtn} look like MTN numbers and won’t get it on Generic. Start at 08:00 WAT, or use DND.`
    : mrkdwn`:crescent_moon: *Sending runs into quiet hours, 20:00 to 08:00 WAT.* ${mtn} look like MTN numbers. After 20:00 they won’t get it on Generic. Start earlier in the day, or use DND.`;
}

/** How many of the recipients that were checked are not reached on the generic route. */
export function describeDndSummary(
  { checked, active, unknown, sample }: DndSummary,
  { campaign }: Preview,
): Markup {
  const known = checked - unknown;
  if (checked === 0) {
    return mrkdwn`${stateIcons.done} *Do-Not-Disturb* is for Nigerian numbers only. None was found.`;
  }
  if (known === 0) {
    return mrkdwn`${stateIcons.unknown} *DND status unknown for all ${formatCount(checked)}.*`;
  }
  const picked = sample ? `, picked at random from ${formatCount(campaign.counts.recipients)},` : '';
  const more = unknown === 0 ? '' : ` Unknown for ${formatCount(unknown)} more.`;
  if (active === 0) {
    return mrkdwn`${stateIcons.done} *Do-Not-Disturb is off* for all ${pluralize(known, 'recipient')}${picked.replace(/,$/, '')}.${more}`;
  }
  const share = mrkdwn`${shareOf(active, known)}${picked}`;
  return campaign.route === 'generic'
    ? mrkdwn`:no_bell: *Do-Not-Disturb.* ${share} won’t get it on Generic. DND reaches them.${more}`
    : mrkdwn`${stateIcons.done} *Do-Not-Disturb.* ${share} have it on. The route of this campaign reaches them.${more}`;
}

function shareOf(count: number, all: number): Markup {
  return mrkdwn`*${formatCount(count)} of ${pluralize(all, 'recipient')} (${formatPercent(count / all)})*`;
}
