import type { CampaignDeliveries } from '../../../../domain/deliveries/campaign-deliveries.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { countCell, dataTable, shareCell, textCell } from '../../../block-kit/build.ts';
import { pieChart } from '../../../block-kit/chart.ts';
import type { MessageBlock } from '../../../block-kit/message.ts';
import { isOver } from '../status/campaign-state.ts';

const noReason = 'no reason given';
/** Reasons with rows of their own. */
const maxReasons = 20;

/** What became of an ended campaign's recipients, as a chart and a table that the reader can sort, once any was reported. */
export function deliveryBlocks(campaign: Campaign): MessageBlock[] {
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
