import type { KnownBlock, ModalView } from '@slack/types';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { actions, button, context, header, notice, present, section } from '../../block-kit/build.ts';
import { campaignDeliveryLine } from '../../block-kit/descriptions/campaign-counts.ts';
import { brief } from '../../block-kit/limits.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { campaignActions, openCampaignAction } from './actions.ts';
import { headline } from './status/status-view.ts';
import { waitingHeadline } from './status/steering-texts.ts';

const activeStates = ['reading', 'scheduled', 'running', 'paused'] as const;
const overStates = ['missed', 'done', 'cancelled'] as const;
const maxActive = 30;
/** Each takes two blocks of the hundred that a modal may have. */
const maxDrafts = 15;
const maxOver = 10;

export type ListedCampaigns = Readonly<Record<'active' | 'drafts' | 'over', readonly Campaign[]>>;

/** The list of a user's campaigns; an admin sees everyone's. */
export function createCampaignList({
  services: { campaigns },
}: Pick<AppContext, 'services'>): Navigation['campaigns'] {
  return async ({ workspaceId, userId, permissions }) => {
    const isAdmin = permissions.has('administer');
    const query = { workspaceId, userId: isAdmin ? undefined : userId };
    const [active, drafts, over] = await Promise.all([
      campaigns.listRecent({ ...query, states: activeStates, limit: maxActive }),
      campaigns.listRecent({ ...query, states: ['ready'], limit: maxDrafts }),
      campaigns.listRecent({ ...query, states: overStates, limit: maxOver }),
    ]);
    const listed = [...active, ...drafts, ...over];
    const waiting = await campaigns.approvals.waitingFor(
      workspaceId,
      listed.map(({ id }) => id),
    );
    return campaignListView({ active, drafts, over }, isAdmin, new Set(waiting.keys()));
  };
}

/** Those that go on, the drafts, then the last that are over; the newest first. */
export function campaignListView(
  { active, drafts, over }: ListedCampaigns,
  everyones: boolean,
  /** The ids of those whose start waits for approval. */
  waiting: ReadonlySet<string> = new Set(),
): ModalView {
  const line = (campaign: Campaign) =>
    campaignLine(campaign, { withCreator: everyones, isWaiting: waiting.has(campaign.id) });
  const opened = (campaign: Campaign) =>
    section(line(campaign), button(openCampaignAction, 'Open', { value: campaign.id }));
  return notice(
    'Campaigns',
    ...(active.length + drafts.length + over.length === 0 ? [section(mrkdwn`*No campaigns yet.*`)] : []),
    ...(active.length === 0 ? [] : [header('Active and scheduled'), ...active.map(opened)]),
    ...(drafts.length === 0
      ? []
      : [
          header('Drafts'),
          ...drafts.flatMap((draft, index) => [section(line(draft)), draftButtons(draft, index)]),
          context(mrkdwn`Drafts are deleted after a day.`),
        ]),
    ...(over.length === 0 ? [] : [header('Recent'), ...over.map(opened)]),
    actions('campaigns', button(openActions.campaignForm, 'New campaign', { style: 'primary' })),
    context(
      everyones
        ? mrkdwn`Everyone’s, since you are an admin of this workspace.`
        : mrkdwn`Yours. Admins of this workspace see everyone’s.`,
    ),
  );
}

function campaignLine(
  campaign: Campaign,
  { withCreator, isWaiting }: { withCreator: boolean; isWaiting: boolean },
): Markup {
  const by = withCreator ? mrkdwn` · ${userMention(campaign.createdBy)}` : mrkdwn``;
  const state = isWaiting ? mrkdwn`${waitingHeadline}\n${headline(campaign)}` : headline(campaign);
  const when = mrkdwn`${timeFor(campaign.startedAt ?? campaign.createdAt)}${by}`;
  const delivered = campaignDeliveryLine(campaign.deliveries);
  return mrkdwn`${present(mrkdwn`*${brief(campaign.name)}*`, state, delivered, when)}`;
}

function draftButtons({ id }: Campaign, index: number): KnownBlock {
  return actions(
    `draft_${index}`,
    button(openCampaignAction, 'Open', { value: id }),
    button(campaignActions.discard, 'Discard', { value: id }),
  );
}
