import type { PersonalText } from '../../../domain/access/private-values.ts';
import {
  type CampaignApproval,
  campaignApprovalSchema,
} from '../../../services/campaigns/approval/campaign-start.ts';
import { type EsimApproval, esimApprovalSchema } from '../../../services/esims/esim-approvals.ts';
import { notConnected } from '../../../services/workspaces/workspaces.ts';
import type { Approval } from '../../../store/approvals/approvals.ts';
import type { VoidCause } from '../../../store/schema/approvals.ts';
import { brief } from '../limits.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../text.ts';

/** The content of a request, unchanged since it was made. */
type RequestContent =
  | { kind: 'campaign'; campaign: CampaignApproval }
  | { kind: 'esim'; order: EsimApproval };

export function requestContent({ kind, content }: Approval): RequestContent {
  const json: unknown = JSON.parse(content);
  return kind === 'campaign'
    ? { kind, campaign: campaignApprovalSchema.parse(json) }
    : { kind, order: esimApprovalSchema.parse(json) };
}

/** What users call it. */
export function requestName(approval: Approval): PersonalText {
  const content = requestContent(approval);
  return brief(content.kind === 'campaign' ? content.campaign.name : content.order.plan.name);
}

/** What the person wants, in the infinitive. */
export function requestWish(approval: Approval): string {
  const content = requestContent(approval);
  if (content.kind === 'esim') {
    return content.order.iccid === undefined ? 'buy an eSIM' : 'top up an eSIM';
  }
  const { start, isMessage } = content.campaign;
  if (isMessage) {
    return start.startAt === undefined ? 'send a message' : 'schedule a message';
  }
  return start.startAt === undefined ? 'start a campaign' : 'schedule a campaign';
}

/** The state of a request, in a line. */
export function requestHeadline(approval: Approval): Markup {
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
    case 'expired': {
      const content = requestContent(approval);
      // A request for a start at a time can be approved until then.
      const startAt = content.kind === 'campaign' ? content.campaign.start.startAt : undefined;
      const why =
        startAt === approval.expiresAt.getTime()
          ? 'the start time came before a decision'
          : 'nobody decided in time';
      return mrkdwn`${stateIcons.blocked} *Expired:* ${why}. ${nothing(approval)}`;
    }
    case 'void':
      return mrkdwn`${stateIcons.blocked} *No longer valid:* ${causes[approval.cause ?? 'changed'](whatOf(approval))}. ${nothing(approval)}`;
  }
}

/** What a text calls what would be started. */
function whatOf(approval: Approval): string {
  const content = requestContent(approval);
  return content.kind === 'campaign' && content.campaign.isMessage === true ? 'message' : 'campaign';
}

/** What did not happen. A campaign that has moved on may have been sent otherwise, and restored data may have forgotten it. */
function nothing({ kind, cause }: Approval): string {
  switch (cause) {
    case 'moved_on':
      return 'This request had no effect.';
    case 'restored':
      return 'It may already have been carried out.';
    default:
      return kind === 'campaign' ? 'Nothing was started.' : 'Nothing was bought.';
  }
}

const causes: Readonly<Record<VoidCause, (what: string) => string>> = {
  changed: (what) => `the ${what}, its list or its cost has changed since`,
  moved_on: (what) => `the ${what} was started, edited or discarded in the meantime`,
  price: () => 'the plan or its price has changed since',
  plan_gone: () => 'the plan is no longer for sale',
  purchases_off: () => 'eSIM purchases are turned off',
  not_permitted: () => 'the person who asked may no longer do this',
  cancelled: () => 'the order was cancelled',
  limited: () => 'a limit was reached',
  not_connected: () => notConnected,
  late: () => 'the provider could not be reached in time',
  restored: () => 'Switchboard’s data was restored from a backup or copied',
};
