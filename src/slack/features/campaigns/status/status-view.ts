import type { Button, KnownBlock, ModalView } from '@slack/types';
import { isBilledByPage, routeSchema } from '../../../../domain/messages/routes.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import { canChangeSender, countToLeaveOut } from '../../../../services/campaigns/steering.ts';
import { type Charges, costOfRest } from '../../../../services/costs/estimate.ts';
import { canAskAboutCampaign } from '../../../../services/history/provider-history.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { actions, button, context, menu, modal, present, section } from '../../../block-kit/build.ts';
import {
  deliveryCountWords,
  dndAdvice,
  failureLine,
  skippedRows,
  startWithLagos,
} from '../../../block-kit/descriptions/campaign-counts.ts';
import { describeCharges, sentOf } from '../../../block-kit/descriptions/charges.ts';
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
  pluralize,
  progressBar,
  routeTitle,
} from '../../../block-kit/plural.ts';
import { campaignIcons } from '../../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { campaignQuestion, openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, shownValue } from '../actions.ts';
import {
  canFollowUp,
  describeRepeat,
  isEmptied,
  isLeftOut,
  isOver,
  notSentCount,
  sentCount,
  stopRepeating,
  waitsForApproval,
  whyRemoved,
} from './campaign-state.ts';
import { resultFiles } from './download-view.ts';
import { statusRemarks } from './status-remarks.ts';

/** A campaign in a modal, opened from a list, with what waits for approval. It is not updated, so it has *Refresh*. */
export function campaignStatusView(
  campaign: Campaign,
  throughput: CampaignThroughput,
  {
    approval,
    charges,
    canAsk = false,
    changed,
  }: {
    approval?: Approval | undefined;
    charges?: Charges | undefined;
    canAsk?: boolean;
    /** What has changed since the person saw it. */
    changed?: Markup | undefined;
  } = {},
): ModalView {
  const refresh = button(campaignActions.refresh, 'Refresh', { value: campaign.id });
  return modal({
    callbackId: 'campaign_status',
    title: 'Campaign',
    blocks: present<KnownBlock>(
      changed && section(changed),
      ...statusBlocks(campaign, throughput, charges),
      ...statusButtons(campaign, canAsk),
      approval &&
        section(
          waitsForApproval(approval),
          button(openActions.approval, 'Open request', { value: approval.id }),
        ),
      actions(
        'campaign_view',
        ...present(!isOver(campaign) && refresh, button(openActions.campaigns, 'All campaigns')),
      ),
    ),
  });
}

/** What a campaign is now. */
export function statusBlocks(
  campaign: Campaign,
  throughput: CampaignThroughput,
  charges: Charges | undefined,
): KnownBlock[] {
  const { name, createdBy, senderId, route, counts, deliveries } = campaign;
  const rest = isOver(campaign) ? undefined : costOfRest(campaign, charges);
  return [
    section(mrkdwn`${[mrkdwn`*${name}*`, headline(campaign), ...progress(campaign)]}`),
    ...statusRemarks(campaign, throughput, rest).map((remark) => section(remark)),
    context(
      joinInline([
        mrkdwn`By ${userMention(createdBy)}`,
        mrkdwn`from ${senderId}`,
        mrkdwn`${routeTitle(route)} route`,
        ...(isBilledByPage(routeSchema.parse(route)) ? [mrkdwn`${pluralize(counts.pages, 'page')}`] : []),
        ...times(campaign, throughput),
      ]),
      ...skippedRows(counts),
      ...present(
        isOver(campaign) &&
          counts.accepted > 0 &&
          deliveries === undefined &&
          mrkdwn`No delivery reports yet.`,
        deliveries && failureLine(deliveries),
        deliveries &&
          dndAdvice(
            route,
            deliveries.failed.some(({ mayBeDnd }) => mayBeDnd),
          ),
      ),
    ),
    ...describeCharges(charges, sentOf(campaign)).map((line) => context(line)),
  ];
}

/** In a row: the others are in its menu. */
const maxButtons = 2;

/**
 * What can be done with a campaign now. Its creator and admins may; that is checked when something is pressed, before what
 * it does is confirmed.
 *
 * @param canAsk whether the provider can be asked what became of messages
 */
export function statusButtons(campaign: Campaign, canAsk: boolean): KnownBlock[] {
  const { id, state, counts, deliveries } = campaign;
  // It has ended, and somebody did not get it.
  const isFailed = deliveries !== undefined && deliveries.failed.length > 0;
  const isMissed = isOver(campaign) && (isFailed || counts.rejected > 0 || notSentCount(campaign) > 0);
  const { first, others } = steeringButtons(campaign);
  const follow =
    canFollowUp(campaign) &&
    button(campaignActions.followUp, 'Follow up…', {
      value: id,
      ...(isMissed && { style: 'primary' }),
    });
  const shown = [...first, ...present(follow)];
  const more = present<Button>(
    ...shown.slice(maxButtons),
    ...others,
    resultFiles(campaign).length > 0 && button(campaignActions.download, 'Download…', { value: id }),
    canAsk &&
      canAskAboutCampaign(campaign) &&
      button(openActions.askAboutCampaign, 'Check delivery status', {
        value: campaignQuestion(id, undefined),
      }),
    state !== 'reading' &&
      counts.recipients > 0 &&
      button(campaignActions.duplicate, 'Duplicate', { value: id }),
  );
  const row = [...shown.slice(0, maxButtons), ...(more.length > 0 ? [menu('campaign_menu', ...more)] : [])];
  return row.length === 0 ? [] : [actions('campaign_actions', ...row)];
}

/** Its state, in one line. */
export function headline(campaign: Campaign): Markup {
  return mrkdwn`${campaignIcons[campaign.state]} ${stateLine(campaign)}`;
}

function stateLine(campaign: Campaign): Markup {
  const { counts, state, pause, inFlight, startAt, startedAt, zone, repeat } = campaign;
  const all = pluralize(counts.recipients, 'recipient');
  if (isEmptied(campaign)) {
    return mrkdwn`*${state === 'done' ? 'Done' : 'Cancelled'}: no recipients left.* All of them ${whyRemoved(counts)}. Nothing was sent.`;
  }
  switch (state) {
    case 'reading':
      return mrkdwn`*Reading the recipients…*`;
    case 'ready':
      return mrkdwn`*Draft:* ${all}`;
    case 'scheduled':
      return startAt === undefined
        ? mrkdwn`*Scheduled:* ${all}`
        : mrkdwn`*Scheduled for ${startWithLagos(startAt, zone)}:* ${all}`;
    case 'repeating':
      return mrkdwn`*Repeats${repeat && mrkdwn` ${describeRepeat(repeat)}`}:* ${all}`;
    case 'running':
      return mrkdwn`*Sending:* ${all}`;
    case 'paused':
      return pause?.by === 'person' && pause.userId !== undefined
        ? mrkdwn`*Paused by ${userMention(pause.userId)}:* ${all}`
        : mrkdwn`*Paused:* ${all}`;
    case 'done':
      return repeat === undefined
        ? mrkdwn`*Done:* ${all}`
        : mrkdwn`*Repeats no more.* Its last run is a campaign of its own.`;
    case 'cancelled':
      return inFlight > 0
        ? mrkdwn`*Cancelled.* ${formatCount(inFlight)} still in flight.`
        : repeat !== undefined
          ? mrkdwn`*Repeats no more.*`
          : startedAt === undefined
            ? mrkdwn`*Cancelled${isLeftOut(campaign) ? mrkdwn`.*` : mrkdwn`:* ${all}.`} ${isHeld(campaign) ? 'It may have been sent before the data was restored.' : 'Nothing was sent.'}`
            : mrkdwn`*Cancelled* after ${formatCount(sentCount(campaign))} of ${all}`;
    case 'missed':
      return mrkdwn`*Missed${isLeftOut(campaign) ? mrkdwn`.*` : mrkdwn`:* ${all}.`} Nothing was sent.`;
  }
}

/** What became of the recipients, in one line: a bar while it goes on, and each recipient in one count. */
function progress(campaign: Campaign): Markup[] {
  const { state, counts, startedAt, deliveries } = campaign;
  const { recipients, accepted, rejected, unconfirmed } = counts;
  if (startedAt === undefined || recipients === 0) {
    return [];
  }
  const goesOn = state === 'running' || state === 'paused';
  const share = (accepted + rejected + unconfirmed) / recipients;
  const reported = deliveries === undefined ? [] : deliveryCountWords(deliveries);
  const sent = accepted > 0 ? [mrkdwn`${formatCount(accepted)} sent`] : [];
  const notSent = goesOn ? 0 : notSentCount(campaign);
  const parts = present(
    goesOn && mrkdwn`${progressBar(share)} ${formatPercent(share)}`,
    ...(reported.length > 0 ? reported : sent),
    rejected > 0 && mrkdwn`${formatCount(rejected)} rejected`,
    unconfirmed > 0 && mrkdwn`${formatCount(unconfirmed)} unconfirmed`,
    notSent > 0 && mrkdwn`${formatCount(notSent)} not sent`,
  );
  return parts.length === 0 ? [] : [joinInline(parts)];
}

function times(campaign: Campaign, { messagesPerSecond, remainingMs }: CampaignThroughput): Markup[] {
  const { state, startedAt, endedAt, balance } = campaign;
  const running = state === 'running';
  const took = startedAt && endedAt && endedAt.getTime() - startedAt.getTime();
  // Two significant digits: the rate is an average.
  const rate =
    messagesPerSecond < 1
      ? mrkdwn`less than 1 a second`
      : mrkdwn`about ${formatCount(Number(messagesPerSecond.toPrecision(2)))} a second`;
  return present(
    running && messagesPerSecond > 0 && rate,
    running && remainingMs !== undefined && mrkdwn`about ${formatDuration(remainingMs)} left`,
    startedAt && mrkdwn`started ${timeFor(startedAt)}`,
    took !== undefined && mrkdwn`took ${formatDuration(took)}`,
    balance !== undefined && mrkdwn`balance ${formatMoney(balance)}`,
  );
}

/** What steers a campaign: first what most people need, and what is in its menu. */
function steeringButtons(campaign: Campaign): Record<'first' | 'others', Button[]> {
  const { id, state, counts, repeat, startedAt } = campaign;
  const steer = (actionId: string, text: string) => button(actionId, text, { value: id });
  const send = (actionId: string, text: string, style?: 'primary') =>
    button(actionId, text, { value: shownValue(campaign), ...(style && { style }) });
  const startNow = counts.recipients === 0 ? [] : [send(campaignActions.startNow, 'Start now', 'primary')];
  const edit = steer(campaignActions.edit, 'Edit');
  const cancel = steer(campaignActions.cancel, repeat === undefined ? 'Cancel campaign' : stopRepeating);
  const discard = steer(campaignActions.discard, 'Discard');
  switch (state) {
    case 'ready':
      return { first: [], others: [discard] };
    case 'running':
      return { first: [steer(campaignActions.pause, 'Pause')], others: [cancel] };
    case 'paused': {
      const toLeaveOut = countToLeaveOut(campaign);
      if (toLeaveOut > 0) {
        const those = toLeaveOut === 1 ? 'this number' : `these ${pluralize(toLeaveOut, 'number')}`;
        const leaveOut = button(campaignActions.leaveOut, `Leave out ${those}`, {
          value: id,
          style: 'primary',
        });
        return { first: [leaveOut, send(campaignActions.resume, 'Try again')], others: [cancel] };
      }
      const who = campaign.route === 'chatapp' ? 'device' : 'sender ID';
      const change = canChangeSender(campaign) && send(campaignActions.changeSender, `Change ${who}`);
      return {
        first: present<Button>(send(campaignActions.resume, 'Resume', 'primary'), change),
        others: [cancel],
      };
    }
    case 'scheduled':
      return {
        first: [...startNow, send(campaignActions.changeTime, 'Change time')],
        others: startedAt === undefined ? [edit, cancel] : [cancel],
      };
    case 'repeating':
      return { first: [steer(campaignActions.skipNext, 'Skip next run')], others: [edit, cancel] };
    case 'missed':
      return isLeftOut(campaign)
        ? { first: [], others: [discard] }
        : {
            first: [...startNow, send(campaignActions.changeTime, 'Schedule again')],
            others: [edit, discard],
          };
    default:
      return { first: [], others: [] };
  }
}
