import type { Route } from '../../domain/messages/routes.ts';
import { type CountryPages, unknownCountry } from '../../domain/money/country-pages.ts';
import {
  type Money,
  nanosPerUnit,
  priceDecimals,
  readMoney,
  roundNanos,
  writeMoney,
} from '../../domain/money/money.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { SubjectCost } from '../../store/deliveries/costs/costs-store.ts';
import type { KeptEstimate } from '../../store/schema/deliveries.ts';
import type { Balance } from './balance.ts';
import type { EnteredPrice } from './entered-prices.ts';

/**
 * What a message will probably cost. Amounts are decimals, followed by a space and the currency's ISO 4217 code where that
 * is known: `20400 NGN`.
 */
export type CostEstimate =
  /** It is not known what a page costs on this route to any of the countries. */
  | { kind: 'unknown'; unknown: UnpricedCountry[]; balance?: Balance | undefined }
  | {
      kind: 'known';
      /** Of all pages whose price is known, on average. */
      perPage: string;
      /** Of each country, the one with the most pages first. */
      prices: CountryPrice[];
      /** How many pages have a price. */
      pages: number;
      /** Not included in `total`. */
      unknown: UnpricedCountry[];
      unknownPages: number;
      total: string;
      balance?: Balance | undefined;
      /** How many pages the balance pays for; undefined where a price is not known, or the balance is too low. */
      enoughFor?: number | undefined;
      /** Whether the balance is less than the total. */
      isShort: boolean;
    };

export type KnownEstimate = Extract<CostEstimate, { kind: 'known' }>;

/** A country whose price is not known, and how many pages go there. */
interface UnpricedCountry {
  country: string;
  pages: number;
}

/** What a page to a country costs, and where that is known from. */
export interface CountryPrice {
  country: string;
  pages: number;
  perPage: string;
  source: PriceSource;
}

export type PriceSource =
  /** An admin entered it. */
  | { kind: 'entered'; at: Date }
  /** The median of what the provider reported. */
  | { kind: 'reports' };

/** Whether the balance is known to pay for less than the whole message, or the provider said that it is too low. */
export function isBalanceShort(cost: CostEstimate | undefined): boolean {
  return cost?.balance?.tooLowAt !== undefined || (cost?.kind === 'known' && cost.isShort);
}

/** What the provider charged for the pages of one sending to a country. */
export interface ReportedCharge {
  route: Route;
  country: string;
  pages: number;
  /** More than 0, of all pages together. */
  nanos: bigint;
}

/** Returns what the provider charged for the messages of one sending, by country. */
export function chargesOfSending({ charged }: SubjectCost, route: Route): ReportedCharge[] {
  return charged.flatMap(({ country, amount, pages }) => {
    const nanos = readMoney(amount)?.nanos ?? 0n;
    return country === unknownCountry || nanos <= 0n || pages <= 0 ? [] : [{ route, country, pages, nanos }];
  });
}

/**
 * Returns the charge whose price of a page is the median of all pages to a country on a route; of two in the middle, the
 * cheaper.
 */
export function medianCharge(
  charges: readonly ReportedCharge[],
  { route, country }: Pick<ReportedCharge, 'route' | 'country'>,
): ReportedCharge | undefined {
  const alike = charges
    .filter((charge) => charge.route === route && charge.country === country)
    .sort((one, other) => Number(one.nanos * BigInt(other.pages) - other.nanos * BigInt(one.pages)));
  const all = alike.reduce((sum, { pages }) => sum + pages, 0);
  let passed = 0;
  return alike.find(({ pages }) => {
    passed += pages;
    return 2 * passed >= all;
  });
}

/**
 * Returns the most specific of the prices that were entered: for the route to the country, else for the route, else for
 * all. A price that was entered in another currency than the account's does not count.
 */
export function chooseEnteredPrice(
  prices: readonly EnteredPrice[],
  { route, country }: { route: Route; country: string },
  accountCurrency: string | undefined,
): EnteredPrice | undefined {
  const usable = prices.filter((price) => isOfAccount(price, accountCurrency));
  return (
    usable.find(({ scope }) => scope.route === route && scope.country === country) ??
    usable.find(({ scope }) => scope.route === route && scope.country === undefined) ??
    usable.find(({ scope }) => scope.route === undefined)
  );
}

/** Whether a price may be in the account's currency: either may not be known. */
export function isOfAccount({ amount }: EnteredPrice, accountCurrency: string | undefined): boolean {
  const currency = readMoney(amount)?.currency;
  return currency === undefined || accountCurrency === undefined || currency === accountCurrency;
}

/** What the price of a page is `nanos / pages` of. */
interface PriceOfPages {
  nanos: bigint;
  pages: number;
  source: PriceSource;
}

interface KnownPrices {
  entered: readonly EnteredPrice[];
  charges: readonly ReportedCharge[];
  balance: Balance | undefined;
  /** ISO 4217, of the account. */
  currency: string | undefined;
}

/** Calculates with each exact price and its pages, and rounds once. */
export function estimateCost(
  { route, pages }: { route: Route; pages: CountryPages },
  known: KnownPrices,
): CostEstimate {
  const { balance, currency } = known;
  const countries = Object.entries(pages)
    .filter(([, count]) => count > 0)
    .map(([country, count]) => ({ country, pages: count, price: priceOf(known, { route, country }) }))
    .sort((one, other) => other.pages - one.pages);
  const priced = countries.flatMap(({ price, ...country }) =>
    price === undefined ? [] : [{ ...country, price }],
  );
  const unknown = countries.flatMap(({ price, ...country }) => (price === undefined ? [country] : []));
  if (priced.length === 0) {
    return { kind: 'unknown', unknown, balance };
  }
  const total = priced.reduce(
    (sum, { price, pages: count }) => sum + (price.nanos * BigInt(count)) / BigInt(price.pages),
    0n,
  );
  const sumOf = (all: readonly UnpricedCountry[]) => all.reduce((sum, { pages: count }) => sum + count, 0);
  const pricedPages = sumOf(priced);
  const available = balance?.amount === undefined ? undefined : readMoney(balance.amount)?.nanos;
  const isTooLow = balance?.tooLowAt !== undefined;
  const isShort = available !== undefined && available < total;
  return {
    kind: 'known',
    perPage: writeMoney(perPageOf({ nanos: total, currency }, pricedPages)),
    prices: priced.map(({ price, ...country }) => ({
      ...country,
      perPage: writeMoney(perPageOf({ nanos: price.nanos, currency }, price.pages)),
      source: price.source,
    })),
    pages: pricedPages,
    unknown,
    unknownPages: sumOf(unknown),
    // Less than one unit has as many digits as the price of a page.
    total: writeMoney({ nanos: roundNanos(total, total < nanosPerUnit ? priceDecimals : 2), currency }),
    balance,
    enoughFor:
      available === undefined || isShort || isTooLow || unknown.length > 0 || total === 0n
        ? undefined
        : Number((available * BigInt(pricedPages)) / total),
    isShort,
  };
}

function priceOf(
  { entered, charges, currency }: KnownPrices,
  to: { route: Route; country: string },
): PriceOfPages | undefined {
  const price = chooseEnteredPrice(entered, to, currency);
  if (price !== undefined) {
    const nanos = readMoney(price.amount)?.nanos ?? 0n;
    return { nanos, pages: 1, source: { kind: 'entered', at: new Date(price.enteredAt) } };
  }
  const median = medianCharge(charges, to);
  return median && { nanos: median.nanos, pages: median.pages, source: { kind: 'reports' } };
}

/** Returns the price of one page, rounded. */
function perPageOf({ nanos, currency }: Money, pages: number): Money {
  return { nanos: roundNanos(nanos / BigInt(pages), priceDecimals), currency };
}

/** The charge for a message or a campaign, and its estimate. Amounts are as in `CostEstimate`. */
export interface Charges {
  estimate?: KeptEstimate | undefined;
  /** Of the messages whose cost is known; undefined where none is. */
  total?: string | undefined;
  /** Messages whose cost is known; `free` counts those that cost nothing. */
  messages: number;
  free: number;
  /** Cost per page, without free messages. */
  perPage?: string | undefined;
}

/** Returns undefined where nothing was estimated, and nothing is known to have been charged. */
export function chargesOf(
  { estimate, charged }: SubjectCost,
  currency: string | undefined,
): Charges | undefined {
  const messages = charged.reduce((sum, each) => sum + each.messages, 0);
  if (estimate === undefined && messages === 0) {
    return undefined;
  }
  const nanos = charged.reduce((sum, { amount }) => sum + (readMoney(amount)?.nanos ?? 0n), 0n);
  const pages = charged.reduce((sum, each) => sum + each.pages, 0);
  return {
    estimate,
    total: messages === 0 ? undefined : writeMoney({ nanos, currency }),
    messages,
    free: charged.reduce((sum, { free }) => sum + free, 0),
    perPage: pages === 0 ? undefined : writeMoney(perPageOf({ nanos, currency }, pages)),
  };
}

/** What those whom a campaign has not reached yet will probably cost. Amounts are as in `CostEstimate`. */
export interface CostOfRest {
  recipients: number;
  perPage: string;
  total: string;
  /** Whether the balance after the last message is less than that. */
  isShort: boolean;
}

/** Uses what a page was charged, otherwise the estimate; undefined if no price is known. */
export function costOfRest(
  { counts, balance = '' }: Pick<Campaign, 'counts' | 'balance'>,
  charges: Charges | undefined,
): CostOfRest | undefined {
  const recipients = counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed;
  const estimate = charges?.estimate;
  const estimated = readMoney(estimate?.total ?? '');
  const isEstimated =
    estimate !== undefined && estimated !== undefined && estimate.pages > 0 && estimate.unknownPages === 0;
  const perPage = isEstimated ? perPageOf(estimated, estimate.pages) : undefined;
  const price = charges?.perPage === undefined ? perPage : readMoney(charges.perPage);
  if (price === undefined || recipients <= 0) {
    return undefined;
  }
  const pages = Math.round((counts.pages * recipients) / counts.recipients);
  const nanos = price.nanos * BigInt(pages);
  const available = readMoney(balance)?.nanos;
  return {
    recipients,
    perPage: writeMoney(price),
    total: writeMoney({ ...price, nanos }),
    isShort: available !== undefined && available < nanos,
  };
}

/**
 * Sums up the reports about a message to several numbers.
 *
 * @param pagesEach pages of the message to one number; 0 if not known
 */
export function chargedByReports(
  costs: readonly (string | undefined)[],
  pagesEach: number,
): SubjectCost['charged'] {
  const known = costs.flatMap((cost) => readMoney(cost ?? '') ?? []);
  const free = known.filter(({ nanos }) => nanos === 0n).length;
  const nanos = known.reduce((sum, each) => sum + each.nanos, 0n);
  return known.length === 0
    ? []
    : [
        {
          country: '',
          amount: writeMoney({ nanos }),
          messages: known.length,
          free,
          pages: pagesEach * (known.length - free),
        },
      ];
}
