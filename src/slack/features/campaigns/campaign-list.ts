import type { ModalView, SectionBlock } from '@slack/types';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { actions, button, context, header, notice, section } from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { openCampaignAction } from './actions.ts';
import { headline } from './status/status-view.ts';

const openStates = ['reading', 'ready', 'scheduled', 'running', 'paused'] as const;
const overStates = ['done', 'cancelled', 'missed'] as const;
const maxOpen = 30;
const maxOver = 10;

/** The list of a user's campaigns; an admin sees everyone's. */
export function createCampaignList({
  services: { campaigns },
}: Pick<AppContext, 'services'>): Navigation['campaigns'] {
  return async ({ workspaceId, userId, role }) => {
    const isAdmin = role === 'admin';
    const query = { workspaceId, userId: isAdmin ? undefined : userId };
    const [open, over] = await Promise.all([
      campaigns.listRecent({ ...query, states: openStates, limit: maxOpen }),
      campaigns.listRecent({ ...query, states: overStates, limit: maxOver }),
    ]);
    return campaignListView({ open, over }, { everyones: isAdmin });
  };
}

/** Those that are not over, then the last that are; the newest first. */
export function campaignListView(
  { open, over }: { open: readonly Campaign[]; over: readonly Campaign[] },
  { everyones }: { everyones: boolean },
): ModalView {
  const line = (campaign: Campaign) => campaignLine(campaign, everyones);
  return notice(
    'Campaigns',
    ...(open.length + over.length === 0 ? [section(mrkdwn`*No campaigns yet.*`)] : []),
    ...(open.length === 0 ? [] : [header('Under way, or to come'), ...open.map(line)]),
    ...(over.length === 0 ? [] : [header('The last ones'), ...over.map(line)]),
    actions('campaigns', button(openActions.campaignForm, 'Send to many', { style: 'primary' })),
    context(
      everyones
        ? mrkdwn`Everyone’s, since you are an admin of this workspace.`
        : mrkdwn`Yours. Admins of this workspace see everyone’s.`,
    ),
  );
}

function campaignLine(campaign: Campaign, withCreator: boolean): SectionBlock {
  const by = withCreator ? mrkdwn` · ${userMention(campaign.createdBy)}` : mrkdwn``;
  return {
    ...section(
      mrkdwn`*${brief(campaign.name)}*\n${headline(campaign)}\n${timeFor(campaign.startedAt ?? campaign.createdAt)}${by}`,
    ),
    accessory: button(openCampaignAction, 'Open', { value: campaign.id }),
  };
}
