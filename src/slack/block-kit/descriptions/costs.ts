import { describeCountry, noCountry } from '../../../domain/limits/number-country.ts';
import { isBilledByPage, type Route } from '../../../domain/messages/routes.ts';
import { unknownCountry } from '../../../domain/money/country-pages.ts';
import { isCountry } from '../../../domain/phone/countries.ts';
import type { Balance } from '../../../services/costs/balance.ts';
import type { CostSum } from '../../../services/costs/costs.ts';
import {
  type CostEstimate,
  type CountryPrice,
  isBalanceShort,
  type KnownEstimate,
  type PriceSource,
} from '../../../services/costs/estimate.ts';
import type { KeptEstimate } from '../../../store/schema/deliveries.ts';
import { formatCount, formatMoney, formatPrice, pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { dayFor, joinWords, type Markup, mrkdwn, timeFor } from '../text.ts';

/** Countries that are named; of the others there is their number. */
const maxNamed = 3;

export const unknownCost = 'unknown: admins can set a price under Costs';

/** The part of a cost that is known: `₦6,774.50`, or `₦6,774.50 for 1,594 of 1,595 pages`. */
export function knownCost(
  { total, pages, unknownPages }: Pick<KeptEstimate, 'total' | 'pages' | 'unknownPages'>,
  route: Route,
): string {
  const all = pluralize(pages + unknownPages, isBilledByPage(route) ? 'page' : 'message');
  return unknownPages === 0
    ? formatMoney(total)
    : `${formatMoney(total)} for ${formatCount(pages)} of ${all}`;
}

/**
 * What a message will probably cost, and what the balance is enough for. Pages are named only where the route is billed
 * by them. A balance that the provider refused something for is in the warning. For the sender alone.
 */
export function describeCost(estimate: CostEstimate, route: Route): Markup {
  const byPage = isBilledByPage(route);
  const cost = estimate.kind === 'unknown' ? mrkdwn`Cost ${unknownCost}` : describeTotal(estimate, route);
  const { balance } = estimate;
  if (balance === undefined || balance.tooLowAt !== undefined) {
    return cost;
  }
  const since = balance.before === undefined ? '' : ` (not counting the last ${spent[balance.before]})`;
  const amount = `${formatMoney(balance.amount ?? '')}${since}`;
  const enough =
    estimate.kind === 'unknown' || estimate.enoughFor === undefined || !byPage
      ? mrkdwn``
      : mrkdwn`, enough for about ${pluralize(estimate.enoughFor, 'page')}`;
  return mrkdwn`${cost} · balance ${amount}${enough}`;
}

/** Returns undefined where the balance is not known to be too low. */
export function lowBalanceWarning(
  cost: CostEstimate | undefined,
  { whom, next }: { whom: string; next: string },
): Markup | undefined {
  const tooLowAt = cost?.balance?.tooLowAt;
  if (!isBalanceShort(cost)) {
    return undefined;
  }
  const low =
    tooLowAt === undefined ? mrkdwn`*Balance too low${whom}.*` : mrkdwn`Balance ${tooLowSince(tooLowAt)}.`;
  return mrkdwn`${stateIcons.unconfirmed} ${low} ${next}`;
}

function describeTotal(estimate: KnownEstimate, route: Route): Markup {
  const { prices, unknown } = estimate;
  const byPage = isBilledByPage(route);
  const sources = [...new Map(prices.map(({ source }) => [keyOf(source), describeSource(source)])).values()];
  const how = byPage
    ? mrkdwn` (${describePrices(prices, { sources, isWhole: unknown.length === 0 })})`
    : mrkdwn`, ${joinWords(sources)}`;
  return mrkdwn`Cost: about ${knownCost(estimate, route)}${how}${describeUnknown(unknown, byPage)}`;
}

/** The source is named once if all prices share it. */
function describePrices(
  prices: readonly CountryPrice[],
  { sources, isWhole }: { sources: readonly Markup[]; isWhole: boolean },
): Markup {
  const [first] = prices;
  if (first !== undefined && prices.length === 1 && isWhole) {
    return mrkdwn`${pagePrice(first)}, ${joinWords(sources)}`;
  }
  const others = (rest: readonly CountryPrice[]) => mrkdwn`${rest.length} more countries`;
  const named = (price: CountryPrice) => mrkdwn`${nameOf(price.country)} ${pagePrice(price)}`;
  return sources.length === 1
    ? mrkdwn`${listed(prices, named, others)}, ${joinWords(sources)}`
    : listed(prices, (price) => mrkdwn`${named(price)}, ${describeSource(price.source)}`, others, '; ');
}

function pagePrice({ perPage, source }: CountryPrice): string {
  return `${source.kind === 'entered' ? formatPrice(perPage) : formatMoney(perPage)} a page`;
}

function describeSource(source: PriceSource): Markup {
  return source.kind === 'entered'
    ? mrkdwn`entered ${dayFor(source.at)}`
    : mrkdwn`median of the last 30 days`;
}

/** The same for sources that read the same: prices that were entered on one day. */
function keyOf(source: PriceSource): string {
  return source.kind === 'entered' ? source.at.toISOString().slice(0, 'yyyy-mm-dd'.length) : source.kind;
}

/** The countries whose price is not known. */
function describeUnknown(unknown: KnownEstimate['unknown'], byPage: boolean): Markup {
  if (unknown.length === 0) {
    return mrkdwn``;
  }
  const to = listed(
    unknown,
    ({ country, pages }) =>
      byPage
        ? mrkdwn`${pluralize(pages, 'page')} to ${nameOf(country)}`
        : mrkdwn`${formatCount(pages)} to ${nameOf(country)}`,
    (rest) =>
      mrkdwn`${formatCount(rest.reduce((sum, { pages }) => sum + pages, 0))} to ${rest.length} more countries`,
  );
  return mrkdwn` · no price for ${to}: admins can set one under Costs`;
}

/** Names the first few of a list, and says how many there are beside. */
function listed<Item>(
  items: readonly Item[],
  words: (item: Item) => Markup,
  others: (rest: readonly Item[]) => Markup,
  separator?: string,
): Markup {
  const isLong = items.length > maxNamed + 1;
  const named = (isLong ? items.slice(0, maxNamed) : items).map(words);
  return joinWords([...named, ...(isLong ? [others(items.slice(maxNamed))] : [])], separator);
}

function nameOf(country: string): string {
  if (country === unknownCountry) {
    return 'unknown countries';
  }
  return isCountry(country) ? describeCountry(country) : describeCountry(noCountry);
}

/** What some messages cost together: `₦20,400 for 4,800 messages`. For who may see costs. */
export function describeCostSum({ amounts, messages }: CostSum): Markup {
  return mrkdwn`${amounts.map(formatMoney).join(' and ')} for ${pluralize(messages, 'message')}`;
}

const spent = {
  message: 'message',
  code: 'one-time code',
  campaign: 'campaign',
  esim: 'eSIM order',
} as const;

/**
 * The newest known balance with its time, and the kind of later spending that it lacks; or since when it is too low, if the
 * provider refused a request for lack of money since. For the sender alone.
 */
export function describeBalance({ amount = '', at, before, tooLowAt }: Balance): Markup {
  if (tooLowAt !== undefined) {
    return tooLowSince(tooLowAt);
  }
  const since = before === undefined ? mrkdwn`` : mrkdwn`, not counting the last ${spent[before]}`;
  return mrkdwn`${formatMoney(amount)} (${timeFor(at)}${since})`;
}

export function tooLowSince(at: Date): Markup {
  return mrkdwn`*too low* since ${timeFor(at)}`;
}
