import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { showIccid } from '../../../domain/access/private-values.ts';
import { type Change, type Seen, seenSchema } from '../../../domain/limits/seen.ts';
import { quietHoursEnd } from '../../../domain/messages/quiet-hours.ts';
import { isBilledByPage, routeSchema } from '../../../domain/messages/routes.ts';
import type { CampaignApproval } from '../../../services/campaigns/approval/campaign-start.ts';
import type { EsimApproval } from '../../../services/esims/esim-approvals.ts';
import { priceOf } from '../../../services/esims/esim-plans.ts';
import type { Approval } from '../../../store/approvals/approvals.ts';
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
import {
  requestContent,
  requestHeadline,
  requestName,
} from '../../block-kit/descriptions/approval-request.ts';
import { skippedRows, startWithLagos } from '../../block-kit/descriptions/campaign-counts.ts';
import {
  changesBlock,
  inactiveSenderRemark,
  quietHoursRemark,
} from '../../block-kit/descriptions/changes.ts';
import { knownCost, unknownCost } from '../../block-kit/descriptions/costs.ts';
import { countryLabel } from '../../block-kit/inputs/countries.ts';
import { brief, clampText, limits } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { formatCount, formatMoney, routeTitle } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { channelMention, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** Actions on a request. The value is its id; the actions that approve it add the version shown. */
export const approvalActions = {
  approve: 'approval_approve',
  approveForMorning: 'approval_approve_morning',
  reject: 'approval_reject',
  withdraw: 'approval_withdraw',
} as const;

export const approveValue = z.object({
  id: z.string(),
  seen: seenSchema,
  /** The start time, if it is approved for the end of quiet hours. */
  morning: z.iso.datetime().exactOptional(),
});

/** The current facts about a request, and what has changed since an approver saw it. */
export interface CurrentRequest {
  at: Date;
  seen: Seen;
  changes: readonly Change[];
}

/** A request in its channel: with its buttons while it waits, and then with how it ended. */
export function approvalMessage(approval: Approval, now?: CurrentRequest): SlackMessage {
  const { id, requestedBy } = approval;
  return message(mrkdwn`${userMention(requestedBy)} asks for approval: ${requestName(approval)}`, [
    ...requestBlocks(approval, now),
    ...buttonRow(approval, [...decisionButtons(approval, now), withdrawButton(id)]),
  ]);
}

/** The same for one person, with their actions. */
export function approvalView(viewer: Viewer, approval: Approval, now?: CurrentRequest): ModalView {
  const { id, requestedBy, owner } = approval;
  const { userId, permissions } = viewer;
  const isOwn = userId === requestedBy || userId === owner;
  return modal({
    callbackId: 'approval',
    title: 'Approval',
    blocks: [
      ...requestBlocks(approval, now),
      ...buttonRow(approval, [
        ...(permissions.has('approve') && !isOwn ? decisionButtons(approval, now) : []),
        ...(userId === requestedBy ? [withdrawButton(id)] : []),
      ]),
    ],
  });
}

/** For the person who asked, where the request could not be posted in its channel. */
export function unpostedMessage(approval: Approval): SlackMessage {
  const text = mrkdwn`${stateIcons.approval} *${requestName(approval)} is waiting for approval.* It couldn’t be posted, so approvers see it on Switchboard’s Home only. To post it, ask an admin to choose another channel, then withdraw it and ask again.`;
  return message(text, [section(text), ...buttonRow(approval, [withdrawButton(approval.id)])]);
}

function requestBlocks(approval: Approval, now?: CurrentRequest): KnownBlock[] {
  const seen = approval.state === 'waiting' ? shownOf(approval, now) : {};
  const content = requestContent(approval);
  return [
    ...present(now !== undefined && now.changes.length > 0 && changesBlock(now.changes)),
    section(mrkdwn`${[mrkdwn`*${requestName(approval)}*`, requestHeadline(approval)]}`),
    ...reasonOf(approval),
    ...(content.kind === 'campaign' ? campaignFacts(content.campaign) : orderFacts(content.order)),
    ...present(seen.quietHours === true && section(quietHoursRemark)),
    ...present(seen.sender === 'inactive' && section(inactiveSenderRemark)),
    context(
      ...present(
        mrkdwn`Requested by ${userMention(approval.requestedBy)} ${timeFor(approval.createdAt)}`,
        approval.state === 'waiting' &&
          mrkdwn`Expires ${timeFor(approval.expiresAt)}. Approvers decide in ${channelMention(approval.channelId)} or on Home`,
      ),
    ),
  ];
}

const reasonOf = ({ reason }: Approval) => (reason === undefined ? [] : [quotation(reason)]);

function buttonRow({ state }: Approval, buttons: Button[]): KnownBlock[] {
  return state === 'waiting' && buttons.length > 0 ? [actions('approval_decision', ...buttons)] : [];
}

/** The changeable facts shown to the approver. An order's plan and price are part of the request itself. */
function shownOf(approval: Approval, now: CurrentRequest | undefined): Seen {
  const content = requestContent(approval);
  return now?.seen ?? (content.kind === 'campaign' ? content.campaign.seen : {});
}

/** During quiet hours, an immediate start can be approved for when they end instead. */
function decisionButtons(approval: Approval, now: CurrentRequest | undefined): Button[] {
  const { id, createdAt } = approval;
  const content = requestContent(approval);
  const seen = shownOf(approval, now);
  const value = JSON.stringify({ id, seen } satisfies z.infer<typeof approveValue>);
  const reject = button(approvalActions.reject, 'Reject', { value: id });
  if (
    seen.quietHours !== true ||
    content.kind !== 'campaign' ||
    content.campaign.start.startAt !== undefined
  ) {
    return [button(approvalActions.approve, 'Approve', { value, style: 'primary' }), reject];
  }
  const morning = quietHoursEnd(now?.at ?? createdAt).toISOString();
  const forMorning = JSON.stringify({ id, seen, morning } satisfies z.infer<typeof approveValue>);
  return [
    button(approvalActions.approveForMorning, 'Approve for 8:00 AM WAT', {
      value: forMorning,
      style: 'primary',
    }),
    button(approvalActions.approve, 'Approve anyway', { value }),
    reject,
  ];
}

function withdrawButton(value: string): Button {
  return button(approvalActions.withdraw, 'Withdraw', { value });
}

/** Everything that the decision is about. No phone number. */
function campaignFacts(campaign: CampaignApproval): KnownBlock[] {
  const { counts, route, senderId, personal, text, cost, start } = campaign;
  const { pages, fewestPages, mostPages } = counts;
  const each =
    fewestPages === mostPages
      ? formatCount(mostPages)
      : `${formatCount(fewestPages)} to ${formatCount(mostPages)}`;
  const billed = routeSchema.parse(route);
  const { startAt, latestStart, zone } = start;
  const latest =
    latestStart === undefined
      ? mrkdwn`, or any time later`
      : mrkdwn`, latest start ${timeFor(new Date(latestStart))}`;
  const starts =
    startAt === undefined
      ? mrkdwn`when approved`
      : mrkdwn`${startWithLagos(new Date(startAt), zone)}${latest}`;
  return [
    facts(
      ['Recipients', mrkdwn`${formatCount(counts.recipients)}`],
      ...present(
        isBilledByPage(billed) && (['Pages', mrkdwn`${formatCount(pages)} (${each} each)`] as const),
      ),
      ['From', mrkdwn`${senderId}`],
      ['Route', mrkdwn`${routeTitle(route)}`],
      ['Start', starts],
      ['Cost', mrkdwn`${cost === undefined ? unknownCost : `about ${knownCost(cost, billed)}`}`],
    ),
    ...present<KnownBlock>(
      text !== '' && quotation(text),
      personal && context(mrkdwn`{{…}} is filled in per recipient.`),
    ),
    ...skippedRows(counts).map((skipped) => context(skipped)),
    ...present(
      start.channelId !== undefined && context(mrkdwn`Progress: ${channelMention(start.channelId)}`),
    ),
  ];
}

function orderFacts({ plan, iso3, iccid }: EsimApproval): KnownBlock[] {
  const price = priceOf(plan);
  return [
    facts(
      ['Plan', mrkdwn`${brief(plan.name)}`],
      [
        'Price',
        price === undefined
          ? mrkdwn`not listed`
          : mrkdwn`*${clampText(formatMoney(price), limits.listText)}*`,
      ],
      ...present(
        iso3 !== undefined && (['Country', mrkdwn`${countryLabel(iso3)}`] as const),
        iccid !== undefined && (['eSIM', mrkdwn`${showIccid(iccid, 'record')}`] as const),
      ),
    ),
  ];
}

/** How a request ended, for the person who asked. */
export function requestEndedMessage(approval: Approval): SlackMessage {
  const { state, cause, subject } = approval;
  const content = requestContent(approval);
  const startAt = content.kind === 'campaign' ? content.campaign.start.startAt : undefined;
  const follows =
    content.kind === 'esim'
      ? mrkdwn` You’ll get the outcome as a message.`
      : startAt === undefined
        ? mrkdwn` Sending has started.`
        : mrkdwn` It starts ${timeFor(new Date(startAt))}.`;
  const consequence = state === 'approved' ? follows : mrkdwn``;
  const text = mrkdwn`*${requestName(approval)}*\n${requestHeadline(approval)}${consequence}`;

  // Opens the campaign or order, where approval can be requested again.
  const [action, value] =
    content.kind === 'campaign'
      ? [openActions.campaign, subject]
      : [openActions.esimPlans, content.order.iso3 ?? ''];
  const open = button(action, state === 'rejected' ? 'Open' : 'Ask again', { value });
  const canAskAgain = state !== 'approved' && cause !== 'moved_on' && cause !== 'restored';
  return message(text, [
    section(text),
    ...reasonOf(approval),
    ...present(canAskAgain && actions('approval_again', open)),
  ]);
}
