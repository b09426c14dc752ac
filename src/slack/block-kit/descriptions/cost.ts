import { isBilledByPage, type Route } from '../../../domain/messages/routes.ts';
import type { CostEstimate } from '../../../services/costs/costs.ts';
import { formatMoney, pluralize } from '../plural.ts';
import { type Markup, mrkdwn } from '../text.ts';
import { describeBalance } from './balance.ts';

/**
 * What a message will probably cost, and what the balance is enough for. Pages are named only where the route is billed
 * by them. For the sender alone.
 */
export function describeCost(estimate: CostEstimate, route: Route): Markup {
  const byPage = isBilledByPage(route);
  const cost = describeTotal(estimate, byPage);
  const { balance } = estimate;
  if (balance === undefined) {
    return cost;
  }
  const enough =
    estimate.kind === 'unknown' || estimate.enoughFor === undefined || !byPage
      ? mrkdwn``
      : mrkdwn`: enough for about ${pluralize(estimate.enoughFor, 'page')}`;
  return mrkdwn`${cost} · balance ${describeBalance(balance)}${enough}`;
}

function describeTotal(estimate: CostEstimate, byPage: boolean): Markup {
  if (estimate.kind === 'unknown') {
    return mrkdwn`Cost: not known yet`;
  }
  const source = estimate.isRecent ? 'from the last 30 days' : 'from earlier sends';
  const perPage = byPage
    ? mrkdwn` (${formatMoney(estimate.perPage)} a page, ${source})`
    : mrkdwn`, ${source}`;
  return mrkdwn`Cost: about ${formatMoney(estimate.total)}${perPage}`;
}
