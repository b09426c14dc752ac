import type { CostEstimate } from '../../../services/costs/costs.ts';
import { formatMoney, pluralize } from '../plural.ts';
import { type Markup, mrkdwn } from '../text.ts';
import { describeBalance } from './balance.ts';

/** What a message will probably cost, and what the balance is enough for. For the sender alone. */
export function describeCost(estimate: CostEstimate): Markup {
  const cost =
    estimate.kind === 'unknown'
      ? mrkdwn`Cost: not known yet`
      : mrkdwn`Cost: about ${formatMoney(estimate.total)} (${formatMoney(estimate.perPage)} a page, from earlier sends)`;
  const { balance } = estimate;
  if (balance === undefined) {
    return cost;
  }
  const enough =
    estimate.kind === 'unknown' || estimate.enoughFor === undefined
      ? mrkdwn``
      : mrkdwn`: enough for about ${pluralize(estimate.enoughFor, 'page')}`;
  return mrkdwn`${cost} · balance ${describeBalance(balance)}${enough}`;
}
