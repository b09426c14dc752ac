import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import type { Notice, NoticeKey } from '../../../../store/outbox/notices.ts';
import { section } from '../../../block-kit/build.ts';
import { type MessageBlock, message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn, userMention } from '../../../block-kit/text.ts';
import { MaybePostedError } from '../../../client/posting.ts';
import type { SlackContext } from '../../../client/slack-context.ts';
import { updateMessage } from '../../../client/update-message.ts';
import { deliverNotice, remarksOn, withRemarks } from '../../../notifier/notices.ts';
import { endedUnseen, isEmptied, needsAttention, whyRemoved } from '../status/campaign-state.ts';
import { campaignStatusMessage, unscheduledMessage } from './campaign-messages.ts';

/** Where a campaign's message is. */
export interface MessagePlacement {
  message?: { channel: string; ts: string } | undefined;
  /** Whether Slack refused to post it to the campaign's creator. */
  refused?: boolean | undefined;
}

/**
 * Updates the message of a campaign, or posts one if there is none: in the channel that was chosen, else to the creator.
 * The placement is updated. Throws if it should be tried again.
 */
export async function showCampaign(
  context: SlackContext,
  placement: MessagePlacement,
  campaign: Campaign,
  notice: Notice,
): Promise<void> {
  const { posting, services, store } = context;
  const content = await contentOf(context, campaign);
  const posted = campaign.message ?? placement.message;
  if (posted !== undefined) {
    const remarks = posted.channel === notice.channelId ? [] : remarksOn(notice);
    if (await updateMessage(context, campaign.workspaceId, posted, withRemarks(content, remarks))) {
      return;
    }
  }
  const attempted = await deliverNotice(context, notice, async (channelId, remarks) => {
    const { workspaceId, userId } = notice;
    const destination = channelId ?? (await posting.openConversation(workspaceId, userId));
    const shown = withRemarks(content, remarks);
    const { channel, ts } = await posting.postMessage(workspaceId, destination, shown);
    if (ts !== undefined) {
      const message = { channel, ts };
      placement.message = message;
      await services.campaigns.setProgressMessage(campaign, message).catch((error: unknown) => {
        throw new MaybePostedError(error);
      });
    }
  });
  placement.refused = attempted === undefined;
  if (attempted !== undefined) {
    await store.outbox.record(notice, attempted);
  }
}

/** Updates the message with what was reported since it ended. One that is gone stays so. Throws if it should be tried again. */
export async function showReports(context: SlackContext, campaign: Campaign): Promise<void> {
  if (campaign.message !== undefined) {
    const content = await contentOf(context, campaign);
    await updateMessage(context, campaign.workspaceId, campaign.message, content);
  }
}

/** Updates the message of a campaign that is a draft again, if it has one, for the last time. Throws as `showReports` does. */
export async function showUnscheduled(
  context: SlackContext,
  placement: MessagePlacement,
  campaign: Campaign,
): Promise<void> {
  const posted = placement.message ?? campaign.message;
  if (posted !== undefined) {
    await updateMessage(context, campaign.workspaceId, posted, unscheduledMessage(campaign));
  }
}

async function contentOf(
  { services: { campaigns, costs, providerHistory } }: SlackContext,
  campaign: Campaign,
): Promise<SlackMessage<MessageBlock>> {
  const charges = await costs.ofCampaign(campaign);
  const canAsk = providerHistory.isOn;
  return campaignStatusMessage(campaign, campaigns.throughput(campaign), { charges, canAsk });
}

type CampaignRef = Pick<Campaign, 'workspaceId' | 'id'>;

/**
 * Adds a notice of a campaign's end for its creator to the outbox: an update of the progress message notifies nobody, a
 * reply to it does. A notice of a pause is added by the store, with the pause.
 */
export function addCreatorNotice({ store: { outbox } }: SlackContext, campaign: Campaign): Promise<void> {
  return outbox.add({ ...keyOf(campaign), userId: campaign.createdBy, channelId: campaign.channelId });
}

/** Delivers the notice in the outbox, if there is one, as the campaign is now. */
export async function notifyCreator(context: SlackContext, { workspaceId, id }: CampaignRef): Promise<void> {
  const { services, store, log } = context;
  const campaign = await services.campaigns.findAny(workspaceId, id);
  if (campaign === undefined) {
    return;
  }
  try {
    await store.outbox.deliver(keyOf(campaign), async (notice) => {
      // Nothing to say: somebody has resumed or cancelled it meanwhile, or the notice of restored data covers it.
      if (endedUnseen(campaign) || (needsAttention(campaign) && !isHeld(campaign))) {
        await post(context, campaign, notice);
      }
    });
  } catch (error) {
    log.warn({ err: error, campaign: id }, 'a creator is notified of a pause or an end later');
  }
}

async function post(context: SlackContext, campaign: Campaign, notice: Notice): Promise<void> {
  const { posting } = context;
  const { workspaceId, createdBy, name, message: progressMessage } = campaign;
  // Without a message to reply to in the channel, the creator gets a direct message.
  const channelId = progressMessage?.channel === notice.channelId ? notice.channelId : undefined;
  const change = describeChange(campaign);
  const reply = mrkdwn`${userMention(createdBy)} Your campaign ${change}.`;
  const ownMessage = mrkdwn`*${name}*: your campaign ${change}.`;
  await deliverNotice(context, { ...notice, channelId }, async (postIn, remarks) => {
    const repliedTo = postIn === channelId ? progressMessage : undefined;
    const destination = repliedTo?.channel ?? (await posting.openConversation(workspaceId, createdBy));
    const text = repliedTo === undefined ? ownMessage : reply;
    const content = withRemarks(message(text, [section(text)]), remarks);
    await posting.postMessage(workspaceId, destination, content, repliedTo && { ts: repliedTo.ts });
  });
}

function keyOf({ workspaceId, id }: CampaignRef): NoticeKey {
  return { workspaceId, subject: 'campaign_news', subjectId: id };
}

function describeChange(campaign: Campaign): string {
  const { state, counts, pause } = campaign;
  if (isEmptied(campaign)) {
    return `has ended: no recipients left, all of them ${whyRemoved(counts)}`;
  }
  if (state === 'missed') {
    return 'missed its start. Nothing was sent';
  }
  if (state === 'paused') {
    const reason = pauseReasons[pause?.error?.reason ?? ''];
    return reason === undefined ? 'is paused' : `is paused: ${reason}`;
  }
  return `is done: ${formatCount(counts.accepted)} of ${pluralize(counts.recipients, 'recipient')} accepted`;
}

/** By the reason of the pause's error. */
const pauseReasons: Readonly<Record<string, string>> = {
  balance_too_low: 'balance too low',
  bad_key: 'the provider key isn’t valid',
  not_connected: 'no provider is connected',
  sender_id_unknown: 'sender ID not approved',
  no_route: 'route not activated',
  not_permitted: 'you can no longer send campaigns here. Ask an admin',
  unclear_answers: 'the provider gives no clear answer',
};
