import type { CampaignDeliveries } from '../../../../domain/deliveries/delivery-status.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import type { Charges } from '../../../../services/costs/estimate.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import type { Notice } from '../../../../store/outbox/notices.ts';
import { context, countCell, dataTable, section, shareCell, textCell } from '../../../block-kit/build.ts';
import { deliveryCountWords, failureLine } from '../../../block-kit/descriptions/campaign-counts.ts';
import { type MessageBlock, message, pieChart, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { campaignIcons } from '../../../block-kit/state-icons.ts';
import { joinInline, mrkdwn, userMention } from '../../../block-kit/text.ts';
import type { SlackContext } from '../../../client/slack-context.ts';
import { isOver } from '../status/campaign-state.ts';
import { headline, statusBlocks, statusButtonRows } from '../status/status-view.ts';

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

const noReason = 'no reason given';
/** Reasons with rows of their own. */
const maxReasons = 20;

/** What became of an ended campaign's recipients, as a chart and a table that the reader can sort, once any was reported. */
function deliveryBlocks(campaign: Campaign): MessageBlock[] {
  const { deliveries, counts } = campaign;
  if (deliveries === undefined || !isOver(campaign)) {
    return [];
  }
  const rows = outcomeRows(deliveries, counts);
  const total = rows.reduce((sum, [, , recipients]) => sum + recipients, 0);
  return [
    ...pieChart('Recipients by outcome', shares(deliveries, counts)),
    dataTable(
      'Recipients by outcome',
      ['Outcome', 'Reason', 'Recipients', 'Share'],
      rows.map(([outcome, reason, recipients]) => [
        textCell(outcome),
        textCell(reason),
        countCell(recipients),
        shareCell(recipients / total),
      ]),
    ),
  ];
}

function shares(
  { delivered, onTheWay, failed, other, waiting }: CampaignDeliveries,
  { rejected, unconfirmed }: Campaign['counts'],
) {
  return [
    { label: 'Delivered', value: delivered },
    { label: 'Not delivered', value: failed.reduce((sum, { recipients }) => sum + recipients, 0) },
    { label: 'No outcome yet', value: onTheWay + waiting },
    { label: 'Another status', value: other },
    { label: 'Rejected', value: rejected },
    { label: 'Unconfirmed', value: unconfirmed },
  ];
}

type OutcomeRow = readonly [outcome: string, reason: string, recipients: number];

function outcomeRows(
  { delivered, onTheWay, failed, other, waiting }: CampaignDeliveries,
  { rejected, unconfirmed }: Campaign['counts'],
): OutcomeRow[] {
  const rest = failed.slice(maxReasons).reduce((sum, { recipients }) => sum + recipients, 0);
  const rows: OutcomeRow[] = [
    ['Delivered', '', delivered],
    ...failed
      .slice(0, maxReasons)
      .map(({ reason, recipients }): OutcomeRow => ['Not delivered', reason ?? noReason, recipients]),
    ['Not delivered', 'other reasons', rest],
    ['On the way', '', onTheWay],
    ['Another status', '', other],
    ['No report yet', '', waiting],
    ['Rejected', '', rejected],
    ['Unconfirmed', '', unconfirmed],
  ];
  return rows.filter(([, , recipients]) => recipients > 0);
}

const sources = { report: 'the provider’s delivery reports', history: 'the provider’s history' } as const;

/** Returns a function that tells a campaign’s user how recipients ended that were unconfirmed, as it is known now. */
export function createResolvedRecipientsMessage({
  services: { campaigns },
}: SlackContext): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, subjectId }) => {
    const campaign = await campaigns.findAny(workspaceId, subjectId);
    const resolved = campaign && (await campaigns.resolvedOf(campaign));
    if (campaign === undefined || resolved === undefined || resolved.resolved === 0) {
      const text = mrkdwn`Recipients of a campaign that were unconfirmed have an outcome.`;
      return message(text, [section(text)]);
    }
    const { unconfirmed } = campaign.counts;
    const from = resolved.sources.map((source) => sources[source]).join(' and ');
    const failures = failureLine(resolved);
    const text = mrkdwn`*${campaign.name}:* ${pluralize(resolved.resolved, 'recipient')} that ${resolved.resolved === 1 ? 'was' : 'were'} unconfirmed ${resolved.resolved === 1 ? 'is' : 'are'} *accepted* after all, known from ${from}.`;
    return message(text, [
      section(text),
      section(joinInline(deliveryCountWords(resolved))),
      context(
        ...(failures === undefined ? [] : [failures]),
        unconfirmed === 0
          ? mrkdwn`None is unconfirmed any more.`
          : mrkdwn`${formatCount(unconfirmed)} still unconfirmed. The campaign’s summary changes when more is known.`,
      ),
    ]);
  };
}
