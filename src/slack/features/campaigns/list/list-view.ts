import type { ModalView, SectionBlock } from '@slack/types';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { actions, button, context, header, notice, section } from '../../../block-kit/build.ts';
import { brief } from '../../../block-kit/limits.ts';
import { mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { openCampaignAction } from '../actions.ts';
import { headline } from '../status/status-view.ts';

/** A person's campaigns, or for an admin everyone's, the newest first: those that are not over, then the last that are. */
export function campaignListView(
  { open, over }: { open: readonly Campaign[]; over: readonly Campaign[] },
  { everyones }: { everyones: boolean },
): ModalView {
  const line = campaignLine(everyones);
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

function campaignLine(everyones: boolean) {
  return (campaign: Campaign): SectionBlock => {
    const by = everyones ? mrkdwn` · ${userMention(campaign.createdBy)}` : mrkdwn``;
    return {
      ...section(
        mrkdwn`*${brief(campaign.name)}*\n${headline(campaign)}\n${timeFor(campaign.startedAt ?? campaign.createdAt)}${by}`,
      ),
      accessory: button(openCampaignAction, 'Open', { value: campaign.id }),
    };
  };
}
