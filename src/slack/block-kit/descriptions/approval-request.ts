import {
  type CampaignApproval,
  campaignApprovalSchema,
} from '../../../services/campaigns/approval/campaign-start.ts';
import { type EsimApproval, esimApprovalSchema } from '../../../services/esims/esim-approvals.ts';
import type { Approval } from '../../../store/approvals/approvals.ts';
import { brief } from '../limits.ts';

/** What is asked for, as it was when it was asked for. */
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
export function requestName(approval: Approval): string {
  const content = requestContent(approval);
  return brief(content.kind === 'campaign' ? content.campaign.name : content.order.plan.name);
}

/** What the person wants, in the infinitive. */
export function requestWish(approval: Approval): string {
  const content = requestContent(approval);
  if (content.kind === 'esim') {
    return content.order.iccid === undefined ? 'buy an eSIM' : 'top up an eSIM';
  }
  return content.campaign.start.startAt === undefined ? 'start a campaign' : 'schedule a campaign';
}
