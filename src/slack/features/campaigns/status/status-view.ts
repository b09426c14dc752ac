import type { Button, KnownBlock, ModalView } from '@slack/types';
import { isBilledByPage, routeSchema } from '../../../../domain/messages/routes.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import { canChangeSender, countToLeaveOut } from '../../../../services/campaigns/steering.ts';
import { type Charges, type CostOfRest, costOfRest } from '../../../../services/costs/estimate.ts';
import { canAskAboutCampaign } from '../../../../services/history/provider-history.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { actions, button, context, modal, present, section } from '../../../block-kit/build.ts';
import {
  campaignDeliveryLine,
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
import { askAboutCampaignButton, openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, shownValue } from '../actions.ts';
import {
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
import { lacksBalance, statusRemarks } from './status-remarks.ts';

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
      ...statusButtonRows(campaign, canAsk),
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
    section(mrkdwn`${[mrkdwn`*${name}*`, headline(campaign), ...progress(campaign, rest)]}`),
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
          mrkdwn`Accepted by the provider.${deliveries === undefined ? ' Nothing was reported of their delivery.' : ''}`,
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

/**
 * What can be done with it now.
 *
 * @param canAsk whether the provider can be asked what became of messages
 */
export function statusButtonRows(campaign: Campaign, canAsk: boolean): KnownBlock[] {
  const { id, state, counts, repeat } = campaign;
  // A missed campaign can still be sent or discarded. A repeating campaign is sent by its runs.
  const hasResult = isOver(campaign) && state !== 'missed' && repeat === undefined;
  const { sendToRest, retryRejected, retryUnconfirmed } = campaignActions;
  const rest = hasResult
    ? [
        ...counted(campaign, sendToRest, 'Send to the rest', notSentCount(campaign), '…'),
        ...counted(campaign, retryRejected, 'Resend to rejected', counts.rejected, '…'),
        ...counted(campaign, retryUnconfirmed, 'Resend to unconfirmed', counts.unconfirmed, '…'),
      ]
    : [];
  // While it is not known how every message ended.
  const ask = canAsk && canAskAboutCampaign(campaign) && askAboutCampaignButton(campaign);
  // Only the user who asks gets the files.
  const { notSent, rejected, unconfirmed, invalid, all } = campaignActions;
  const skipped = counted(campaign, invalid, 'Download skipped rows', counts.invalid);
  const results = [
    ...counted(campaign, notSent, 'Download not sent', notSentCount(campaign)),
    ...counted(campaign, rejected, 'Download rejected', counts.rejected),
    ...counted(campaign, unconfirmed, 'Download unconfirmed', counts.unconfirmed),
    ...skipped,
    ...counted(campaign, all, 'Download all', counts.recipients),
  ];
  const isReusable = state !== 'reading' && counts.recipients > 0;
  const rows = {
    campaign_steering: steeringButtons(campaign),
    campaign_rest: present(...rest, ask),
    campaign_files: hasResult ? results : isOver(campaign) ? skipped : [],
    campaign_reuse: present(
      isReusable && button(campaignActions.useRecipients, 'Use recipients…', { value: id }),
      isReusable && button(campaignActions.duplicate, 'Duplicate', { value: id }),
    ),
  };
  return Object.entries(rows).flatMap(([id, buttons]) =>
    buttons.length === 0 ? [] : [actions(id, ...buttons)],
  );
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

/**
 * The counts in one line that keeps its parts while it is sent; a bar while it goes on. How many wait is said once: the reason
 * of a pause names them with what they need.
 */
function progress(campaign: Campaign, rest: CostOfRest | undefined): Markup[] {
  const { state, counts, inFlight, startedAt, deliveries } = campaign;
  if (startedAt === undefined || counts.recipients === 0) {
    return [];
  }
  const { recipients, accepted, rejected, unconfirmed } = counts;
  const settled = accepted + rejected + unconfirmed;
  const goesOn = state === 'running' || state === 'paused';
  // While it goes on, what is in flight waits for its answer.
  const waiting = recipients - settled;
  const notSent = waiting - inFlight;
  const share = settled / recipients;
  const delivered = campaignDeliveryLine(deliveries);
  const parts = present(
    mrkdwn`${formatCount(accepted)} accepted`,
    mrkdwn`${formatCount(rejected)} rejected`,
    unconfirmed > 0 && mrkdwn`${formatCount(unconfirmed)} unconfirmed`,
    goesOn && (rest === undefined || !lacksBalance(campaign)) && mrkdwn`${formatCount(waiting)} waiting`,
    !goesOn && notSent !== 0 && mrkdwn`${formatCount(notSent)} not sent`,
  );
  return present(
    goesOn && mrkdwn`${progressBar(share)} ${formatPercent(share)}`,
    joinInline(parts),
    accepted > 0 && delivered !== undefined && mrkdwn`Of the accepted: ${delivered}`,
  );
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

/**
 * The buttons that steer a campaign. Its creator and admins may; that is checked when one is pressed, before what it
 * does is confirmed.
 */
function steeringButtons(campaign: Campaign): Button[] {
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
      return [discard];
    case 'running':
      return [steer(campaignActions.pause, 'Pause'), cancel];
    case 'paused': {
      const toLeaveOut = countToLeaveOut(campaign);
      if (toLeaveOut > 0) {
        const those = toLeaveOut === 1 ? 'this number' : `these ${pluralize(toLeaveOut, 'number')}`;
        const leaveOut = button(campaignActions.leaveOut, `Leave out ${those}`, {
          value: id,
          style: 'primary',
        });
        return [leaveOut, send(campaignActions.resume, 'Try again'), cancel];
      }
      const who = campaign.route === 'chatapp' ? 'device' : 'sender ID';
      return [
        send(campaignActions.resume, 'Resume', 'primary'),
        ...(canChangeSender(campaign) ? [send(campaignActions.changeSender, `Change ${who}`)] : []),
        cancel,
      ];
    }
    case 'scheduled':
      return [
        ...startNow,
        send(campaignActions.changeTime, 'Change time'),
        ...(startedAt === undefined ? [edit] : []),
        cancel,
      ];
    case 'repeating':
      return [steer(campaignActions.skipNext, 'Skip next run'), edit, cancel];
    case 'missed':
      if (isLeftOut(campaign)) {
        return [discard];
      }
      return [...startNow, send(campaignActions.changeTime, 'Schedule again'), edit, discard];
    default:
      return [];
  }
}

function counted({ id }: Campaign, actionId: string, text: string, count: number, end = ''): Button[] {
  return count === 0 ? [] : [button(actionId, `${text} (${formatCount(count)})${end}`, { value: id })];
}
