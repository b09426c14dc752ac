import type { ResultFileKind } from '../../../../services/campaigns/result-files.ts';
import type { SteeringResult } from '../../../../services/campaigns/steering.ts';
import type { CampaignUser } from '../../../../services/operations/ownership.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { notice, section } from '../../../block-kit/build.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { pushModal, replaceModal } from '../../../middleware/open-modal.ts';
import type { Router, User } from '../../../middleware/requests.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, openCampaignAction } from '../actions.ts';
import { createCampaignList } from '../campaign-list.ts';
import type { Previews } from '../preview/preview.ts';
import { campaignStatusView } from './status-view.ts';

const files: { which: ResultFileKind; actionId: string; name: string; comment: string }[] = [
  {
    which: 'rejected',
    actionId: campaignActions.rejected,
    name: 'rejected.csv',
    comment: 'Rejected by the provider, with the reason',
  },
  {
    which: 'unconfirmed',
    actionId: campaignActions.unconfirmed,
    name: 'unconfirmed.csv',
    comment: 'Unconfirmed: they may or may not have got it',
  },
  {
    which: 'not_sent',
    actionId: campaignActions.notSent,
    name: 'not-sent.csv',
    comment: 'Not sent anything',
  },
  {
    which: 'invalid',
    actionId: campaignActions.invalid,
    name: 'invalid.csv',
    comment: 'Rows that could not be used, with the reason',
  },
];

/** Campaigns that were started: the list, what steers them, and what can be had of them afterwards. */
export function registerCampaignSteering(router: Router, context: AppContext, previews: Previews): void {
  const { services } = context;
  const { campaigns } = services;

  const status = (campaign: Campaign) => campaignStatusView(campaign, campaigns.throughput(campaign));

  const listOf = createCampaignList(context);

  router.action(openActions.campaigns, async (call) => {
    await replaceModal(call)(await listOf(call.user));
  });

  router.action(openCampaignAction, async (call) => {
    const { user, value: id } = call;
    const campaign = await theirs(user, id);
    const isPreview = campaign.state === 'ready' && campaign.createdBy === user.userId;
    const view = isPreview ? await previews.again(user, { id }) : status(campaign);
    await pushModal(call)(view);
  });

  router.action(campaignActions.refresh, async ({ user, value, view }) => {
    await view?.replace(status(await theirs(user, value)));
  });

  const steering = {
    [campaignActions.pause]: campaigns.pause,
    [campaignActions.resume]: campaigns.resume,
    [campaignActions.cancel]: campaigns.cancel,
  };
  for (const [actionId, steer] of Object.entries(steering)) {
    router.action(actionId, async ({ user, value, view }) => {
      const steered = await steer({ ...userOf(user), id: value });
      const campaign = campaignOf(steered);
      if (view !== undefined) {
        await view.replace(status(campaign));
      } else if (steered.kind === 'too_late') {
        throw new UserError(mrkdwn`It is past that: the campaign has ended, or somebody was quicker.`);
      }
    });
  }

  for (const { which, actionId, name, comment } of files) {
    router.action(actionId, async (call) => {
      const { user, value: id } = call;
      const campaign = await theirs(user, id);
      const replace = await pushModal(call)(
        notice('A file', section(mrkdwn`:hourglass_flowing_sand: Writing *${name}*…`)),
      );
      const pieces = await campaigns.resultFile({ ...userOf(user), id, which });
      if (pieces === undefined) {
        throw new UserError(
          mrkdwn`There is nothing to be in this file. Numbers are deleted some time after a campaign ended.`,
        );
      }
      const content = Buffer.from((await Array.fromAsync(pieces)).join(''));
      await context.files.share(
        { userId: user.userId },
        { name, content, comment: mrkdwn`*${campaign.name}* · ${comment}`.source },
      );
      await replace(
        notice(
          'A file',
          section(mrkdwn`:white_check_mark: *${name}* is in your messages with Switchboard, for you alone.`),
        ),
      );
    });
  }

  for (const [actionId, which] of [
    [campaignActions.retryRejected, 'rejected'],
    [campaignActions.retryUnconfirmed, 'unconfirmed'],
  ] as const) {
    router.action(actionId, async (call) => {
      const { user, value: id } = call;
      const replace = await pushModal(call)(
        notice('Send again', section(mrkdwn`:hourglass_flowing_sand: Getting the recipients…`)),
      );
      const retried = await campaigns.retry({ ...userOf(user), id, which });
      await replace(retriedView(user, retried));
    });
  }

  function retriedView(user: User, retried: Awaited<ReturnType<typeof campaigns.retry>>) {
    switch (retried.kind) {
      case 'ready':
        return previews.show(user, retried.preview, undefined);
      case 'started':
        return status(retried.campaign);
      case 'not_connected':
        throw new UserError(mrkdwn`No provider key is connected. Nothing was sent.`);
      case 'faults':
        throw new UserError(mrkdwn`*Nothing was sent.* ${Object.values(retried.faults)}`);
      default:
        return status(campaignOf(retried));
    }
  }

  /** A campaign that the person may see and steer. */
  async function theirs(user: User, id: string): Promise<Campaign> {
    const campaign = await campaigns.find(userOf(user), id);
    if (campaign === undefined) {
      throw new UserError(gone);
    }
    return campaign;
  }
}

function userOf({ workspaceId, userId, role }: User): CampaignUser {
  return { workspaceId, userId, isAdmin: role === 'admin' };
}

/** The campaign as it is after it was steered, whoever did it. */
function campaignOf(steered: SteeringResult): Campaign {
  if (steered.kind === 'gone') {
    throw new UserError(gone);
  }
  return steered.campaign;
}

/** Says the same of a campaign of another's, so that its id alone tells nothing. */
const gone = mrkdwn`This campaign is not there any more, or is not yours: its author can do this, and admins of this workspace. Nothing was done.`;
