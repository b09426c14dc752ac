import type { KnownBlock } from '@slack/types';
import { maskIccid } from '../../../domain/esims/iccid.ts';
import { isBilledByPage, routeSchema } from '../../../domain/messages/routes.ts';
import { inZone } from '../../../domain/time/start-time.ts';
import type { CampaignApproval } from '../../../services/campaigns/approval/approved-content.ts';
import type { CampaignStart } from '../../../services/campaigns/approval/campaign-start.ts';
import type { EsimApproval } from '../../../services/esims/esim-approvals.ts';
import { priceOf } from '../../../services/esims/esim-plans.ts';
import type { Approval } from '../../../store/approvals/approvals.ts';
import { context, facts, quotation } from '../../block-kit/build.ts';
import { requestContent } from '../../block-kit/descriptions/approval-request.ts';
import { priceNotKnown } from '../../block-kit/descriptions/cost.ts';
import { countryLabel } from '../../block-kit/inputs/country-search.ts';
import { brief } from '../../block-kit/limits.ts';
import { formatCount, formatMoney, pluralize, routeTitle } from '../../block-kit/plural.ts';
import { channelMention, joinInline, type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';

/** Everything that the decision is about. No phone number. */
export function requestFacts(approval: Approval): KnownBlock[] {
  const content = requestContent(approval);
  return content.kind === 'campaign' ? campaignFacts(content.campaign) : orderFacts(content.order);
}

function campaignFacts(campaign: CampaignApproval): KnownBlock[] {
  const { counts, route, senderId, personal, text, cost, start } = campaign;
  const byPage = isBilledByPage(routeSchema.parse(route));
  return [
    facts(
      ['Recipients', mrkdwn`${formatCount(counts.recipients)}`],
      ...(byPage ? [['Pages', pagesOf(counts)] as const] : []),
      ['From', mrkdwn`${senderId}`],
      ['Route', mrkdwn`${routeTitle(route)}`],
      ['Start', startOf(start)],
      ['Cost', cost === undefined ? mrkdwn`${priceNotKnown}` : mrkdwn`about ${formatMoney(cost.total)}`],
    ),
    ...(text === '' ? [] : [quotation(text)]),
    ...(personal ? [context(mrkdwn`Text in braces differs for each recipient.`)] : []),
    ...skippedRows(counts),
    ...(start.channelId === undefined ? [] : [context(mrkdwn`Progress: ${channelMention(start.channelId)}`)]),
  ];
}

function pagesOf({ pages, fewestPages, mostPages }: CampaignApproval['counts']): Markup {
  const each =
    fewestPages === mostPages
      ? formatCount(mostPages)
      : `${formatCount(fewestPages)} to ${formatCount(mostPages)}`;
  return mrkdwn`${formatCount(pages)} (${each} each)`;
}

const lagos = 'Africa/Lagos';

function startOf({ startAt, latestStart, zone }: CampaignStart): Markup {
  if (startAt === undefined) {
    return mrkdwn`as soon as it is approved`;
  }
  const at = new Date(startAt);
  const inLagos = zone === lagos ? mrkdwn`` : mrkdwn` (${inZone(at, lagos)})`;
  const latest =
    latestStart === undefined
      ? mrkdwn`, or any time later`
      : mrkdwn`, ${timeFor(new Date(latestStart))} at the latest`;
  return mrkdwn`${timeFor(at)}${inLagos}${latest}`;
}

function skippedRows({
  duplicates,
  suppressed,
  acceptedBefore = 0,
  invalid,
}: CampaignApproval['counts']): KnownBlock[] {
  const parts = [
    ...(duplicates === 0 ? [] : [mrkdwn`${pluralize(duplicates, 'duplicate')}`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${formatCount(suppressed)} on the do-not-contact list`]),
    ...(acceptedBefore === 0 ? [] : [mrkdwn`${formatCount(acceptedBefore)} accepted after all`]),
    ...(invalid === 0 ? [] : [mrkdwn`${formatCount(invalid)} invalid`]),
  ];
  return parts.length === 0 ? [] : [context(mrkdwn`Skipped: ${joinInline(parts)}`)];
}

function orderFacts({ plan, iso3, iccid }: EsimApproval): KnownBlock[] {
  const price = priceOf(plan);
  return [
    facts(
      ['Plan', mrkdwn`${brief(plan.name)}`],
      ['Price', price === undefined ? mrkdwn`not listed` : mrkdwn`*${brief(formatMoney(price))}*`],
      ...(iso3 === undefined ? [] : [['Country', mrkdwn`${countryLabel(iso3)}`] as const]),
      ...(iccid === undefined ? [] : [['eSIM', mrkdwn`${maskIccid(iccid)}`] as const]),
    ),
  ];
}
