import { type Route, readRoute } from '../../domain/messages/routes.ts';
import { type CountryPages, unknownCountry } from '../../domain/money/country-pages.ts';
import { nanosPerUnit, readMoney, roundNanos, writeMoney } from '../../domain/money/money.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { CampaignRepository } from '../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { CostSubject } from '../../store/costs/cost-tables.ts';
import type { CostStore, SubjectCost } from '../../store/costs/costs-store.ts';
import type { CurrencyAt } from '../../store/costs/count-costs.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import { countRecipients } from '../operations/count-recipients.ts';
import type { Connection, Workspaces } from '../workspaces/workspaces.ts';
import { inAccountCurrency } from './account-currency.ts';
import { type Balance, newestBalance } from './balance.ts';
import type { BalanceChecks } from './balance-checks.ts';
import { type Charges, chargedByReports, chargesOf, perPageDecimals, perPageOf } from './charges.ts';
import { medianCharge, observeCharges } from './named-prices.ts';
import { lastsFor, spanMs, spentSince } from './pace.ts';
import { medianPrice, observePrices, type PriceObservation } from './prices.ts';
import {
  ofCampaign,
  ofCheck,
  ofFigure,
  ofOperation,
  routeOfOperation,
  type Spending,
  spendingSubjects,
} from './spendings.ts';
import { underKey } from './under-key.ts';

/**
 * What a message will probably cost. Amounts are decimals, followed by a space and the currency's ISO 4217 code where that
 * is known: `20400 NGN`.
 */
export type CostEstimate =
  /** Nothing has shown yet what a page costs on this route to any of the countries. */
  | { kind: 'unknown'; balance?: Balance | undefined }
  | {
      kind: 'known';
      /** Of all pages whose price is known, on average. */
      perPage: string;
      /** Of each country, the one with the most pages first. */
      prices: CountryPrice[];
      /** Countries whose price is not known, and how many pages go there. `total` is without them. */
      unknown: { country: string; pages: number }[];
      /** Whether the prices were learned in the last 30 days; otherwise one is older. */
      isRecent: boolean;
      total: string;
      balance?: Balance | undefined;
      /** How many pages the balance pays for; undefined where a price is not known. */
      enoughFor?: number | undefined;
      /** Whether the balance is less than the total. */
      isShort: boolean;
    };

/** What a page to a country costs. */
export interface CountryPrice {
  country: string;
  pages: number;
  perPage: string;
}

/** Whether the balance is known to pay for less than the whole message. */
export function isBalanceShort(cost: CostEstimate | undefined): boolean {
  return cost?.kind === 'known' && cost.isShort;
}

export interface Costs {
  /**
   * Estimates by what the provider charged for messages, and where it named nothing by the falls of the balance; by what
   * was learned in the last 30 days, and otherwise by what is older.
   */
  estimate(workspaceId: string, message: { route: Route; pages: CountryPages }): Promise<CostEstimate>;
  /** Remembers an estimate that is shown before sending, for afterwards. */
  keepEstimate(subject: CostSubjectId, estimate: CostEstimate): Promise<void>;
  /** Returns what was charged for a message, from what was reported of it. */
  ofOperation(
    operation: Operation,
    deliveries: readonly Pick<MessageDelivery, 'cost'>[],
  ): Promise<Charges | undefined>;
  /** Returns what was charged for a campaign so far. */
  ofCampaign(
    campaign: Pick<Campaign, 'workspaceId' | 'id' | 'createdAt' | 'startedAt'>,
  ): Promise<Charges | undefined>;
  /**
   * Returns a function that returns the currency of what was begun at a time, where the provider or its profile names it: what
   * was begun under the key before may be of an account in another one.
   */
  currencyAt(workspaceId: string): Promise<CurrencyAt>;
  /** Returns the account's newest known balance; undefined before the provider has named one. */
  balance(workspaceId: string): Promise<Balance | undefined>;
  /** Returns the balance, and how long it lasts at the pace of the last day. */
  outlook(workspaceId: string): Promise<BalanceOutlook>;
}

/** What an estimate is of: an operation by its key, or a campaign by its id. */
export interface CostSubjectId {
  workspaceId: string;
  subject: CostSubject;
  id: string;
}

export interface BalanceOutlook {
  balance?: Balance | undefined;
  /** What the falls of the balance show to have been spent in the last 24 hours. */
  spentInADay?: string | undefined;
  /** Whether a part of that is the share of a fall that began before. */
  isSpread?: boolean | undefined;
  /** In milliseconds; undefined where the pace is not known. */
  lastsFor?: number | undefined;
}

/** In milliseconds. */
const dayMs = 24 * 60 * 60_000;
/** In milliseconds: prices that were learned within it come before older ones. */
const recentMs = 30 * dayMs;

/** In milliseconds: what was paid earlier tells nothing of today's prices. */
const windowMs = 90 * 24 * 60 * 60_000;
/** The latest operations that are read, of those that may cost something. */
const maxOperations = 200;

export function createCosts(options: {
  ledger: Pick<Ledger, 'recent' | 'balances'>;
  campaigns: Pick<CampaignRepository, 'spendings'>;
  store: Pick<CostStore, 'of' | 'keepEstimate' | 'dropEstimate'>;
  workspaces: Pick<Workspaces, 'connection'>;
  checks: Pick<BalanceChecks, 'last'>;
  /** ISO 4217, where the provider's profile names it. */
  accountCurrency: string | undefined;
  /** What was spent between the back-up and this time is not known. */
  restoredAt: Date | undefined;
  clock: Clock;
}): Costs {
  const { ledger, campaigns, store, workspaces, checks, clock } = options;
  const restoredAt = options.restoredAt?.getTime() ?? Number.NEGATIVE_INFINITY;

  /** Returns what was spent by the connected account. With another key, balance and prices are another account's. */
  async function readSpendings(workspaceId: string): Promise<Spending[]> {
    return (await readAll(workspaceId)).spendings;
  }

  async function readAll(workspaceId: string) {
    const [connection, operations, checked] = await Promise.all([
      workspaces.connection(workspaceId),
      readOperations(workspaceId),
      checks.last(workspaceId),
    ]);
    const connectedAt = connectedSince(connection);
    // Before the oldest operation that was read, there may be others between two known balances.
    const oldest = operations.length < maxOperations ? undefined : operations.at(-1)?.createdAt;
    const since = Math.max(clock().getTime() - windowMs, connectedAt, oldest?.getTime() ?? 0);
    const started = await campaigns.spendings(workspaceId, new Date(since));
    const all = [
      ...operations.flatMap((operation) => ofOperation(operation) ?? []),
      ...started.map(ofCampaign),
      ...(checked === undefined || checked.from < since ? [] : [ofCheck(checked)]),
    ]
      .filter(({ to = Number.POSITIVE_INFINITY }) => to >= since)
      .map((spending) => underKey(spending, connectedAt));
    return {
      spendings: inAccountCurrency(all),
      operations: operations.filter(({ createdAt }) => createdAt.getTime() >= since),
      campaigns: started.filter(({ startedAt }) => startedAt >= since),
    };
  }

  /** Returns the latest operations that may have cost something, the newest first. */
  async function readOperations(workspaceId: string): Promise<Operation[]> {
    const ofSubjects = await Promise.all(
      spendingSubjects.map((subject) => ledger.recent({ workspaceId, subject, limit: maxOperations })),
    );
    return ofSubjects
      .flat()
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
      .slice(0, maxOperations);
  }

  /**
   * Returns all that shows the pace of spending from a time on, with the last figure before it. It does not depend on how many
   * operations there were.
   */
  async function readPace(workspaceId: string, from: Date): Promise<Spending[]> {
    const [connection, checked] = await Promise.all([
      workspaces.connection(workspaceId),
      checks.last(workspaceId),
    ]);
    const connectedAt = connectedSince(connection);
    const since = new Date(Math.max(clock().getTime() - windowMs, connectedAt));
    const [figures, started] = await Promise.all([
      ledger.balances({ workspaceId, since, from, spanMs }),
      campaigns.spendings(workspaceId, since),
    ]);
    return inAccountCurrency([
      ...figures.map(ofFigure),
      ...started.map((campaign) => underKey(ofCampaign(campaign), connectedAt)),
      ...(checked === undefined ? [] : [ofCheck(checked)]),
    ]);
  }

  /** Returns what the provider charged for the messages of the connected account. */
  async function readCharges(
    workspaceId: string,
    sent: Pick<Awaited<ReturnType<typeof readAll>>, 'operations' | 'campaigns'>,
  ): Promise<PriceObservation[]> {
    const [ofOperations, ofCampaigns] = await Promise.all([
      store.of(
        workspaceId,
        'operation',
        sent.operations.map(({ key }) => key),
      ),
      store.of(
        workspaceId,
        'campaign',
        sent.campaigns.flatMap(({ id }) => id ?? []),
      ),
    ]);
    const observe = (cost: SubjectCost | undefined, route: Route | undefined, at: number) =>
      cost === undefined || route === undefined ? [] : observeCharges(cost, { route, at });
    return [
      ...sent.operations.flatMap((operation) =>
        observe(ofOperations.get(operation.key), routeOfOperation(operation), operation.createdAt.getTime()),
      ),
      ...sent.campaigns.flatMap(({ id = '', route, startedAt }) =>
        observe(ofCampaigns.get(id), readRoute(route), startedAt),
      ),
    ];
  }

  /** In milliseconds since 1970: while no key is connected, nothing that was is of an account. */
  const connectedSince = (connection: Connection | undefined) => (connection?.at ?? clock()).getTime();

  async function currencyAt(workspaceId: string): Promise<CurrencyAt> {
    const [connection, checked] = await Promise.all([
      workspaces.connection(workspaceId),
      checks.last(workspaceId),
    ]);
    const named = checked && readMoney(checked.amount)?.currency;
    const connectedAt = connection?.at.getTime() ?? Number.POSITIVE_INFINITY;
    return (begunAt) => (begunAt >= connectedAt ? named : undefined) ?? options.accountCurrency;
  }

  return {
    async estimate(workspaceId, { route, pages }) {
      const { spendings, ...sent } = await readAll(workspaceId);
      const balance = newestBalance(spendings);
      const charges = await readCharges(workspaceId, sent);
      const { before = [], after = [] } = Object.groupBy(spendings, ({ from }) =>
        from < restoredAt ? 'before' : 'after',
      );
      const observed = [...observePrices(before), ...observePrices(after)];
      const since = clock().getTime() - recentMs;
      const isRecent = ({ at }: PriceObservation) => at >= since;
      return estimateBy(pages, balance, (country) => {
        const key = { route, country };
        const recent =
          medianCharge(charges.filter(isRecent), key) ?? medianPrice(observed.filter(isRecent), key);
        const price = recent ?? medianCharge(charges, key) ?? medianPrice(observed, key);
        return price && { ...price, isRecent: recent !== undefined };
      });
    },

    async keepEstimate(subject, estimate) {
      if (estimate.kind === 'unknown') {
        await store.dropEstimate(subject);
        return;
      }
      const { total, perPage, prices, unknown } = estimate;
      await store.keepEstimate(subject, {
        total,
        perPage: prices.length === 1 ? perPage : undefined,
        pages: sumOfPages(prices),
        unknownPages: sumOfPages(unknown),
      });
    },

    async ofOperation(operation, deliveries) {
      const { workspaceId, key, pages = 0 } = operation;
      const found = await store.of(workspaceId, 'operation', [key]);
      const kept = found.get(key);
      const recipients = countRecipients(operation);
      const reported = chargedByReports(
        deliveries.map(({ cost }) => cost),
        recipients === 0 ? 0 : Math.round(pages / recipients),
      );
      // What is counted may lack a report that is new; reports are deleted sooner, one by one.
      const counted = kept?.charged ?? [];
      const charged = messagesOf(reported) < messagesOf(counted) ? counted : reported;
      const currencyOf = await currencyAt(workspaceId);
      return chargesOf({ estimate: kept?.estimate, charged }, currencyOf(operation.createdAt.getTime()));
    },

    async ofCampaign({ workspaceId, id, createdAt, startedAt = createdAt }) {
      const cost = (await store.of(workspaceId, 'campaign', [id])).get(id);
      const currencyOf = await currencyAt(workspaceId);
      return cost && chargesOf(cost, currencyOf(startedAt.getTime()));
    },

    currencyAt,

    balance: async (workspaceId) => newestBalance(await readSpendings(workspaceId)),

    async outlook(workspaceId) {
      const dayAgo = clock().getTime() - dayMs;
      const [spendings, ofDay] = await Promise.all([
        readSpendings(workspaceId),
        readPace(workspaceId, new Date(dayAgo)),
      ]);
      const balance = newestBalance(spendings);
      const spent = spentSince(ofDay, dayAgo);
      const held = balance?.amount === undefined ? undefined : readMoney(balance.amount);
      return {
        balance,
        spentInADay: spent && writeMoney(spent.money),
        isSpread: spent?.isSpread,
        lastsFor: held && spent && lastsFor(held, spent.money),
      };
    },
  };
}

/** Less than one unit keeps the digits that the price of a page has. */
function roundTotal(nanos: bigint): bigint {
  return roundNanos(nanos, nanos < nanosPerUnit ? perPageDecimals : 2);
}

function messagesOf(charged: SubjectCost['charged']): number {
  return charged.reduce((sum, { messages }) => sum + messages, 0);
}

/** Calculates with each exact price and its pages, and rounds once. */
function estimateBy(
  pages: CountryPages,
  balance: Balance | undefined,
  priceOf: (country: string) => (PriceObservation & { isRecent: boolean }) | undefined,
): CostEstimate {
  const figure = balance?.amount === undefined ? undefined : readMoney(balance.amount);
  const countries = Object.entries(pages)
    .filter(([, count]) => count > 0)
    .map(([country, count]) => {
      const price = country === unknownCountry ? undefined : priceOf(country);
      // All prices are of one account, so one that names no currency is in that of the balance.
      const currency = price?.fall.currency ?? figure?.currency;
      return { country, pages: count, price, currency };
    })
    .sort((one, other) => other.pages - one.pages);
  const currency = countries.find(({ price }) => price !== undefined)?.currency;
  const known = countries.flatMap(({ price, ...country }) =>
    price !== undefined && country.currency === currency ? [{ ...country, price }] : [],
  );
  if (known.length === 0) {
    return { kind: 'unknown', balance };
  }
  const total = known.reduce(
    (sum, { price, pages: count }) => sum + (price.fall.nanos * BigInt(count)) / BigInt(price.pages),
    0n,
  );
  const knownPages = sumOfPages(known);
  const unknown = countries
    .filter(({ country }) => known.every((each) => each.country !== country))
    .map(({ country, pages: count }) => ({ country, pages: count }));
  const held = figure !== undefined && figure.currency === currency ? figure.nanos : undefined;
  const enoughFor = held === undefined || unknown.length > 0 ? undefined : pagesFor(held, total, knownPages);
  return {
    kind: 'known',
    perPage: writeMoney(perPageOf({ nanos: total, currency }, knownPages)),
    prices: known.map(({ country, pages: count, price }) => ({
      country,
      pages: count,
      perPage: writeMoney(perPageOf({ nanos: price.fall.nanos, currency }, price.pages)),
    })),
    unknown,
    isRecent: known.every(({ price }) => price.isRecent),
    total: writeMoney({ nanos: roundTotal(total), currency }),
    balance,
    enoughFor,
    isShort: held === undefined ? balance?.tooLowAt !== undefined : held < total,
  };
}

function pagesFor(held: bigint, total: bigint, pages: number): number {
  return held <= 0n || total <= 0n ? 0 : Number((held * BigInt(pages)) / total);
}

function sumOfPages(countries: readonly { pages: number }[]): number {
  return countries.reduce((sum, { pages }) => sum + pages, 0);
}
