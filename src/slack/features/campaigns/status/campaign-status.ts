import type { ModalView } from '@slack/types';
import type { StartResult } from '../../../../services/campaigns/start-draft.ts';
import type { SteeringResult } from '../../../../services/campaigns/steering.ts';
import { orGone } from '../../../../services/refusal.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { describeNewVersion } from '../../../block-kit/descriptions/changes.ts';
import type { Markup } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { campaignUser } from '../actions.ts';
import { campaignStatusView } from './status-view.ts';

/** @throws Refusal if the user may not see and steer the campaign */
export async function findCampaign({ services }: AppContext, user: Viewer, id: string): Promise<Campaign> {
  return orGone(await services.campaigns.find(campaignUser(user), id), 'campaign');
}

/** Returns the request for approval of a campaign’s start, if one waits. */
export async function waitingRequest(
  { services: { campaigns } }: AppContext,
  { workspaceId, id }: Campaign,
): Promise<Approval | undefined> {
  return (await campaigns.approvals.waitingFor(workspaceId, [id])).get(id);
}

/** @param changed what has changed since the person saw it */
export async function statusView(
  context: AppContext,
  campaign: Campaign,
  changed?: Markup,
): Promise<ModalView> {
  const { campaigns, costs, providerHistory } = context.services;
  return campaignStatusView(campaign, campaigns.throughput(campaign), {
    approval: await waitingRequest(context, campaign),
    charges: await costs.ofCampaign(campaign),
    failures: await campaigns.failuresOf(campaign),
    canAsk: providerHistory.isOn,
    changed,
    runs: campaign.repeat === undefined ? [] : await campaigns.scheduledRuns(campaign),
    to: await campaigns.recipientsOfMessage(campaign),
  });
}

/**
 * Returns the current view of the campaign, even if another user acted first, or of the request that waits
 * for approval.
 */
export async function steeredView(
  context: AppContext,
  user: User,
  result: SteeringResult | Extract<StartResult, { kind: 'approval' | 'changed' }>,
): Promise<ModalView> {
  switch (result.kind) {
    case 'approval':
      return context.navigation.approval(user, result.approval);
    case 'changed':
      return statusView(context, result.campaign, describeNewVersion(result.shownVersion, result.campaign));
    default:
      return statusView(context, result.campaign);
  }
}
