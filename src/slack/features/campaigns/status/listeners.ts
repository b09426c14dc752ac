import type { SteeringResult } from '../../../../services/campaigns/steering.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { pushModal, replaceModal } from '../../../middleware/open-modal.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, openCampaignAction } from '../actions.ts';
import { createCampaignList } from '../campaign-list.ts';
import type { Previews } from '../preview/preview.ts';
import { campaignUser } from './campaign-user.ts';
import { registerResultFiles } from './result-files.ts';
import { campaignStatusView } from './status-view.ts';

/** Campaigns after their import: the list, the status of each, its steering, and what can be had of it afterwards. */
export function registerCampaignStatus(router: Router, context: AppContext, previews: Previews): void {
  const { campaigns } = context.services;
  const campaignList = createCampaignList(context);
  const status = (campaign: Campaign) => campaignStatusView(campaign, campaigns.throughput(campaign));

  router.action(openActions.campaigns, async (call) => {
    await replaceModal(call)(await campaignList(call.user));
  });

  /** @throws UserError if the user may not see and steer the campaign */
  async function find(user: User, id: string): Promise<Campaign> {
    const campaign = await campaigns.find(campaignUser(user), id);
    if (campaign === undefined) {
      throw new UserError(gone);
    }
    return campaign;
  }

  router.action(openCampaignAction, async (call) => {
    const { user, value: id } = call;
    const campaign = await find(user, id);
    const isPreview = campaign.state === 'ready' && campaign.createdBy === user.userId;
    await pushModal(call)(isPreview ? await previews.again(user, { id }) : status(campaign));
  });

  router.action(campaignActions.refresh, async ({ user, value, view }) => {
    await view?.replace(status(await find(user, value)));
  });

  const steering = {
    [campaignActions.pause]: campaigns.pause,
    [campaignActions.resume]: campaigns.resume,
    [campaignActions.cancel]: campaigns.cancel,
  };
  for (const [actionId, steer] of Object.entries(steering)) {
    router.action(actionId, async ({ user, value, view }) => {
      const result = await steer({ ...campaignUser(user), id: value });
      const campaign = steeredCampaign(result);
      if (view !== undefined) {
        await view.replace(status(campaign));
      } else if (result.kind === 'too_late') {
        throw new UserError(mrkdwn`It is past that: the campaign has ended, or somebody was quicker.`);
      }
    });
  }

  registerResultFiles(router, context, find);
  registerRetry(router, context, previews);
}

/** *Retry the rejected* and *Send to the unconfirmed again*: a new campaign of those recipients, with its preview. */
function registerRetry(router: Router, { services: { campaigns } }: AppContext, previews: Previews): void {
  for (const [actionId, which] of [
    [campaignActions.retryRejected, 'rejected'],
    [campaignActions.retryUnconfirmed, 'unconfirmed'],
  ] as const) {
    router.action(actionId, async (call) => {
      const { user, value: id } = call;
      const replace = await pushModal(call)(loadingView('Send again', 'Getting the recipients…'));
      await replace(await retryView(user, await campaigns.retry({ ...campaignUser(user), id, which })));
    });
  }

  async function retryView(user: User, result: Awaited<ReturnType<typeof campaigns.retry>>) {
    switch (result.kind) {
      case 'ready':
        return previews.show(user, result.preview, undefined);
      case 'not_connected':
        throw new UserError(mrkdwn`No provider key is connected. Nothing was sent.`);
      case 'faults':
        throw new UserError(mrkdwn`*Nothing was sent.* ${Object.values(result.faults)}`);
      default: {
        const campaign = result.kind === 'started' ? result.campaign : steeredCampaign(result);
        return campaignStatusView(campaign, campaigns.throughput(campaign));
      }
    }
  }
}

/** Returns the campaign as it is now, even if another user was quicker to steer it. */
function steeredCampaign(result: SteeringResult): Campaign {
  if (result.kind === 'gone') {
    throw new UserError(gone);
  }
  return result.campaign;
}

/** The same for a campaign of another user's, so that an id alone reveals nothing. */
const gone = mrkdwn`This campaign is not there any more, or is not yours: its author can do this, and admins of this workspace. Nothing was done.`;
