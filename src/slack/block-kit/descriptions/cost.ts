import { describeCountry, noCountry } from '../../../domain/limits/number-country.ts';
import { isBilledByPage, type Route } from '../../../domain/messages/routes.ts';
import { unknownCountry } from '../../../domain/money/country-pages.ts';
import { isCountry } from '../../../domain/phone/countries.ts';
import type { CostEstimate } from '../../../services/costs/costs.ts';
import { formatCount, formatMoney, pluralize } from '../plural.ts';
import { type Markup, mrkdwn } from '../text.ts';
import { describeBalance } from './balance.ts';

type KnownCost = Extract<CostEstimate, { kind: 'known' }>;

/** Countries that are named; of the others there is their number. */
const maxNamed = 3;

/**
 * What a message will probably cost, and what the balance is enough for. Pages are named only where the route is billed
 * by them. For the sender alone.
 */
export function describeCost(estimate: CostEstimate, route: Route): Markup {
  const byPage = isBilledByPage(route);
  const cost = estimate.kind === 'unknown' ? mrkdwn`Cost: not known yet` : describeTotal(estimate, byPage);
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

function describeTotal({ total, perPage, prices, unknown, isRecent }: KnownCost, byPage: boolean): Markup {
  const source = isRecent ? 'from the last 30 days' : 'from earlier sends';
  const each =
    prices.length === 1 && unknown.length === 0
      ? `${formatMoney(perPage)} a page`
      : listed(
          prices,
          (price) => `${nameOf(price.country)} ${formatMoney(price.perPage)} a page`,
          ({ length }) => `${length} more countries`,
        );
  const how = byPage ? mrkdwn` (${each}, ${source})` : mrkdwn`, ${source}`;
  return mrkdwn`Cost: about ${formatMoney(total)}${how}${describeUnknown(unknown, byPage)}`;
}

/** For how much of it nothing is known. */
function describeUnknown(unknown: KnownCost['unknown'], byPage: boolean): Markup {
  if (unknown.length === 0) {
    return mrkdwn``;
  }
  const to = listed(
    unknown,
    ({ country, pages }) =>
      byPage
        ? `${pluralize(pages, 'page')} to ${nameOf(country)}`
        : `${formatCount(pages)} to ${nameOf(country)}`,
    (rest) =>
      `${formatCount(rest.reduce((sum, { pages }) => sum + pages, 0))} to ${rest.length} more countries`,
  );
  return mrkdwn`, without ${to}: not known yet`;
}

/** Names the first few of a list, and says how many there are beside. */
function listed<Item>(
  items: readonly Item[],
  words: (item: Item) => string,
  others: (rest: readonly Item[]) => string,
): string {
  const isLong = items.length > maxNamed + 1;
  const named = (isLong ? items.slice(0, maxNamed) : items).map(words);
  return [...named, ...(isLong ? [others(items.slice(maxNamed))] : [])].join(', ');
}

function nameOf(country: string): string {
  if (country === unknownCountry) {
    return 'unknown countries';
  }
  return isCountry(country) ? describeCountry(country) : describeCountry(noCountry);
}
