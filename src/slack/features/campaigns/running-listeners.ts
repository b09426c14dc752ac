import type { CampaignFile, Steering } from '../../../services/campaigns/campaigns.ts';
import type { CampaignUser } from '../../../services/operations/ownership.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { notice, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Asker, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { above, here } from '../../middleware/show.ts';
import { campaignActions, openCampaignAction, openCampaignsAction } from '../../navigation/campaigns.ts';
import { createCampaignList } from './list.ts';
import type { Previews } from './preview.ts';
import { statusView } from './status-view.ts';

const files: { which: CampaignFile; actionId: string; name: string; comment: string }[] = [
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
export function listenToCampaignsRunning(listening: Listening, tools: Tools, previews: Previews): void {
  const { services } = tools;
  const { campaigns } = services;

  const status = (campaign: Campaign) => statusView(campaign, campaigns.pace(campaign));

  const listOf = createCampaignList(tools);

  listening.action(openCampaignsAction, async (call) => {
    await here(call)(await listOf(call.asker));
  });

  listening.action(openCampaignAction, async (call) => {
    const { asker, value: id } = call;
    const campaign = await theirs(asker, id);
    const isPreview = campaign.state === 'ready' && campaign.author === asker.personId;
    const view = isPreview ? await previews.again(asker, { id }) : status(campaign);
    await above(call)(view);
  });

  listening.action(campaignActions.refresh, async ({ asker, value, view }) => {
    await view?.replace(status(await theirs(asker, value)));
  });

  const steering = {
    [campaignActions.pause]: campaigns.pause,
    [campaignActions.resume]: campaigns.resume,
    [campaignActions.cancel]: campaigns.cancel,
  };
  for (const [actionId, steer] of Object.entries(steering)) {
    listening.action(actionId, async ({ asker, value, view }) => {
      const steered = await steer({ ...userOf(asker), id: value });
      const campaign = campaignOf(steered);
      if (view !== undefined) {
        await view.replace(status(campaign));
      } else if (steered.kind === 'too_late') {
        throw new Refusal(mrkdwn`It is past that: the campaign has ended, or somebody was quicker.`);
      }
    });
  }

  for (const { which, actionId, name, comment } of files) {
    listening.action(actionId, async (call) => {
      const { asker, value: id } = call;
      const campaign = await theirs(asker, id);
      const replace = await above(call)(
        notice('A file', section(mrkdwn`:hourglass_flowing_sand: Writing *${name}*…`)),
      );
      const pieces = await campaigns.file({ ...userOf(asker), id, which });
      if (pieces === undefined) {
        throw new Refusal(
          mrkdwn`There is nothing to be in this file. Numbers are deleted some time after a campaign ended.`,
        );
      }
      const content = Buffer.from((await Array.fromAsync(pieces)).join(''));
      await tools.files.share(
        { personId: asker.personId },
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
    listening.action(actionId, async (call) => {
      const { asker, value: id } = call;
      const replace = await above(call)(
        notice('Send again', section(mrkdwn`:hourglass_flowing_sand: Getting the recipients…`)),
      );
      const retried = await campaigns.retry({ ...userOf(asker), id, which });
      await replace(retriedView(asker, retried));
    });
  }

  function retriedView(asker: Asker, retried: Awaited<ReturnType<typeof campaigns.retry>>) {
    switch (retried.kind) {
      case 'ready':
        return previews.show(asker, retried.preview, undefined);
      case 'started':
        return status(retried.campaign);
      case 'not_connected':
        throw new Refusal(mrkdwn`No provider key is connected. Nothing was sent.`);
      case 'faults':
        throw new Refusal(mrkdwn`*Nothing was sent.* ${Object.values(retried.faults)}`);
      default:
        return status(campaignOf(retried));
    }
  }

  /** A campaign that the person may see and steer. */
  async function theirs(asker: Asker, id: string): Promise<Campaign> {
    const campaign = await campaigns.find(userOf(asker), id);
    if (campaign === undefined) {
      throw new Refusal(gone);
    }
    return campaign;
  }
}

function userOf({ workspaceId, personId, role }: Asker): CampaignUser {
  return { workspaceId, personId, isAdmin: role === 'admin' };
}

/** The campaign as it is after it was steered, whoever did it. */
function campaignOf(steered: Steering): Campaign {
  if (steered.kind === 'gone') {
    throw new Refusal(gone);
  }
  return steered.campaign;
}

/** Says the same of a campaign of another's, so that its id alone tells nothing. */
const gone = mrkdwn`This campaign is not there any more, or is not yours: its author can do this, and admins of this workspace. Nothing was done.`;
