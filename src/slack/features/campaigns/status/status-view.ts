import type { KnownBlock, ModalView } from '@slack/types';
import { inZone } from '../../../../domain/time/start-time.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/campaign-scheduler.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { actions, button, context, facts, modal, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, formatDuration, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { formatPercent, progressBar } from '../../../block-kit/progress-bar.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions } from '../actions.ts';
import { isOver, notSentCount, sentCount } from './campaign-state.ts';
import { resultButtons, steeringButtons } from './status-buttons.ts';

/** The one message that shows how far a campaign is, and in the end what came of it; a channel does not see the balance. */
export function campaignStatusMessage(campaign: Campaign, pace: CampaignThroughput): SlackMessage {
  const { balance: _, ...told } = campaign;
  const shown = campaign.channelId === undefined ? campaign : told;
  return message(mrkdwn`${campaign.name}: ${headline(campaign)}`, statusBlocks(shown, pace));
}

/** The same for who opens it from a list; it does not change by itself. */
export function campaignStatusView(campaign: Campaign, pace: CampaignThroughput): ModalView {
  const refresh = button(campaignActions.refresh, 'Refresh', { value: campaign.id });
  return modal({
    callbackId: 'campaign_status',
    title: 'Campaign',
    blocks: [
      ...statusBlocks(campaign, pace),
      actions(
        'campaign_view',
        ...(isOver(campaign) ? [] : [refresh]),
        button(openActions.campaigns, 'All campaigns'),
      ),
    ],
  });
}

function statusBlocks(campaign: Campaign, pace: CampaignThroughput): KnownBlock[] {
  const { name, createdBy, senderId, route, counts } = campaign;
  return [
    section(mrkdwn`*${name}*\n${headline(campaign)}`),
    ...progress(campaign),
    ...remarks(campaign, pace).map(section),
    context(
      joinInline([
        mrkdwn`By ${userMention(createdBy)}`,
        mrkdwn`from ${senderId}`,
        mrkdwn`${routeTitle(route)} route`,
        mrkdwn`${pluralize(counts.pages, 'page')}`,
        ...times(campaign, pace),
      ]),
      ...leftOut(counts),
      ...(isOver(campaign) && counts.accepted > 0
        ? [mrkdwn`“Accepted” is the provider’s word, not yet delivery to the handset.`]
        : []),
    ),
    ...buttons(campaign),
  ];
}

/** Who was not among its recipients, or was taken out of them: that may be on its way, by the do-not-contact list. */
function leftOut({ duplicates, suppressed, invalid }: Campaign['counts']): Markup[] {
  const parts = [
    ...(duplicates === 0 ? [] : [mrkdwn`${formatCount(duplicates)} repeated`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${formatCount(suppressed)} on the do-not-contact list`]),
    ...(invalid === 0 ? [] : [mrkdwn`${formatCount(invalid)} invalid`]),
  ];
  const when = suppressed === 0 ? 'Left out before it went' : 'Left out';
  return parts.length === 0 ? [] : [mrkdwn`${when}: ${joinInline(parts)}`];
}

/** How it stands, in a line. */
export function headline(campaign: Campaign): Markup {
  const { counts, startAt } = campaign;
  const all = pluralize(counts.recipients, 'recipient');
  switch (campaign.state) {
    case 'reading':
      return mrkdwn`:hourglass_flowing_sand: Its recipients are being read.`;
    case 'ready':
      return mrkdwn`:memo: *Not started:* ${all}.`;
    case 'scheduled':
      return startAt === undefined
        ? mrkdwn`:alarm_clock: *Scheduled:* ${all}.`
        : mrkdwn`:alarm_clock: *Scheduled for ${timeFor(startAt)}* (${inZone(startAt, 'Africa/Lagos')}): ${all}.`;
    case 'running':
      return mrkdwn`:hourglass_flowing_sand: *Sending:* ${formatCount(sentCount(campaign))} of ${all}.`;
    case 'paused':
      return mrkdwn`:double_vertical_bar: *Paused* at ${formatCount(sentCount(campaign))} of ${all}.`;
    case 'done':
      return mrkdwn`${counts.rejected + counts.unconfirmed === 0 ? mrkdwn`:white_check_mark:` : mrkdwn`:ballot_box_with_check:`} *Done:* ${all}.`;
    case 'cancelled':
      return mrkdwn`:no_entry_sign: *Cancelled* at ${formatCount(sentCount(campaign))} of ${all}.`;
    case 'missed':
      return mrkdwn`:no_entry: *Not started:* nothing was sent to its ${all}.`;
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

/** What a person should know beyond the figures. */
function remarks(campaign: Campaign, pace: CampaignThroughput): Markup[] {
  const { state, counts, pause, latestStart, startAt, startedAt, inFlight, lastActionBy } = campaign;
  const refused = state === 'paused' && pause?.by === 'provider';
  const late = startAt !== undefined && startedAt !== undefined ? startedAt.getTime() - startAt.getTime() : 0;
  return [
    ...(state === 'paused' ? [whyPaused(pause)] : []),
    ...(state === 'running' && pace.waitsUntil !== undefined
      ? [
          mrkdwn`:hourglass_flowing_sand: It waits, and goes on by itself ${timeFor(pace.waitsUntil)}. ${pace.lastProblem}`,
        ]
      : []),
    ...(state === 'cancelled' && inFlight > 0 ? [mrkdwn`What is in flight ends; nothing new starts.`] : []),
    ...(state === 'missed' && startAt !== undefined && latestStart !== undefined
      ? [
          mrkdwn`It could not start at its time, ${timeFor(startAt)}: ${whyLate} It was not to start after ${timeFor(latestStart)}.`,
        ]
      : []),
    ...(late > lateAfter ? [mrkdwn`:alarm_clock: It started ${formatDuration(late)} late: ${whyLate}`] : []),
    ...(state === 'cancelled' && lastActionBy !== undefined
      ? [mrkdwn`Cancelled by ${userMention(lastActionBy)}.`]
      : []),
    ...(state === 'running' && lastActionBy !== undefined
      ? [mrkdwn`Resumed by ${userMention(lastActionBy)}.`]
      : []),
    ...((isOver(campaign) || refused) && counts.unconfirmed > 0
      ? [whatUnconfirmedMeans(counts.unconfirmed)]
      : []),
  ];
}

/** More than it waits after a start of the program, see `createTime`. */
const lateAfter = 2 * 60_000;
/** Which of the two it was is not known. */
const whyLate = 'Switchboard was down then, or its machine’s clock was wrong.';

function whyPaused(pause: Campaign['pause']): Markup {
  switch (pause?.by) {
    case 'person':
      return mrkdwn`Paused by ${userMention(pause.userId ?? '')}. What was in flight ends; nothing new starts until somebody resumes it.`;
    case 'provider':
      return mrkdwn`:warning: *The provider refuses for a reason that will not pass by itself.* ${pause.error?.message} Those who wait were not sent anything. ${whatToDo(pause.error?.reason)}`;
    default:
      return mrkdwn`:warning: *Switchboard paused it.* ${pause?.error?.message}`;
  }
}

/** A campaign keeps its sender and its route. */
function whatToDo(reason: string | undefined): string {
  switch (reason) {
    case 'balance_too_low':
      return 'Top it up, then resume.';
    case 'bad_key':
      return 'Have an admin connect a valid key, then resume.';
    case 'sender_id_unknown':
      return 'Resume once the provider has approved it; or cancel, and send to them anew with another one.';
    case 'no_route':
      return 'Resume once the provider has activated it; or cancel, and send to them anew on another route.';
    default:
      return 'Resume once that is mended, or cancel.';
  }
}

function whatUnconfirmedMeans(count: number): Markup {
  return mrkdwn`:warning: *${pluralize(count, 'recipient')} unconfirmed:* the request left, but no clear answer came, so they may or may not have got it. Switchboard never sends it again by itself. Ask ${count === 1 ? 'them' : 'some of them'}, or look in the provider’s dashboard, before you do.`;
}

function times(campaign: Campaign, pace: CampaignThroughput): Markup[] {
  const { state, startedAt, endedAt, balance } = campaign;
  const running = state === 'running';
  const took =
    startedAt === undefined || endedAt === undefined ? undefined : endedAt.getTime() - startedAt.getTime();
  return [
    ...(running && pace.messagesPerSecond > 0 ? [mrkdwn`${perSecond(pace.messagesPerSecond)} a second`] : []),
    ...(running && pace.remainingMs !== undefined
      ? [mrkdwn`about ${formatDuration(pace.remainingMs)} left`]
      : []),
    ...(startedAt === undefined ? [] : [mrkdwn`Started ${timeFor(startedAt)}`]),
    ...(took === undefined ? [] : [mrkdwn`took ${formatDuration(took)}`]),
    ...(balance === undefined ? [] : [mrkdwn`balance ${balance}`]),
  ];
}

/** A rate to a tenth, while a tenth of it says something. */
function perSecond(rate: number): string {
  return formatCount(rate < 100 ? Math.round(rate * 10) / 10 : Math.round(rate));
}

function buttons(campaign: Campaign): KnownBlock[] {
  const steering = steeringButtons(campaign);
  const afterwards = resultButtons(campaign);
  return [
    ...(steering.length === 0 ? [] : [actions('campaign_steering', ...steering)]),
    ...(afterwards.length === 0 ? [] : [actions('campaign_afterwards', ...afterwards)]),
  ];
}
