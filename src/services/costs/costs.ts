import { z } from 'zod';
import { type Route, readRoute, routeSchema } from '../../domain/messages/routes.ts';
import { type CountryPages, countryPagesOfList } from '../../domain/money/country-pages.ts';
import { type Money, readMoney, writeMoney } from '../../domain/money/money.ts';
import type { CampaignSpending } from '../../store/campaigns/campaign-queries.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import { boundsOf, monthOf } from '../../store/deliveries/costs/cost-sums.ts';
import type { CostStore, MonthCost, SubjectCost } from '../../store/deliveries/costs/costs-store.ts';
import type { CurrencyAt } from '../../store/deliveries/costs/count-costs.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Ledger } from '../../store/operations/ledger.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { CostSubject } from '../../store/schema/deliveries.ts';
import type { Context } from '../context.ts';
import { countRecipients } from '../operations/operations.ts';
import type { Connection, Workspaces } from '../workspaces/workspaces.ts';
import {
  type BalanceChecks,
  type CheckedBalance,
  inAccountCurrency,
  newestBalance,
  ofCampaign,
  ofCheck,
  ofOperation,
  spendingSubjects,
  underKey,
} from './balance.ts';
import type { EnteredPrices } from './entered-prices.ts';
import {
  type Charges,
  type CostEstimate,
  chargedByReports,
  chargesOf,
  chargesOfSending,
  estimateCost,
  type ReportedCharge,
} from './estimate.ts';

/** What an estimate is of: an operation by its key, or a campaign by its id. */
export interface CostSubjectId {
  workspaceId: string;
  subject: CostSubject;
  id: string;
}

/** In milliseconds. */
const dayMs = 24 * 60 * 60_000;
/** How old a balance may be that is shown. */
const balanceWindowMs = 90 * dayMs;
/** How old reports may be whose median is a price. */
const reportsWindowMs = 30 * dayMs;
/** The latest operations that are read, of those that may cost something. */
const maxOperations = 200;

export type Costs = ReturnType<typeof createCosts>;

interface AccountOthers {
  workspaces: Pick<Workspaces, 'connection'>;
  checks: Pick<BalanceChecks, 'last'>;
}

type CostOthers = AccountOthers & { prices: Pick<EnteredPrices, 'list'> };

export function createCosts(context: Context, others: CostOthers) {
  const { costs } = context.store;

  return {
    /**
     * Returns a function that returns the currency of what was begun at a time, where the provider or its profile names it:
     * what was begun under the key before may be of an account in another one.
     */
    currencyAt: (workspaceId: string) => currencyAt(context, others, workspaceId),

    /** Returns the currency of the account, ISO 4217, where it is known. */
    currency: async (workspaceId: string) => (await readAccount(context, others, workspaceId)).currency,

    /** Returns the account's newest known balance; undefined before the provider has named one. */
    balance: async (workspaceId: string) => (await readAccount(context, others, workspaceId)).balance,

    /** Estimates by the prices that were entered, else by what the provider reported in the last 30 days. */
    estimate: (workspaceId: string, message: { route: Route; pages: CountryPages }) =>
      estimateMessage(context, others, workspaceId, message),

    /** Estimates what a campaign costs that is not started. */
    estimateCampaign: ({ workspaceId, route, counts, countries, countryPages }: Campaign) =>
      estimateMessage(context, others, workspaceId, {
        route: routeSchema.parse(route),
        pages: countryPagesOfList({ pages: counts.pages, countries, countryPages }),
      }),

    /** Stores an estimate that is shown before sending, for afterwards. */
    saveEstimate: (subject: CostSubjectId, estimate: CostEstimate): Promise<void> =>
      estimate.kind === 'unknown'
        ? costs.dropEstimate(subject)
        : costs.keepEstimate(subject, storedEstimate(estimate)),

    /** Returns what was charged for a message, from what was reported of it. */
    async ofOperation(operation: Operation, deliveries: readonly KnownCost[]): Promise<Charges | undefined> {
      const { workspaceId, key, createdAt } = operation;
      const stored = (await costs.of(workspaceId, 'operation', [key])).get(key);
      const charged = newestCharged(operation, deliveries, stored?.charged ?? []);
      const currencyOf = await currencyAt(context, others, workspaceId);
      return chargesOf({ estimate: stored?.estimate, charged }, currencyOf(createdAt));
    },

    /** Returns what was charged for a campaign so far. */
    async ofCampaign(campaign: StartedCampaign): Promise<Charges | undefined> {
      const { workspaceId, id, createdAt, startedAt = createdAt } = campaign;
      const cost = (await costs.of(workspaceId, 'campaign', [id])).get(id);
      const currencyOf = await currencyAt(context, others, workspaceId);
      return cost && chargesOf(cost, currencyOf(startedAt));
    },
  };
}

type KnownCost = Pick<MessageDelivery, 'cost'>;
type StartedCampaign = Pick<Campaign, 'workspaceId' | 'id' | 'createdAt' | 'startedAt'>;

async function estimateMessage(
  context: Context,
  others: CostOthers,
  workspaceId: string,
  message: { route: Route; pages: CountryPages },
): Promise<CostEstimate> {
  const [entered, account] = await Promise.all([
    others.prices.list(workspaceId),
    readAccount(context, others, workspaceId),
  ]);
  const { balance, currency } = account;
  const since = Math.max(context.time.now().getTime() - reportsWindowMs, account.connectedAt);
  const charges = await readCharges(context.store.costs, workspaceId, account, since);
  return estimateCost(message, { entered, charges, balance, currency });
}

async function currencyAt(
  { dialect }: Context,
  { workspaces, checks }: AccountOthers,
  workspaceId: string,
): Promise<CurrencyAt> {
  const [connection, checked] = await Promise.all([
    workspaces.connection(workspaceId),
    checks.last(workspaceId),
  ]);
  return currencyBy(connection, checked, dialect.currency);
}

function storedEstimate({ total, perPage, prices, unknown }: Extract<CostEstimate, { kind: 'known' }>) {
  return {
    total,
    perPage: prices.length === 1 ? perPage : undefined,
    pages: sumOfPages(prices),
    unknownPages: sumOfPages(unknown),
  };
}

/** What is counted may lack a report that is new; reports are deleted sooner, one by one. */
function newestCharged(
  operation: Operation,
  deliveries: readonly KnownCost[],
  counted: SubjectCost['charged'],
): SubjectCost['charged'] {
  const recipients = countRecipients(operation);
  const reported = chargedByReports(
    deliveries.map(({ cost }) => cost),
    recipients === 0 ? 0 : Math.round((operation.pages ?? 0) / recipients),
  );
  return messagesOf(reported) < messagesOf(counted) ? counted : reported;
}

/** Returns what was sent and asked under the connected key: with another one, the balance is another account's. */
async function readAccount(
  { store, dialect, time }: Context,
  { workspaces, checks }: AccountOthers,
  workspaceId: string,
) {
  const [connection, operations, checked] = await Promise.all([
    workspaces.connection(workspaceId),
    readOperations(store.ledger, workspaceId),
    checks.last(workspaceId),
  ]);
  const now = time.now();
  // While no key is connected, nothing that was is of an account.
  const connectedAt = (connection?.at ?? now).getTime();
  const since = Math.max(now.getTime() - balanceWindowMs, connectedAt);
  const campaigns = await store.campaigns.spendings(workspaceId, new Date(since));
  const spendings = [
    ...operations.flatMap((operation) => ofOperation(operation) ?? []),
    ...campaigns.map(ofCampaign),
    ...(checked === undefined ? [] : [ofCheck(checked)]),
  ]
    .filter(({ to = Number.POSITIVE_INFINITY }) => to >= since)
    .map((spending) => underKey(spending, connectedAt));
  const balance = newestBalance(inAccountCurrency(spendings));
  const currency =
    (balance?.amount === undefined ? undefined : readMoney(balance.amount)?.currency) ??
    currencyBy(connection, checked, dialect.currency)(time.now());
  return { balance, currency, operations, campaigns, connectedAt };
}

/** Returns the latest operations that may have cost something, the newest first. */
async function readOperations(ledger: Ledger, workspaceId: string): Promise<Operation[]> {
  const ofSubjects = await Promise.all(
    spendingSubjects.map((subject) => ledger.recent({ workspaceId, subject, limit: maxOperations })),
  );
  return ofSubjects
    .flat()
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, maxOperations);
}

/** Returns what the provider charged for what was begun since a time, as it reported. */
async function readCharges(
  costs: CostStore,
  workspaceId: string,
  sent: { operations: readonly Operation[]; campaigns: readonly CampaignSpending[] },
  since: number,
): Promise<ReportedCharge[]> {
  const operations = sent.operations.filter(({ createdAt }) => createdAt.getTime() >= since);
  const campaigns = sent.campaigns.filter(({ startedAt }) => startedAt >= since);
  const keys = operations.map(({ key }) => key);
  const ids = campaigns.flatMap(({ id }) => id ?? []);
  const [ofOperations, ofCampaigns] = await Promise.all([
    costs.of(workspaceId, 'operation', keys),
    costs.of(workspaceId, 'campaign', ids),
  ]);
  const chargesBy = (cost: SubjectCost | undefined, route: Route | undefined) =>
    cost === undefined || route === undefined ? [] : chargesOfSending(cost, route);
  return [
    ...operations.flatMap((operation) => chargesBy(ofOperations.get(operation.key), routeOf(operation))),
    ...campaigns.flatMap(({ id = '', route }) => chargesBy(ofCampaigns.get(id), readRoute(route))),
  ];
}

/** @param ofProfile the currency that the provider's profile names, ISO 4217 */
function currencyBy(
  connection: Connection | undefined,
  checked: CheckedBalance | undefined,
  ofProfile: string | undefined,
): CurrencyAt {
  const named = checked === undefined ? undefined : readMoney(checked.amount)?.currency;
  const connectedAt = connection?.at;
  return (begunAt) => (connectedAt !== undefined && begunAt >= connectedAt ? named : undefined) ?? ofProfile;
}

const summarySchema = z.object({ route: routeSchema });

/** Returns the route of an operation that is one message. */
function routeOf({ summary }: Pick<Operation, 'summary'>): Route | undefined {
  return summarySchema.safeParse(summary).data?.route;
}

function messagesOf(charged: SubjectCost['charged']): number {
  return charged.reduce((sum, { messages }) => sum + messages, 0);
}

function sumOfPages(countries: readonly { pages: number }[]): number {
  return countries.reduce((sum, { pages }) => sum + pages, 0);
}

/** What some messages cost together. Amounts are decimals, each followed by a space and its currency where that is known. */
export interface CostSum {
  /** One for each currency. */
  amounts: string[];
  messages: number;
}

/** What messages cost in a month, as the provider reported it. The dearest come first. */
export interface MonthOfCosts {
  /** `2026-11`. */
  month: string;
  total: CostSum;
  byUser: (CostSum & { userId: string })[];
  /** See `MonthCost`. */
  bySender: (CostSum & { senderId: string })[];
}

/** Who reads costs: of everyone in the workspace, or the user's own. */
export interface CostReader {
  workspaceId: string;
  userId: string;
  scope: 'own' | 'everyone';
}

export function createCostMonths(
  { store: { costs: store }, time: { now: clock } }: Context,
  { currencyAt }: Pick<Costs, 'currencyAt'>,
) {
  const userOf = ({ scope, userId }: CostReader) => (scope === 'own' ? userId : undefined);

  return {
    /** Returns the months that have costs, the newest first. */
    months: (reader: CostReader) => store.months(reader.workspaceId, userOf(reader)),

    /** Returns the costs of a month, of the current one without `month`. */
    async month(reader: CostReader, month = monthOf(clock())): Promise<MonthOfCosts> {
      const { workspaceId } = reader;
      const [costs, currencyOf, begunAt] = await Promise.all([
        store.month(workspaceId, month, userOf(reader)),
        currencyAt(workspaceId),
        store.begunIn(workspaceId, month),
      ]);
      // Where some of it was begun under the key before, nobody knows whose currency the sums are in that name none.
      const currency = currencyOf(begunAt ?? boundsOf(month).from);
      const named = costs.map((cost) => ({ ...cost, currency: cost.currency || (currency ?? '') }));
      return {
        month,
        total: sumOf(named),
        byUser: [...Map.groupBy(named, ({ userId }) => userId)]
          .map(([userId, own]) => ({ userId, ...sumOf(own) }))
          .sort(byAmount),
        bySender: [...Map.groupBy(named, ({ senderId }) => senderId)]
          .map(([senderId, own]) => ({ senderId, ...sumOf(own) }))
          .sort(byAmount),
      };
    },
  };
}

function sumOf(costs: readonly MonthCost[]): CostSum {
  const amounts = [...Map.groupBy(costs, ({ currency }) => currency)].map(([currency, own]): Money => {
    const nanos = own.reduce((sum, { amount }) => sum + (readMoney(amount)?.nanos ?? 0n), 0n);
    return { nanos, ...(currency === '' ? {} : { currency }) };
  });
  return {
    amounts: amounts.map(writeMoney),
    messages: costs.reduce((sum, { messages }) => sum + messages, 0),
  };
}

function byAmount(one: CostSum, other: CostSum): number {
  const first = (sum: CostSum) => readMoney(sum.amounts[0] ?? '')?.nanos ?? 0n;
  const difference = first(other) - first(one);
  return difference < 0n ? -1 : Number(difference > 0n);
}
