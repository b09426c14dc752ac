import type { KnownBlock, ModalView } from '@slack/types';
import { inZone } from '../../../../domain/time/start-time.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/campaign-scheduler.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { actions, button, context, facts, modal, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, formatDuration, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { formatPercent, progressBar } from '../../../block-kit/progress-bar.ts';
import { campaignIcons } from '../../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions } from '../actions.ts';
import { isOver, notSentCount, sentCount } from './campaign-state.ts';
import { resultButtons, steeringButtons } from './status-buttons.ts';
import { statusRemarks } from './status-remarks.ts';

/** The message with a campaign's progress, and its result in the end. In a channel it is without the balance. */
export function campaignStatusMessage(campaign: Campaign, throughput: CampaignThroughput): SlackMessage {
  const { balance: _, ...withoutBalance } = campaign;
  const shown = campaign.channelId === undefined ? campaign : withoutBalance;
  return message(mrkdwn`${campaign.name}: ${headline(campaign)}`, statusBlocks(shown, throughput));
}

/** The same as a modal, opened from a list. It is not updated, so it has *Refresh*. */
export function campaignStatusView(campaign: Campaign, throughput: CampaignThroughput): ModalView {
  const refresh = button(campaignActions.refresh, 'Refresh', { value: campaign.id });
  return modal({
    callbackId: 'campaign_status',
    title: 'Campaign',
    blocks: [
      ...statusBlocks(campaign, throughput),
      actions(
        'campaign_view',
        ...(isOver(campaign) ? [] : [refresh]),
        button(openActions.campaigns, 'All campaigns'),
      ),
    ],
  });
}

function statusBlocks(campaign: Campaign, throughput: CampaignThroughput): KnownBlock[] {
  const { name, createdBy, senderId, route, counts } = campaign;
  return [
    section(mrkdwn`*${name}*\n${headline(campaign)}`),
    ...progress(campaign),
    ...statusRemarks(campaign, throughput).map(section),
    context(
      joinInline([
        mrkdwn`By ${userMention(createdBy)}`,
        mrkdwn`from ${senderId}`,
        mrkdwn`${routeTitle(route)} route`,
        mrkdwn`${pluralize(counts.pages, 'page')}`,
        ...times(campaign, throughput),
      ]),
      ...leftOut(counts),
      ...(isOver(campaign) && counts.accepted > 0
        ? [mrkdwn`“Accepted” is the provider’s word, not yet delivery to the handset.`]
        : []),
    ),
    ...buttons(campaign),
  ];
}

/** Who was left out; those on the suppression list may have been removed while it was under way. */
function leftOut({ duplicates, suppressed, invalid }: Campaign['counts']): Markup[] {
  const parts = [
    ...(duplicates === 0 ? [] : [mrkdwn`${formatCount(duplicates)} repeated`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${formatCount(suppressed)} on the do-not-contact list`]),
    ...(invalid === 0 ? [] : [mrkdwn`${formatCount(invalid)} invalid`]),
  ];
  const when = suppressed === 0 ? 'Left out before it went' : 'Left out';
  return parts.length === 0 ? [] : [mrkdwn`${when}: ${joinInline(parts)}`];
}

/** Its state, in one line. */
export function headline(campaign: Campaign): Markup {
  const { counts, startAt } = campaign;
  const all = pluralize(counts.recipients, 'recipient');
  const icon = campaignIcons[campaign.state].status;
  switch (campaign.state) {
    case 'reading':
      return mrkdwn`${icon} Its recipients are being read.`;
    case 'ready':
      return mrkdwn`${icon} *Not started:* ${all}.`;
    case 'scheduled':
      return startAt === undefined
        ? mrkdwn`${icon} *Scheduled:* ${all}.`
        : mrkdwn`${icon} *Scheduled for ${timeFor(startAt)}* (${inZone(startAt, 'Africa/Lagos')}): ${all}.`;
    case 'running':
      return mrkdwn`${icon} *Sending:* ${formatCount(sentCount(campaign))} of ${all}.`;
    case 'paused':
      return mrkdwn`${icon} *Paused* at ${formatCount(sentCount(campaign))} of ${all}.`;
    case 'done':
      return mrkdwn`${counts.rejected + counts.unconfirmed === 0 ? icon : mrkdwn`:ballot_box_with_check:`} *Done:* ${all}.`;
    case 'cancelled':
      return mrkdwn`${icon} *Cancelled* at ${formatCount(sentCount(campaign))} of ${all}.`;
    case 'missed':
      return mrkdwn`${icon} *Not started:* nothing was sent to its ${all}.`;
  }
}

function progress(campaign: Campaign): KnownBlock[] {
  const { state, counts, inFlight } = campaign;
  if (campaign.startedAt === undefined || state === 'missed') {
    return [];
  }
  const { recipients, accepted, rejected, unconfirmed } = counts;
  const share = recipients === 0 ? 1 : (accepted + rejected + unconfirmed) / recipients;
  const waiting = notSentCount(campaign);
  return [
    ...(state === 'done' ? [] : [section(mrkdwn`${progressBar(share)} ${formatPercent(share)}`)]),
    facts(
      ['Accepted', mrkdwn`${formatCount(accepted)}`],
      ['Rejected', mrkdwn`${formatCount(rejected)}`],
      ['Unconfirmed', mrkdwn`${formatCount(unconfirmed)}`],
      ...(inFlight > 0 ? [['In flight', mrkdwn`${formatCount(inFlight)}`] as const] : []),
      ...(waiting > 0
        ? [[state === 'cancelled' ? 'Not sent' : 'Waiting', mrkdwn`${formatCount(waiting)}`] as const]
        : []),
    ),
  ];
}

function times(campaign: Campaign, throughput: CampaignThroughput): Markup[] {
  const { state, startedAt, endedAt, balance } = campaign;
  const running = state === 'running';
  const took =
    startedAt === undefined || endedAt === undefined ? undefined : endedAt.getTime() - startedAt.getTime();
  return [
    ...(running && throughput.messagesPerSecond > 0
      ? [mrkdwn`${perSecond(throughput.messagesPerSecond)} a second`]
      : []),
    ...(running && throughput.remainingMs !== undefined
      ? [mrkdwn`about ${formatDuration(throughput.remainingMs)} left`]
      : []),
    ...(startedAt === undefined ? [] : [mrkdwn`Started ${timeFor(startedAt)}`]),
    ...(took === undefined ? [] : [mrkdwn`took ${formatDuration(took)}`]),
    ...(balance === undefined ? [] : [mrkdwn`balance ${balance}`]),
  ];
}

/** Rounds to a tenth below 100, else to a whole number. */
function perSecond(rate: number): string {
  return formatCount(rate < 100 ? Math.round(rate * 10) / 10 : Math.round(rate));
}

function buttons(campaign: Campaign): KnownBlock[] {
  const steering = steeringButtons(campaign);
  const results = resultButtons(campaign);
  return [
    ...(steering.length === 0 ? [] : [actions('campaign_steering', ...steering)]),
    ...(results.length === 0 ? [] : [actions('campaign_afterwards', ...results)]),
  ];
}
