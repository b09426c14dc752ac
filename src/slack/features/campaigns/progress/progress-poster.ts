import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import type { Notice } from '../../../../store/outbox/notices.ts';
import type { MessageBlock, SlackMessage } from '../../../block-kit/message.ts';
import { MaybePostedError } from '../../../client/posting.ts';
import type { SlackContext } from '../../../client/slack-context.ts';
import { updateMessage } from '../../../client/update-message.ts';
import { deliverNotice, remarksOn, withRemarks } from '../../../notifier/deliver-notice.ts';
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
  const { posting, services, store, log } = context;
  const content = await contentOf(context, campaign);
  const posted = campaign.message ?? placement.message;
  if (posted !== undefined) {
    const remarks = posted.channel === notice.channelId ? [] : remarksOn(notice);
    if (await updateMessage(context, campaign.workspaceId, posted, withRemarks(content, remarks))) {
      return;
    }
  }
  const attempted = await deliverNotice(notice, {
    record: (known) => store.outbox.record(notice, known),
    async post(channelId, remarks) {
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
    },
    log,
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
