import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import type { Charges } from '../../../../services/costs/charges.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { context, section } from '../../../block-kit/build.ts';
import { type MessageBlock, message, type SlackMessage } from '../../../block-kit/message.ts';
import { campaignIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn, userMention } from '../../../block-kit/text.ts';
import { headline, statusBlocks, statusButtonRows } from '../status/status-view.ts';
import { deliveryBlocks } from './delivery-blocks.ts';

/** The message with a campaign's progress, and its result in the end. In a channel it is without balance and costs. */
export function campaignStatusMessage(
  campaign: Campaign,
  throughput: CampaignThroughput,
  { charges, canAsk = false }: { charges?: Charges | undefined; canAsk?: boolean } = {},
): SlackMessage<MessageBlock> {
  const { balance: _, ...withoutBalance } = campaign;
  const isChannel = campaign.channelId !== undefined;
  const shown = isChannel ? withoutBalance : campaign;
  return message<MessageBlock>(mrkdwn`${campaign.name}: ${headline(campaign)}`, [
    ...statusBlocks(shown, throughput, isChannel ? undefined : charges),
    ...deliveryBlocks(campaign),
    ...statusButtonRows(shown, canAsk),
  ]);
}

/** What becomes of the message of a scheduled campaign that is a draft again, or is discarded. */
export function unscheduledMessage({ name, createdBy }: Campaign): SlackMessage {
  const text = mrkdwn`*${name}*\n${campaignIcons.ready} *No longer scheduled.* Nothing was sent.`;
  return message(text, [section(text), context(mrkdwn`By ${userMention(createdBy)}`)]);
}
