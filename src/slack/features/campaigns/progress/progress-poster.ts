import type { Log } from '../../../../lib/log.ts';
import type { CampaignService } from '../../../../services/campaigns/campaign-service.ts';
import type { Charges } from '../../../../services/costs/charges.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import type { Notice } from '../../../../store/outbox/notices.ts';
import type { Outbox } from '../../../../store/outbox/outbox.ts';
import type { MessageBlock, SlackMessage } from '../../../block-kit/message.ts';
import type { Markup } from '../../../block-kit/text.ts';
import { MaybePostedError, type Posting } from '../../../client/posting.ts';
import { sendWithFallback } from '../../../client/send-with-fallback.ts';
import { isPermanentError } from '../../../client/slack-errors.ts';
import type { WorkspaceClients } from '../../../client/workspace-clients.ts';
import { deliverNotice, remarksOn, withRemarks } from '../../../notifier/deliver-notice.ts';
import { campaignStatusMessage, unscheduledMessage } from './campaign-messages.ts';

/** Where a campaign's message is. */
export interface MessagePlacement {
  message?: { channel: string; ts: string } | undefined;
  /** Whether Slack refused to post it to the campaign's creator. */
  refused?: boolean | undefined;
}

/**
 * Shows a campaign in its message. All throw if it should be tried again.
 */
export interface ProgressPoster {
  /**
   * Updates the message, or posts one if there is none: in the channel that was chosen, else to the creator. The
   * placement is updated.
   */
  show(placement: MessagePlacement, campaign: Campaign, notice: Notice): Promise<void>;
  /** Updates the message with what was reported since it ended. One that is gone stays so. */
  showReports(campaign: Campaign): Promise<void>;
  /** Updates the message of a campaign that is a draft again, if it has one: its last update. */
  showUnscheduled(placement: MessagePlacement, campaign: Campaign): Promise<void>;
}

export function createProgressPoster(context: {
  clients: WorkspaceClients;
  posting: Posting;
  campaigns: CampaignService;
  /** Returns what was charged for a campaign so far. */
  charged: (campaign: Campaign) => Promise<Charges | undefined>;
  /** Whether the provider can be asked what became of messages. */
  canAsk: boolean;
  outbox: Outbox;
  log: Log;
}): ProgressPoster {
  const { clients, posting, campaigns, charged, canAsk, outbox, log } = context;

  /** Returns false if the message, or its channel, does not exist any more. */
  async function update(
    { workspaceId }: Campaign,
    { channel, ts }: { channel: string; ts: string },
    content: SlackMessage<MessageBlock>,
  ): Promise<boolean> {
    const client = await clients.for(workspaceId);
    try {
      await sendWithFallback(content, (attempt) => client.chat.update({ channel, ts, ...attempt }), log);
      return true;
    } catch (error) {
      if (isPermanentError(error)) {
        return false;
      }
      throw error;
    }
  }

  async function show(placement: MessagePlacement, campaign: Campaign, notice: Notice): Promise<void> {
    const charges = await charged(campaign);
    const content = (remarks: readonly Markup[]) =>
      withRemarks(
        campaignStatusMessage(campaign, campaigns.throughput(campaign), { charges, canAsk }),
        remarks,
      );
    const posted = campaign.message ?? placement.message;
    if (posted !== undefined) {
      const remarks = posted.channel === notice.channelId ? [] : remarksOn(notice);
      if (await update(campaign, posted, content(remarks))) {
        return;
      }
    }
    const attempted = await deliverNotice(notice, {
      record: (known) => outbox.record(notice, known),
      async post(channelId, remarks) {
        const destination = channelId ?? (await posting.openConversation(notice.workspaceId, notice.userId));
        const { channel, ts } = await posting.postMessage(notice.workspaceId, destination, content(remarks));
        if (ts !== undefined) {
          const message = { channel, ts };
          placement.message = message;
          await campaigns.setProgressMessage(campaign, message).catch((error: unknown) => {
            throw new MaybePostedError(error);
          });
        }
      },
      log,
    });
    placement.refused = attempted === undefined;
    if (attempted !== undefined) {
      await outbox.record(notice, attempted);
    }
  }

  return {
    show,
    async showReports(campaign) {
      if (campaign.message !== undefined) {
        const charges = await charged(campaign);
        const content = campaignStatusMessage(campaign, campaigns.throughput(campaign), { charges, canAsk });
        await update(campaign, campaign.message, content);
      }
    },
    async showUnscheduled(placement, campaign) {
      const posted = placement.message ?? campaign.message;
      if (posted !== undefined) {
        await update(campaign, posted, unscheduledMessage(campaign));
      }
    },
  };
}
