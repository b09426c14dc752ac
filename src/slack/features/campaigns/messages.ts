import type { WebClient } from '@slack/web-api';
import type { Log } from '../../../lib/log.ts';
import type { CampaignService } from '../../../services/campaigns/campaign-service.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Notice, Outbox } from '../../../store/outbox/outbox.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import type { Markup } from '../../block-kit/text.ts';
import { isAboutContent, isRefusal, MaybePostedError, type Posting } from '../../client/posting.ts';
import { deliverNotice, remarksOn, withRemarks } from '../../notifier/deliver-notice.ts';
import { campaignStatusMessage } from './status-view.ts';

/** Where a campaign's message has come to stand. */
export interface MessagePlacement {
  message?: { channel: string; ts: string } | undefined;
  /** Whether Slack refused to show it to its author. */
  refused?: boolean;
}

/** The one message of each campaign. What throws is to be tried again. */
export function createCampaignMessages(context: {
  client: WebClient;
  posting: Posting;
  campaigns: CampaignService;
  outbox: Outbox;
  log: Log;
}) {
  const { client, posting, campaigns, outbox, log } = context;

  /** Changes the message that is there, else posts one: where it was wanted, else to the author. */
  async function show(place: MessagePlacement, campaign: Campaign, notice: Notice): Promise<void> {
    const content = (remarks: readonly Markup[]) =>
      withRemarks(campaignStatusMessage(campaign, campaigns.throughput(campaign)), remarks);
    const stands = place.message ?? campaign.message;
    if (stands !== undefined) {
      const remarks = stands.channel === notice.channelId ? [] : remarksOn(notice);
      if (await update(stands, content(remarks))) {
        return;
      }
    }
    const attempted = await deliverNotice(notice, {
      record: (known) => outbox.record(notice, known),
      async post(channelId, remarks) {
        const channel = channelId ?? (await posting.conversationWith(notice.userId));
        const posted = await posting.postIn(channel, content(remarks));
        if (posted.ts !== undefined) {
          place.message = { channel: posted.channel, ts: posted.ts };
          await campaigns.setProgressMessage(campaign, place.message).catch((error: unknown) => {
            throw new MaybePostedError(error);
          });
        }
      },
      log,
    });
    place.refused = attempted === undefined;
    if (attempted !== undefined) {
      await outbox.record(notice, attempted);
    }
  }

  /** False: the message, or its channel, is not there any more. */
  async function update(
    { channel, ts }: { channel: string; ts: string },
    content: SlackMessage,
  ): Promise<boolean> {
    try {
      await client.chat.update({ channel, ts, ...content });
      return true;
    } catch (error) {
      if (isAboutContent(error)) {
        log.error({ err: error }, 'Slack does not take the blocks of a message: it is changed to plain text');
        await client.chat.update({ channel, ts, text: content.text, blocks: [] });
        return true;
      }
      if (isRefusal(error)) {
        return false;
      }
      throw error;
    }
  }

  return { show };
}
