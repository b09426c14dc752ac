import type { KnownBlock, ModalView } from '@slack/types';
import { writeCampaignId } from '../../../services/history/history.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { actions, button, context, header, lines, notice, present, section } from '../../block-kit/build.ts';
import { pauseReason } from '../../block-kit/descriptions/campaign-counts.ts';
import { brief } from '../../block-kit/limits.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation, ToolContent } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { campaignActions } from './actions.ts';
import { registerFollowUps } from './form/follow-up.ts';
import { registerCampaignForm } from './form/form.ts';
import { forMessages } from './message.ts';
import { registerPreflight } from './review/preflight.ts';
import { registerReviews, reviewAgain } from './review/review.ts';
import { registerSplit } from './review/split.ts';
import { waitingHeadline } from './status/campaign-state.ts';
import { findCampaign, statusView, waitingRequest } from './status/campaign-status.ts';
import { registerResultFiles } from './status/result-files.ts';
import { headline, statusBlocks, statusLines } from './status/status-view.ts';
import { registerSteering } from './status/steering.ts';

/** Messages to many recipients: form, import, review, progress, result. */
export function registerCampaigns(router: Router, context: AppContext): void {
  const { navigation } = context;
  const ofMessages = forMessages(router, context);
  registerCampaignForm(router, context);
  registerFollowUps(router, context);
  registerReviews(ofMessages, context);
  registerPreflight(router, ofMessages, context);
  registerSplit(router, context);
  registerSteering(ofMessages, context);
  registerResultFiles(router, context);

  router.action(openActions.campaigns, 'send', async ({ user, show }) => {
    await show(await navigation.campaigns(user));
  });

  // The user's own draft opens as its review, any other campaign as its status.
  ofMessages.action(openActions.campaign, 'campaign', async ({ user, value: id, push }) => {
    const campaign = await findCampaign(context, user, id);
    const isDraft = campaign.state === 'ready';
    const approval = isDraft ? await waitingRequest(context, campaign) : undefined;
    if (approval !== undefined) {
      await push(navigation.approval(user, approval));
      return;
    }
    const isReview = isDraft && campaign.createdBy === user.userId;
    await push(await (isReview ? reviewAgain(context, user, { id }) : statusView(context, campaign)));
  });

  ofMessages.action(campaignActions.refresh, 'campaign', async ({ user, value, view }) => {
    await view?.replace(await statusView(context, await findCampaign(context, user, value)));
  });
}

const scheduledStates = ['scheduled', 'repeating'] as const;
const activeStates = ['reading', 'running', 'paused'] as const;
const overStates = ['missed', 'done', 'cancelled'] as const;
/** Each of the scheduled and of the active ones. */
const maxActive = 25;
/** Each takes two blocks of the hundred that a modal may have. */
const maxDrafts = 15;
const maxOver = 10;

/** The list of a user's campaigns; an admin sees everyone's, and who may only send messages those for later. */
export function createCampaignList({
  services: { campaigns },
}: Pick<AppContext, 'services'>): Navigation['campaigns'] {
  return async ({ workspaceId, userId, permissions }) => {
    const isAdmin = permissions.has('administer');
    const hasCampaigns = permissions.has('campaign');
    const query = {
      ...{ workspaceId, userId: isAdmin ? undefined : userId },
      isMessage: hasCampaigns ? undefined : (true as const),
    };
    const [scheduled, active, drafts, over] = await Promise.all([
      campaigns.listRecent({ ...query, states: scheduledStates, limit: maxActive }),
      campaigns.listRecent({ ...query, states: activeStates, limit: maxActive }),
      campaigns.listRecent({ ...query, states: ['ready'], limit: maxDrafts }),
      campaigns.listRecent({ ...query, states: overStates, limit: maxOver }),
    ]);
    const listed = { scheduled, active, drafts, over };
    const ids = Object.values(listed).flatMap((group) => group.map(({ id }) => id));
    const waiting = await campaigns.approvals.waitingFor(workspaceId, ids);
    return campaignListView(listed, { isAdmin, hasCampaigns }, new Set(waiting.keys()));
  };
}

/** What is to be sent later says what that is. */
function isLater({ isMessage, state, text }: Campaign): boolean {
  return isMessage === true || (text !== undefined && scheduledStates.some((each) => each === state));
}

/** Why a campaign is paused, in a list; its message says more. */
function pausedLine(campaign: Campaign): Markup | undefined {
  const reason = pauseReason(campaign);
  return reason === undefined ? undefined : mrkdwn`Reason: ${reason}`;
}

/** With more of them, each is a line. */
const maxInFull = 3;

/** How far the newest campaigns are that have a text in their name, as the viewer may see them. */
export function createCampaignProgress({
  services: { campaigns, costs },
}: AppContext): ToolContent['campaignProgress'] {
  const states = [...scheduledStates, ...activeStates, 'ready', ...overStates] as const;
  const idOf = (campaign: Campaign) => mrkdwn`id \`${writeCampaignId(campaign)}\``;
  return async ({ workspaceId, userId, permissions }, part) => {
    const whose = { workspaceId, userId: permissions.has('administer') ? undefined : userId };
    const recent = await campaigns.listRecent({ ...whose, states, limit: maxActive });
    const found = recent.filter(({ name }) => name.toLowerCase().includes(part.trim().toLowerCase()));
    if (found.length === 0) {
      return [section(part === '' ? mrkdwn`No campaigns yet.` : mrkdwn`No campaign has this name.`)];
    }
    if (found.length > maxInFull) {
      return lines(
        found.map((each) =>
          joinInline(present(mrkdwn`*${brief(each.name)}*`, headline(each), pausedLine(each), idOf(each))),
        ),
      );
    }
    const shown = await Promise.all(
      found.map(async (each) => [
        ...statusBlocks(each, campaigns.throughput(each), await costs.ofCampaign(each)),
        context(idOf(each)),
      ]),
    );
    return shown.flat();
  };
}

/**
 * Scheduled campaigns, active ones, drafts, then the last that are over; each with the newest first.
 *
 * @param waiting the ids of campaigns whose start waits for approval
 */
export function campaignListView(
  {
    scheduled,
    active,
    drafts,
    over,
  }: Readonly<Record<'scheduled' | 'active' | 'drafts' | 'over', readonly Campaign[]>>,
  { isAdmin, hasCampaigns }: { isAdmin: boolean; hasCampaigns: boolean },
  waiting: ReadonlySet<string>,
): ModalView {
  const open = ({ id }: Campaign) => button(openActions.campaign, 'Open', { value: id });
  const line = (campaign: Campaign) => {
    const by = isAdmin ? mrkdwn` · ${userMention(campaign.createdBy)}` : mrkdwn``;
    const lines = present(
      mrkdwn`*${brief(campaign.name)}*`,
      isLater(campaign) && mrkdwn`“${brief(campaign.text ?? '')}”`,
      campaign.bySlackbot && campaign.state === 'ready' && mrkdwn`Drafted by Slackbot`,
      waiting.has(campaign.id) && waitingHeadline,
      ...statusLines(campaign),
      pausedLine(campaign),
      mrkdwn`${campaign.startedAt === undefined ? 'Created' : 'Started'} ${timeFor(campaign.startedAt ?? campaign.createdAt)}${by}`,
    );
    return mrkdwn`${lines}`;
  };
  const opened = (campaign: Campaign) => section(line(campaign), open(campaign));
  const draft = (campaign: Campaign, index: number): KnownBlock[] => {
    const discard = button(campaignActions.discard, 'Discard', { value: campaign.id });
    return [section(line(campaign)), actions(`draft_${index}`, open(campaign), discard)];
  };
  const drafted = [...drafts.flatMap(draft), context(mrkdwn`Drafts are deleted after 7 days.`)];
  const group = (title: string, campaigns: readonly Campaign[], blocks: KnownBlock[]) =>
    campaigns.length === 0 ? [] : [header(title), ...blocks];
  return notice(
    hasCampaigns ? 'Campaigns' : 'Scheduled messages',
    ...(scheduled.length + active.length + drafts.length + over.length === 0
      ? [section(hasCampaigns ? mrkdwn`*No campaigns yet.*` : mrkdwn`*Nothing is scheduled.*`)]
      : []),
    ...group('Scheduled', scheduled, scheduled.map(opened)),
    ...group('Active', active, active.map(opened)),
    ...group('Drafts', drafts, drafted),
    ...group('Recent', over, over.map(opened)),
    actions(
      'campaigns',
      hasCampaigns
        ? button(openActions.campaignForm, 'New campaign', { style: 'primary' })
        : button(openActions.messageForm, 'New message', { style: 'primary' }),
    ),
    context(
      isAdmin
        ? mrkdwn`Everyone’s ${hasCampaigns ? 'campaigns' : 'messages'}, because you’re an admin.`
        : mrkdwn`Only your ${hasCampaigns ? 'campaigns' : 'messages'}. Admins see everyone’s.`,
    ),
  );
}
