import type { KnownBlock, ModalView } from '@slack/types';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { actions, button, context, header, lines, notice, present, section } from '../../block-kit/build.ts';
import { campaignDeliveryLine } from '../../block-kit/descriptions/campaign-counts.ts';
import { brief } from '../../block-kit/limits.ts';
import { mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation, ToolContent } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { campaignActions } from './actions.ts';
import { registerFollowUps } from './form/follow-up.ts';
import { registerCampaignForm } from './form/form.ts';
import { registerPreflight } from './preview/preflight.ts';
import { previewAgain, registerPreviews } from './preview/preview.ts';
import { registerSplit } from './preview/split.ts';
import { waitingHeadline } from './status/campaign-state.ts';
import { findCampaign, statusView, waitingRequest } from './status/campaign-status.ts';
import { registerResultFiles } from './status/result-files.ts';
import { headline, statusBlocks } from './status/status-view.ts';
import { registerSteering } from './status/steering.ts';

/** Messages to many recipients: form, import, preview, progress, result. */
export function registerCampaigns(router: Router, context: AppContext): void {
  const { navigation } = context;
  registerCampaignForm(router, context);
  registerFollowUps(router, context);
  registerPreviews(router, context);
  registerPreflight(router, context);
  registerSplit(router, context);
  registerSteering(router, context);
  registerResultFiles(router, context);

  router.action(openActions.campaigns, 'campaign', async ({ user, show }) => {
    await show(await navigation.campaigns(user));
  });

  // The user's own draft opens as its preview, any other campaign as its status.
  router.action(openActions.campaign, 'campaign', async ({ user, value: id, push }) => {
    const campaign = await findCampaign(context, user, id);
    const isDraft = campaign.state === 'ready';
    const approval = isDraft ? await waitingRequest(context, campaign) : undefined;
    if (approval !== undefined) {
      await push(navigation.approval(user, approval));
      return;
    }
    const isPreview = isDraft && campaign.createdBy === user.userId;
    await push(await (isPreview ? previewAgain(context, user, { id }) : statusView(context, campaign)));
  });

  router.action(campaignActions.refresh, 'campaign', async ({ user, value, view }) => {
    await view?.replace(await statusView(context, await findCampaign(context, user, value)));
  });
}

const activeStates = ['reading', 'scheduled', 'repeating', 'running', 'paused'] as const;
const overStates = ['missed', 'done', 'cancelled'] as const;
const maxActive = 30;
/** Each takes two blocks of the hundred that a modal may have. */
const maxDrafts = 15;
const maxOver = 10;

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
    const ids = [...active, ...drafts, ...over].map(({ id }) => id);
    const waiting = await campaigns.approvals.waitingFor(workspaceId, ids);
    return campaignListView({ active, drafts, over }, isAdmin, new Set(waiting.keys()));
  };
}

/** With more of them, each is a line. */
const maxInFull = 3;

/** How far the newest campaigns are that have a text in their name, as the viewer may see them. */
export function createCampaignProgress({
  services: { campaigns, costs },
}: AppContext): ToolContent['campaignProgress'] {
  const states = [...activeStates, 'ready', ...overStates] as const;
  return async ({ workspaceId, userId, permissions }, part) => {
    const whose = { workspaceId, userId: permissions.has('administer') ? undefined : userId };
    const recent = await campaigns.listRecent({ ...whose, states, limit: maxActive });
    const found = recent.filter(({ name }) => name.toLowerCase().includes(part.trim().toLowerCase()));
    if (found.length === 0) {
      return [section(part === '' ? mrkdwn`No campaigns yet.` : mrkdwn`No campaign has this name.`)];
    }
    if (found.length > maxInFull) {
      return lines(found.map((each) => mrkdwn`*${brief(each.name)}* · ${headline(each)}`));
    }
    const shown = await Promise.all(
      found.map(async (each) => statusBlocks(each, campaigns.throughput(each), await costs.ofCampaign(each))),
    );
    return shown.flat();
  };
}

/**
 * Those that go on, the drafts, then the last that are over; the newest first.
 *
 * @param waiting the ids of those whose start waits for approval
 */
export function campaignListView(
  { active, drafts, over }: Readonly<Record<'active' | 'drafts' | 'over', readonly Campaign[]>>,
  everyones: boolean,
  waiting: ReadonlySet<string>,
): ModalView {
  const open = ({ id }: Campaign) => button(openActions.campaign, 'Open', { value: id });
  const line = (campaign: Campaign) => {
    const by = everyones ? mrkdwn` · ${userMention(campaign.createdBy)}` : mrkdwn``;
    const lines = present(
      mrkdwn`*${brief(campaign.name)}*`,
      waiting.has(campaign.id) && waitingHeadline,
      headline(campaign),
      campaignDeliveryLine(campaign.deliveries),
      mrkdwn`${timeFor(campaign.startedAt ?? campaign.createdAt)}${by}`,
    );
    return mrkdwn`${lines}`;
  };
  const opened = (campaign: Campaign) => section(line(campaign), open(campaign));
  const draft = (campaign: Campaign, index: number): KnownBlock[] => {
    const discard = button(campaignActions.discard, 'Discard', { value: campaign.id });
    return [section(line(campaign)), actions(`draft_${index}`, open(campaign), discard)];
  };
  const drafted = [...drafts.flatMap(draft), context(mrkdwn`Drafts are deleted after a day.`)];
  const group = (title: string, campaigns: readonly Campaign[], blocks: KnownBlock[]) =>
    campaigns.length === 0 ? [] : [header(title), ...blocks];
  return notice(
    'Campaigns',
    ...(active.length + drafts.length + over.length === 0 ? [section(mrkdwn`*No campaigns yet.*`)] : []),
    ...group('Active and scheduled', active, active.map(opened)),
    ...group('Drafts', drafts, drafted),
    ...group('Recent', over, over.map(opened)),
    actions('campaigns', button(openActions.campaignForm, 'New campaign', { style: 'primary' })),
    context(
      everyones
        ? mrkdwn`Everyone’s, since you are an admin of this workspace.`
        : mrkdwn`Yours. Admins of this workspace see everyone’s.`,
    ),
  );
}
