import type { ModalView } from '@slack/types';
import type { StartResult } from '../../../../services/campaigns/start-draft.ts';
import type { SteeringResult } from '../../../../services/campaigns/steering.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import type { Markup } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { campaignUser } from '../actions.ts';
import { campaignGone, describeChange, nobodyLeft } from './campaign-state.ts';
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
    canAsk: providerHistory.isOn,
    changed,
  });
}

/**
 * Returns the current view of the campaign, even if another user acted first, or of the request that waits
 * for approval.
 *
 * @throws UserError if the campaign is gone, or no recipients are left
 */
export async function steeredView(
  context: AppContext,
  user: User,
  result: SteeringResult | Extract<StartResult, { kind: 'nobody' | 'approval' | 'changed' }>,
): Promise<ModalView> {
  switch (result.kind) {
    case 'gone':
      throw new UserError(campaignGone);
    case 'nobody':
      throw new UserError(nobodyLeft(result.campaign), { isFinal: true });
    case 'approval':
      return context.navigation.approval(user, result.approval);
    case 'changed':
      return statusView(context, result.campaign, describeChange(result.shownVersion, result.campaign));
    default:
      return statusView(context, result.campaign);
  }
}
