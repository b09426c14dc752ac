import type { KnownBlock } from '@slack/types';
import { inQuietHours, quietHoursEnd } from '../../../domain/messages/quiet-hours.ts';
import type { Warning } from '../../../domain/messages/routes.ts';
import type { DndSummary } from '../../../services/campaigns/preflight/preflight.ts';
import type { Preview } from '../../../services/campaigns/preflight/preview.ts';
import type { CampaignCounts } from '../../../store/campaigns/campaigns.ts';
import { percent } from '../../block-kit/bar.ts';
import { context } from '../../block-kit/build.ts';
import { describeWarning } from '../../block-kit/delivery-warnings.ts';
import { amount, countOf, routeTitle } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';

/** Who of the list does not get the message, and why. */
export function leftOut({ duplicates, suppressed, invalid }: CampaignCounts): KnownBlock[] {
  const texts = [
    ...(duplicates === 0 ? [] : [mrkdwn`${amount(duplicates)} repeated: each number gets it once.`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${amount(suppressed)} on the do-not-contact list: taken out.`]),
    ...(invalid === 0
      ? []
      : [
          mrkdwn`:warning: ${countOf(invalid, 'row')} cannot be used: *Get the invalid rows* gives them as a file, each with the reason.`,
        ]),
  ];
  return texts.length === 0 ? [] : [context(...texts)];
}

/** What a person should know before they start it. */
export function warnings(
  preview: Preview,
  { dnd, start }: { dnd?: DndSummary | undefined; start?: Date | undefined },
): Markup[] {
  return [
    ...quiet(preview, start),
    ...(dnd === undefined ? [] : [describeDnd(dnd, preview)]),
    ...preview.warnings.filter(aboutText).map(describeWarning),
  ];
}

/** What is about recipients is said of all of them here, by their count. */
function aboutText({ kind }: Warning): boolean {
  return kind !== 'quiet_hours' && kind !== 'dnd_on_generic' && kind !== 'dnd_unknown';
}

function quiet({ campaign: { route, counts }, quietUntil }: Preview, start: Date | undefined): Markup[] {
  // They were counted as they were read, and some of them may have been taken out since.
  const mtn = Math.min(counts.quiet, counts.recipients);
  if (route !== 'generic' || mtn === 0) {
    return [];
  }
  const share = percent(mtn / counts.recipients);
  const whom = mrkdwn`*${amount(mtn)} of ${countOf(counts.recipients, 'recipient')} (${share})* are MTN numbers by their prefix`;
  const until = start === undefined ? quietUntil : inQuietHours(start) ? quietHoursEnd(start) : undefined;
  return until === undefined
    ? [
        mrkdwn`:crescent_moon: ${whom}: from 20:00 to 08:00 in Lagos the generic route delivers nothing to them.`,
      ]
    : [
        mrkdwn`:crescent_moon: *Quiet hours.* ${whom}: until ${timeFor(until)} (08:00 in Lagos) the generic route delivers nothing to them. Start at 08:00 WAT, or send on the DND route.`,
      ];
}

/** Who would not be reached on the generic route, of those that were checked. */
export function describeDnd({ checked, active, unknown, sample }: DndSummary, { campaign }: Preview): Markup {
  const known = checked - unknown;
  const of = sample
    ? mrkdwn`${amount(known)} of ${countOf(campaign.counts.recipients, 'recipient')}, picked at random`
    : mrkdwn`${countOf(known, 'recipient')}`;
  const unanswered =
    unknown === 0 ? mrkdwn`` : mrkdwn` Of ${amount(unknown)} more the provider could not say it.`;
  if (known === 0) {
    return mrkdwn`:grey_question: *Do-Not-Disturb.* The provider could say it of none of the ${amount(checked)} asked about.`;
  }
  if (active === 0) {
    return mrkdwn`:white_check_mark: *Do-Not-Disturb.* It is on for none of ${of}.${unanswered}`;
  }
  const share = percent(active / known);
  const consequence =
    campaign.route === 'generic'
      ? mrkdwn`these will not get it on the generic route`
      : mrkdwn`the generic route would not reach these; the ${routeTitle(campaign.route)} route does not mind`;
  return mrkdwn`:no_bell: *Do-Not-Disturb.* It is on for *${amount(active)} (${share})* of ${of}: ${consequence}.${unanswered}`;
}
