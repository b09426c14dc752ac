import type { ModalView } from '@slack/types';
import type { StartResult, SteeringResult } from '../../../../services/campaigns/steering.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { limitedError } from '../../../middleware/not-performed.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { campaignUser } from '../actions.ts';
import { campaignGone, nobodyLeft } from './campaign-state.ts';
import { campaignStatusView } from './status-view.ts';

/** @throws UserError if the user may not see and steer the campaign */
export async function findCampaign({ services }: AppContext, user: Viewer, id: string): Promise<Campaign> {
  const campaign = await services.campaigns.find(campaignUser(user), id);
  if (campaign === undefined) {
    throw new UserError(campaignGone);
  }
  return campaign;
}

/** Returns the request for approval of a campaign’s start, if one waits. */
export async function waitingRequest(
  { services: { campaigns } }: AppContext,
  { workspaceId, id }: Campaign,
): Promise<Approval | undefined> {
  return (await campaigns.approvals.waitingFor(workspaceId, [id])).get(id);
}

export async function statusView(context: AppContext, campaign: Campaign): Promise<ModalView> {
  const { campaigns, costs, providerHistory } = context.services;
  return campaignStatusView(campaign, campaigns.throughput(campaign), {
    approval: await waitingRequest(context, campaign),
    charges: await costs.ofCampaign(campaign),
    canAsk: providerHistory.isOn,
  });
}

/**
 * Returns the view of the campaign as it is now, even if another user was quicker to steer it; or of what waits for
 * approval.
 *
 * @throws UserError if the campaign is gone, nobody is left of its recipients, or a limit was reached
 */
export async function steeredView(
  context: AppContext,
  user: User,
  result: SteeringResult | Extract<StartResult, { kind: 'nobody' | 'approval' | 'limited' }>,
): Promise<ModalView> {
  switch (result.kind) {
    case 'gone':
      throw new UserError(campaignGone);
    case 'nobody':
      throw new UserError(nobodyLeft(result.campaign), { isFinal: true });
    case 'approval':
      return context.navigation.approval(user, result.approval);
    case 'limited':
      throw limitedError(result.limit, 'Nothing was sent.');
    default:
      return statusView(context, result.campaign);
  }
}
