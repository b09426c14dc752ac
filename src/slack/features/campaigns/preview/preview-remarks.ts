import type { KnownBlock } from '@slack/types';
import { inQuietHours, quietHoursEnd } from '../../../../domain/messages/quiet-hours.ts';
import type { Warning } from '../../../../domain/messages/routes.ts';
import type { DndSummary } from '../../../../services/campaigns/preflight/preflight.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import type { CampaignCounts } from '../../../../store/campaigns/campaigns.ts';
import { context } from '../../../block-kit/build.ts';
import { describeWarning } from '../../../block-kit/descriptions/delivery-warnings.ts';
import { formatCount, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { formatPercent } from '../../../block-kit/progress-bar.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';

/** How many on the list do not get the message, and why. */
export function leftOutBlocks({ duplicates, suppressed, invalid }: CampaignCounts): KnownBlock[] {
  const texts = [
    ...(duplicates === 0 ? [] : [mrkdwn`${formatCount(duplicates)} repeated: each number gets it once.`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${formatCount(suppressed)} on the do-not-contact list: taken out.`]),
    ...(invalid === 0
      ? []
      : [
          mrkdwn`:warning: ${pluralize(invalid, 'row')} cannot be used: *Get the invalid rows* gives them as a file, each with the reason.`,
        ]),
  ];
  return texts.length === 0 ? [] : [context(...texts)];
}

/** What the user should know before the start. */
export function previewWarnings(
  preview: Preview,
  { dnd, start }: { dnd?: DndSummary | undefined; start?: Date | undefined },
): Markup[] {
  return [
    ...quietHoursWarning(preview, start),
    ...(dnd === undefined ? [] : [describeDndSummary(dnd, preview)]),
    ...preview.warnings.filter(aboutText).map(describeWarning),
  ];
}

/** Warnings about recipients are left out: they cover the examples alone, and the counts cover everybody. */
function aboutText({ kind }: Warning): boolean {
  return kind !== 'quiet_hours' && kind !== 'dnd_on_generic' && kind !== 'dnd_unknown';
}

function quietHoursWarning(
  { campaign: { route, counts }, quietUntil }: Preview,
  start: Date | undefined,
): Markup[] {
  // Counted at the import; some may have been removed since.
  const mtn = Math.min(counts.quiet, counts.recipients);
  if (route !== 'generic' || mtn === 0) {
    return [];
  }
  const share = formatPercent(mtn / counts.recipients);
  const whom = mrkdwn`*${formatCount(mtn)} of ${pluralize(counts.recipients, 'recipient')} (${share})* are MTN numbers by their prefix`;
  const until = start === undefined ? quietUntil : inQuietHours(start) ? quietHoursEnd(start) : undefined;
  return until === undefined
    ? [
        mrkdwn`:crescent_moon: ${whom}: from 20:00 to 08:00 in Lagos the generic route delivers nothing to them.`,
      ]
    : [
        mrkdwn`:crescent_moon: *Quiet hours.* ${whom}: until ${timeFor(until)} (08:00 in Lagos) the generic route delivers nothing to them. Start at 08:00 WAT, or send on the DND route.`,
      ];
}

/** How many of the recipients that were checked are not reached on the generic route. */
export function describeDndSummary(
  { checked, active, unknown, sample }: DndSummary,
  { campaign }: Preview,
): Markup {
  const known = checked - unknown;
  const of = sample
    ? mrkdwn`${formatCount(known)} of ${pluralize(campaign.counts.recipients, 'recipient')}, picked at random`
    : mrkdwn`${pluralize(known, 'recipient')}`;
  const unanswered =
    unknown === 0 ? mrkdwn`` : mrkdwn` Of ${formatCount(unknown)} more the provider could not say it.`;
  if (known === 0) {
    return mrkdwn`${stateIcons.unknown} *Do-Not-Disturb.* The provider could say it of none of the ${formatCount(checked)} asked about.`;
  }
  if (active === 0) {
    return mrkdwn`${stateIcons.done} *Do-Not-Disturb.* It is on for none of ${of}.${unanswered}`;
  }
  const share = formatPercent(active / known);
  const consequence =
    campaign.route === 'generic'
      ? mrkdwn`these will not get it on the generic route`
      : mrkdwn`the generic route would not reach these; the ${routeTitle(campaign.route)} route does not mind`;
  return mrkdwn`:no_bell: *Do-Not-Disturb.* It is on for *${formatCount(active)} (${share})* of ${of}: ${consequence}.${unanswered}`;
}
