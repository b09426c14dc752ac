import type { Button, KnownBlock, ModalView } from '@slack/types';
import { isBilledByPage, routeSchema } from '../../../../domain/messages/routes.ts';
import type { PhoneNumber } from '../../../../domain/phone/phone-number.ts';
import type { CampaignFailures } from '../../../../services/campaigns/campaign-service.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import { canChangeSender, countToLeaveOut } from '../../../../services/campaigns/steering.ts';
import { type Charges, costOfRest } from '../../../../services/costs/estimate.ts';
import { canAskAboutCampaign } from '../../../../services/history/provider-history.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import {
  actions,
  button,
  context,
  menu,
  modal,
  present,
  quotation,
  section,
} from '../../../block-kit/build.ts';
import {
  campaignOutcomeCounts,
  dndAdvice,
  failureLine,
  notSentCount,
  skippedRows,
  startWithLagos,
  unsentLine,
  whyRemoved,
  wordFor,
} from '../../../block-kit/descriptions/campaign-counts.ts';
import { describeCharges, sentOf } from '../../../block-kit/descriptions/charges.ts';
import { brief } from '../../../block-kit/limits.ts';
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
  pluralize,
  progressBar,
  routeTitle,
} from '../../../block-kit/plural.ts';
import { campaignIcon } from '../../../block-kit/state-icons.ts';
import { joinInline, joinWords, type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { campaignQuestion, openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, shownValue } from '../actions.ts';
import {
  canFollowUp,
  describeRepeat,
  isEmptied,
  isLeftOut,
  isOver,
  stillGoesOut,
  stopRepeating,
  waitsForApproval,
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
    failures,
    canAsk = false,
    changed,
    runs = [],
    to,
  }: {
    approval?: Approval | undefined;
    charges?: Charges | undefined;
    failures?: CampaignFailures | undefined;
    canAsk?: boolean;
    /** What has changed since the person saw it. */
    changed?: Markup | undefined;
    /** The runs of a repeating campaign that are scheduled. */
    runs?: readonly Campaign[];
    /** Whom a message goes to. */
    to?: readonly PhoneNumber[] | undefined;
  } = {},
): ModalView {
  const refresh = button(campaignActions.refresh, 'Refresh', { value: campaign.id });
  return modal({
    callbackId: 'campaign_status',
    title: campaign.isMessage ? 'Scheduled message' : 'Campaign',
    blocks: present<KnownBlock>(
      changed && section(changed),
      ...statusBlocks(campaign, throughput, charges, { failures, to }),
      ...runs.map((run) =>
        section(stillGoesOut(run), button(openActions.campaign, 'Open run', { value: run.id })),
      ),
      ...statusButtons(campaign, canAsk),
      approval &&
        section(
          waitsForApproval(approval),
          button(openActions.approval, 'Open request', { value: approval.id }),
        ),
      actions(
        'campaign_view',
        ...present(
          !isOver(campaign) && refresh,
          button(openActions.campaigns, campaign.isMessage ? 'See all scheduled' : 'See all campaigns'),
        ),
      ),
    ),
  });
}

/** What a campaign is now. `to`: whom a message goes to, where its text is shown too. */
export function statusBlocks(
  campaign: Campaign,
  throughput: CampaignThroughput,
  charges: Charges | undefined,
  {
    failures,
    to = [],
  }: { failures?: CampaignFailures | undefined; to?: readonly PhoneNumber[] | undefined } = {},
): KnownBlock[] {
  const { name, createdBy, senderId, route, counts, deliveries } = campaign;
  const rest = isOver(campaign) ? undefined : costOfRest(campaign, charges);
  return [
    section(mrkdwn`${[mrkdwn`*${brief(name)}*`, ...statusLines(campaign)]}`),
    ...(to.length > 0 ? [section(mrkdwn`To ${joinWords(to)}`), quotation(campaign.text ?? '')] : []),
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
        unsentLine(campaign, failures, 'rejected'),
        unsentLine(campaign, failures, 'unconfirmed'),
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
  const { id, state, counts, deliveries, isMessage } = campaign;
  // It has ended, and somebody did not get it.
  const isFailed = deliveries !== undefined && deliveries.failed.length > 0;
  const isMissed = isOver(campaign) && (isFailed || counts.rejected > 0 || notSentCount(campaign) > 0);
  const { first, others } = steeringButtons(campaign);
  const follow =
    !isMessage &&
    canFollowUp(campaign) &&
    button(campaignActions.followUp, 'Follow up…', {
      value: id,
      ...(isMissed && { style: 'primary' }),
    });
  const shown = [...first, ...present(follow)];
  const more = present<Button>(
    ...shown.slice(maxButtons),
    ...others,
    !isMessage &&
      resultFiles(campaign).length > 0 &&
      button(campaignActions.download, 'Download…', { value: id }),
    canAsk &&
      canAskAboutCampaign(campaign) &&
      button(openActions.askAboutCampaign, 'Check delivery status', {
        value: campaignQuestion(id, undefined),
      }),
    state !== 'reading' &&
      counts.recipients > 0 &&
      !isMessage &&
      button(campaignActions.duplicate, 'Duplicate', { value: id }),
  );
  const row = [...shown.slice(0, maxButtons), ...(more.length > 0 ? [menu('campaign_menu', ...more)] : [])];
  return row.length === 0 ? [] : [actions('campaign_actions', ...row)];
}

/** Its state, in one line. */
export function headline(campaign: Campaign): Markup {
  return mrkdwn`${campaignIcon(campaign)} ${stateLine(campaign)}`;
}

function stateLine(campaign: Campaign): Markup {
  const { counts, state, pause, startAt, zone, repeat } = campaign;
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
        : mrkdwn`*Stopped repeating.* Its last run appears as its own campaign.`;
    case 'cancelled':
      return cancelledLine(campaign, all);
    case 'missed':
      return mrkdwn`*Missed${isLeftOut(campaign) ? mrkdwn`.*` : mrkdwn`:* ${all}.`} Nothing was sent.`;
  }
}

function cancelledLine(campaign: Campaign, all: string): Markup {
  const { inFlight, repeat, startedAt, lastActionBy } = campaign;
  const by = lastActionBy === undefined ? '' : mrkdwn` by ${userMention(lastActionBy)}`;
  if (inFlight > 0) {
    return mrkdwn`*Cancelled${by}.* ${formatCount(inFlight)} still being sent.`;
  }
  if (repeat !== undefined) {
    return mrkdwn`*Stopped repeating.*`;
  }
  if (startedAt !== undefined) {
    return mrkdwn`*Cancelled${by}:* ${all}`;
  }
  const held = isHeld(campaign) ? 'It may have been sent before the data was restored.' : 'Nothing was sent.';
  return mrkdwn`*Cancelled${by}${isLeftOut(campaign) ? mrkdwn`.*` : mrkdwn`:* ${all}.`} ${held}`;
}

/** Its state and what became of the recipients, in one line; with a bar in a second one while it goes on. */
export function statusLines(campaign: Campaign): Markup[] {
  const { state, counts, startedAt } = campaign;
  const { recipients, accepted, rejected, unconfirmed } = counts;
  const known = campaignOutcomeCounts(campaign);
  if ((state !== 'running' && state !== 'paused') || startedAt === undefined || recipients === 0) {
    return [joinInline([headline(campaign), ...known])];
  }
  const share = (accepted + rejected + unconfirmed) / recipients;
  return [headline(campaign), joinInline([mrkdwn`${progressBar(share)} ${formatPercent(share)}`, ...known])];
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

/** The buttons that steer a campaign: the most common ones first, the others for its menu. */
function steeringButtons(campaign: Campaign): Record<'first' | 'others', Button[]> {
  const { id, state, counts, repeat, startedAt, isMessage } = campaign;
  const steer = (actionId: string, text: string) => button(actionId, text, { value: id });
  const send = (actionId: string, text: string, style?: 'primary') =>
    button(actionId, text, { value: shownValue(campaign), ...(style && { style }) });
  const startNow =
    counts.recipients === 0
      ? []
      : [send(campaignActions.startNow, isMessage ? 'Send now' : 'Start now', 'primary')];
  const edit = steer(campaignActions.edit, 'Edit');
  const cancel = steer(
    campaignActions.cancel,
    repeat === undefined ? `Cancel ${wordFor(campaign)}` : stopRepeating,
  );
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
        const leaveOut = button(campaignActions.leaveOut, `Skip ${those}`, {
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
      return { first: [steer(campaignActions.skipNext, 'Skip next run'), cancel], others: [edit] };
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
