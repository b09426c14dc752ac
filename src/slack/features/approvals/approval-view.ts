import type { Button, KnownBlock, ModalView } from '@slack/types';
import { maskIccid } from '../../../domain/esims/iccid.ts';
import { isBilledByPage, routeSchema } from '../../../domain/messages/routes.ts';
import type { CampaignApproval, CampaignStart } from '../../../services/campaigns/approval/campaign-start.ts';
import type { EsimApproval } from '../../../services/esims/esim-approvals.ts';
import { priceOf } from '../../../services/esims/esim-plans.ts';
import { notConnected } from '../../../services/workspaces/workspaces.ts';
import type { Approval } from '../../../store/approvals/approvals.ts';
import type { VoidCause } from '../../../store/schema/approvals.ts';
import {
  actions,
  button,
  context,
  facts,
  modal,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { requestContent, requestName, requestWish } from '../../block-kit/descriptions/approval-request.ts';
import { skippedRows, startWithLagos } from '../../block-kit/descriptions/campaign-counts.ts';
import { priceNotKnown } from '../../block-kit/descriptions/costs.ts';
import { countryLabel } from '../../block-kit/inputs/countries.ts';
import { brief } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { formatCount, formatMoney, routeTitle } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** What can be done with a request. The value of each is the id of the request. */
export const approvalActions = {
  approve: 'approval_approve',
  reject: 'approval_reject',
  withdraw: 'approval_withdraw',
} as const;

/** A request in its channel: with its buttons while it waits, and then with how it ended. */
export function approvalMessage(approval: Approval): SlackMessage {
  const { id, requestedBy } = approval;
  return message(mrkdwn`${userMention(requestedBy)} asks for approval: ${requestName(approval)}`, [
    ...requestBlocks(approval),
    ...buttonRow(approval, [...decisionButtons(id), withdrawButton(id)]),
  ]);
}

/** The same for one person, with what they can do. */
export function approvalView(viewer: Viewer, approval: Approval): ModalView {
  const { id, requestedBy, owner } = approval;
  const { userId, permissions } = viewer;
  const isOwn = userId === requestedBy || userId === owner;
  return modal({
    callbackId: 'approval',
    title: 'Approval',
    blocks: [
      ...requestBlocks(approval),
      ...buttonRow(approval, [
        ...(permissions.has('approve') && !isOwn ? decisionButtons(id) : []),
        ...(userId === requestedBy ? [withdrawButton(id)] : []),
      ]),
    ],
  });
}

/** For the person who asked, where the request could not be posted in its channel. */
export function unpostedMessage(approval: Approval): SlackMessage {
  const text = mrkdwn`${stateIcons.approval} *${requestName(approval)} waits for approval.* Approvers see it on Switchboard’s Home. An admin can choose another channel; then withdraw it and ask again.`;
  return message(text, [section(text), ...buttonRow(approval, [withdrawButton(approval.id)])]);
}

function requestBlocks(approval: Approval): KnownBlock[] {
  return [
    section(mrkdwn`${[mrkdwn`*${requestName(approval)}*`, requestHeadline(approval)]}`),
    ...reasonOf(approval),
    ...requestFacts(approval),
    context(
      ...present(
        mrkdwn`Asked for by ${userMention(approval.requestedBy)} ${timeFor(approval.createdAt)}`,
        approval.state === 'waiting' &&
          mrkdwn`Decide by ${timeFor(approval.expiresAt)}, in ${channelMention(approval.channelId)} or on Home`,
      ),
    ),
  ];
}

const reasonOf = ({ reason }: Approval) => (reason === undefined ? [] : [quotation(reason)]);

/** How a request stands, in a line. */
function requestHeadline(approval: Approval): Markup {
  const { state, endedBy = '', endedAt = approval.createdAt } = approval;
  switch (state) {
    case 'waiting':
      return mrkdwn`${stateIcons.approval} *Waiting for approval* to ${requestWish(approval)}.`;
    case 'approved':
      return mrkdwn`${stateIcons.done} *Approved by ${userMention(endedBy)}* ${timeFor(endedAt)}.`;
    case 'rejected':
      return mrkdwn`${stateIcons.failed} *Rejected by ${userMention(endedBy)}* ${timeFor(endedAt)}. ${nothing(approval)}`;
    case 'withdrawn':
      return mrkdwn`${stateIcons.off} *Withdrawn by ${userMention(endedBy)}* ${timeFor(endedAt)}. ${nothing(approval)}`;
    case 'expired':
      return mrkdwn`${stateIcons.blocked} *Expired:* ${whyExpired(approval)}. ${nothing(approval)}`;
    case 'void':
      return mrkdwn`${stateIcons.blocked} *No longer valid:* ${causes[approval.cause ?? 'changed']}. ${nothing(approval)}`;
  }
}

/** What did not happen. A campaign that has moved on may have been sent otherwise. */
function nothing(approval: Approval): string {
  if (approval.cause === 'moved_on') {
    return 'This request had no effect.';
  }
  return approval.kind === 'campaign' ? 'Nothing was started.' : 'Nothing was bought.';
}

/** A request of a start at a time stands until then. */
function whyExpired(approval: Approval): string {
  const content = requestContent(approval);
  const startAt = content.kind === 'campaign' ? content.campaign.start.startAt : undefined;
  return startAt === approval.expiresAt.getTime()
    ? 'the start time came before a decision'
    : 'nobody decided in time';
}

const causes: Readonly<Record<VoidCause, string>> = {
  changed: 'the campaign, its list or its cost has changed since',
  moved_on: 'the campaign was started, edited or discarded meanwhile',
  price: 'the plan or its price has changed since',
  plan_gone: 'the plan is no longer for sale',
  purchases_off: 'eSIM purchases are switched off',
  not_permitted: 'the person who asked may no longer do this',
  cancelled: 'the order was cancelled',
  limited: 'a limit was reached',
  not_connected: notConnected,
  late: 'the provider could not be reached in time',
  restored: 'Switchboard’s data was restored from a backup or copied',
};

function buttonRow({ state }: Approval, buttons: Button[]): KnownBlock[] {
  return state === 'waiting' && buttons.length > 0 ? [actions('approval_decision', ...buttons)] : [];
}

function decisionButtons(value: string): Button[] {
  return [
    button(approvalActions.approve, 'Approve', { value, style: 'primary' }),
    button(approvalActions.reject, 'Reject', { value }),
  ];
}

function withdrawButton(value: string): Button {
  return button(approvalActions.withdraw, 'Withdraw', { value });
}

/** Everything that the decision is about. No phone number. */
function requestFacts(approval: Approval): KnownBlock[] {
  const content = requestContent(approval);
  return content.kind === 'campaign' ? campaignFacts(content.campaign) : orderFacts(content.order);
}

function campaignFacts(campaign: CampaignApproval): KnownBlock[] {
  const { counts, route, senderId, personal, text, cost, start } = campaign;
  const byPage = isBilledByPage(routeSchema.parse(route));
  return [
    facts(
      ['Recipients', mrkdwn`${formatCount(counts.recipients)}`],
      ...present(byPage && (['Pages', pagesOf(counts)] as const)),
      ['From', mrkdwn`${senderId}`],
      ['Route', mrkdwn`${routeTitle(route)}`],
      ['Start', startOf(start)],
      ['Cost', cost === undefined ? mrkdwn`${priceNotKnown}` : mrkdwn`about ${formatMoney(cost.total)}`],
    ),
    ...present<KnownBlock>(
      text !== '' && quotation(text),
      personal && context(mrkdwn`Text in braces differs for each recipient.`),
    ),
    ...skippedRows(counts).map((skipped) => context(skipped)),
    ...present(
      start.channelId !== undefined && context(mrkdwn`Progress: ${channelMention(start.channelId)}`),
    ),
  ];
}

function pagesOf({ pages, fewestPages, mostPages }: CampaignApproval['counts']): Markup {
  const each =
    fewestPages === mostPages
      ? formatCount(mostPages)
      : `${formatCount(fewestPages)} to ${formatCount(mostPages)}`;
  return mrkdwn`${formatCount(pages)} (${each} each)`;
}

function startOf({ startAt, latestStart, zone }: CampaignStart): Markup {
  if (startAt === undefined) {
    return mrkdwn`as soon as it is approved`;
  }
  const latest =
    latestStart === undefined
      ? mrkdwn`, or any time later`
      : mrkdwn`, ${timeFor(new Date(latestStart))} at the latest`;
  return mrkdwn`${startWithLagos(new Date(startAt), zone)}${latest}`;
}

function orderFacts({ plan, iso3, iccid }: EsimApproval): KnownBlock[] {
  const price = priceOf(plan);
  return [
    facts(
      ['Plan', mrkdwn`${brief(plan.name)}`],
      ['Price', price === undefined ? mrkdwn`not listed` : mrkdwn`*${brief(formatMoney(price))}*`],
      ...present(
        iso3 !== undefined && (['Country', mrkdwn`${countryLabel(iso3)}`] as const),
        iccid !== undefined && (['eSIM', mrkdwn`${maskIccid(iccid)}`] as const),
      ),
    ),
  ];
}

/** How a request ended, for the person who asked. */
export function requestEndedMessage(approval: Approval): SlackMessage {
  const text = mrkdwn`*${requestName(approval)}*\n${requestHeadline(approval)}${consequence(approval)}`;
  return message(text, [section(text), ...reasonOf(approval), ...askAgain(approval)]);
}

function consequence(approval: Approval): Markup {
  if (approval.state !== 'approved') {
    return mrkdwn``;
  }
  const content = requestContent(approval);
  if (content.kind === 'esim') {
    return mrkdwn` The outcome comes as a message.`;
  }
  const { startAt } = content.campaign.start;
  return startAt === undefined
    ? mrkdwn` Sending has begun.`
    : mrkdwn` It starts ${timeFor(new Date(startAt))}.`;
}

/** Opens what was asked for, from where it can be asked for again. */
function askAgain(approval: Approval): KnownBlock[] {
  const { state, cause, subject } = approval;
  const content = requestContent(approval);
  if (state === 'approved' || cause === 'moved_on' || cause === 'restored') {
    return [];
  }
  const [action, value] =
    content.kind === 'campaign'
      ? [openActions.campaign, subject]
      : [openActions.esimPlans, content.order.iso3 ?? ''];
  return [actions('approval_again', button(action, state === 'rejected' ? 'Open' : 'Ask again', { value }))];
}
