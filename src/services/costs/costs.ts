import { z } from 'zod';
import { type Route, readRoute, routeSchema } from '../../domain/messages/routes.ts';
import { type CountryPages, countryPagesOfList } from '../../domain/money/country-pages.ts';
import { type Money, readMoney, writeMoney } from '../../domain/money/money.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import { boundsOf, monthOf } from '../../store/deliveries/costs/cost-sums.ts';
import type { MonthCost, SubjectCost } from '../../store/deliveries/costs/costs-store.ts';
import type { CurrencyAt } from '../../store/deliveries/costs/count-costs.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
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
/** How many of the latest operations that may cost something are read. */
const maxOperations = 200;

/** An operation for a single message has a route. */
const summarySchema = z.object({ route: routeSchema });

export type Costs = ReturnType<typeof createCosts>;

interface CostDeps {
  workspaces: Pick<Workspaces, 'connection'>;
  checks: Pick<BalanceChecks, 'last'>;
  prices: Pick<EnteredPrices, 'list'>;
}

export function createCosts(context: Context, deps: CostDeps) {
  const { costs } = context.store;

  return {
    /**
     * Returns a lookup of the currency at a time, if the provider or its profile names it. Under an earlier key, it may have
     * been another account in another currency.
     */
    currencyAt: (workspaceId: string) => currencyAt(context, deps, workspaceId),

    /** Returns the currency of the account, ISO 4217, where it is known. */
    currency: async (workspaceId: string) => (await readAccount(context, deps, workspaceId)).currency,

    /** Returns the account's newest known balance; undefined before the provider has named one. */
    balance: async (workspaceId: string) => (await readAccount(context, deps, workspaceId)).balance,

    /** Estimates by the prices that were entered, else by what the provider reported in the last 30 days. */
    estimate: (workspaceId: string, message: { route: Route; pages: CountryPages }) =>
      estimateMessage(context, deps, workspaceId, message),

    /** Estimates what a campaign costs that is not started. */
    estimateCampaign: ({ workspaceId, route, counts, countries, countryPages }: Campaign) =>
      estimateMessage(context, deps, workspaceId, {
        route: routeSchema.parse(route),
        pages: countryPagesOfList({ pages: counts.pages, countries, countryPages }),
      }),

    /** Stores an estimate that is shown before sending, for afterwards. */
    async saveEstimate(subject: CostSubjectId, estimate: CostEstimate): Promise<void> {
      if (estimate.kind === 'unknown') {
        return costs.dropEstimate(subject);
      }
      const { total, perPage, prices, pages, unknownPages } = estimate;
      return costs.keepEstimate(subject, {
        total,
        perPage: prices.length === 1 ? perPage : undefined,
        pages,
        unknownPages,
      });
    },

    /** Returns the charge for a message, from its reports. */
    async ofOperation(operation: Operation, deliveries: readonly KnownCost[]): Promise<Charges | undefined> {
      const { workspaceId, key, createdAt } = operation;
      const stored = (await costs.of(workspaceId, 'operation', [key])).get(key);
      const recipients = countRecipients(operation);
      const reported = chargedByReports(
        deliveries.map(({ cost }) => cost),
        recipients === 0 ? 0 : Math.round((operation.pages ?? 0) / recipients),
      );
      // The total may not include recent reports yet. Single reports are deleted earlier than totals.
      const counted = stored?.charged ?? [];
      const charged = messagesOf(reported) < messagesOf(counted) ? counted : reported;
      const currencyOf = await currencyAt(context, deps, workspaceId);
      return chargesOf({ estimate: stored?.estimate, charged }, currencyOf(createdAt));
    },

    /** Returns the charges for a campaign so far. */
    async ofCampaign(campaign: StartedCampaign): Promise<Charges | undefined> {
      const { workspaceId, id, createdAt, startedAt = createdAt } = campaign;
      const cost = (await costs.of(workspaceId, 'campaign', [id])).get(id);
      const currencyOf = await currencyAt(context, deps, workspaceId);
      return cost && chargesOf(cost, currencyOf(startedAt));
    },
  };
}

type KnownCost = Pick<MessageDelivery, 'cost'>;
type StartedCampaign = Pick<Campaign, 'workspaceId' | 'id' | 'createdAt' | 'startedAt'>;

async function estimateMessage(
  context: Context,
  deps: CostDeps,
  workspaceId: string,
  message: { route: Route; pages: CountryPages },
): Promise<CostEstimate> {
  const [entered, account] = await Promise.all([
    deps.prices.list(workspaceId),
    readAccount(context, deps, workspaceId),
  ]);
  const { balance, currency, connectedAt } = account;
  const { costs } = context.store;
  // What the provider reported as charged for operations started since then.
  const since = Math.max(context.time.now().getTime() - reportsWindowMs, connectedAt);
  const operations = account.operations.filter(({ createdAt }) => createdAt.getTime() >= since);
  const campaigns = account.campaigns.filter(({ startedAt }) => startedAt >= since);
  const keys = operations.map(({ key }) => key);
  const ids = campaigns.flatMap(({ id }) => id ?? []);
  const [ofOperations, ofCampaigns] = await Promise.all([
    costs.of(workspaceId, 'operation', keys),
    costs.of(workspaceId, 'campaign', ids),
  ]);
  const chargesBy = (cost: SubjectCost | undefined, route: Route | undefined) =>
    cost === undefined || route === undefined ? [] : chargesOfSending(cost, route);
  const charges = [
    ...operations.flatMap(({ key, summary }) =>
      chargesBy(ofOperations.get(key), summarySchema.safeParse(summary).data?.route),
    ),
    ...campaigns.flatMap(({ id = '', route }) => chargesBy(ofCampaigns.get(id), readRoute(route))),
  ];
  return estimateCost(message, { entered, charges, balance, currency });
}

async function currencyAt(
  { dialect }: Context,
  { workspaces, checks }: CostDeps,
  workspaceId: string,
): Promise<CurrencyAt> {
  const [connection, checked] = await Promise.all([
    workspaces.connection(workspaceId),
    checks.last(workspaceId),
  ]);
  return currencyBy(connection, checked, dialect.currency);
}

/** Returns the spending and balance checks since the current key was set: an earlier key may be another account's. */
async function readAccount(
  { store, dialect, time }: Context,
  { workspaces, checks }: CostDeps,
  workspaceId: string,
) {
  const [connection, ofSubjects, checked] = await Promise.all([
    workspaces.connection(workspaceId),
    Promise.all(
      spendingSubjects.map((subject) => store.ledger.recent({ workspaceId, subject, limit: maxOperations })),
    ),
    checks.last(workspaceId),
  ]);
  // Newest first.
  const operations = ofSubjects
    .flat()
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, maxOperations);
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

function messagesOf(charged: SubjectCost['charged']): number {
  return charged.reduce((sum, { messages }) => sum + messages, 0);
}

/** What some messages cost together. Each amount is a decimal, a space and the currency, if known. */
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
      // Sums without a currency may include costs under an earlier key, whose currency is unknown.
      const currency = currencyOf(begunAt ?? boundsOf(month).from);
      const named = costs.map((cost) => ({ ...cost, currency: cost.currency || (currency ?? '') }));
      return {
        month,
        total: sumOf(named),
        byUser: [...Map.groupBy(named, ({ userId }) => userId)]
          .map(([userId, group]) => ({ userId, ...sumOf(group) }))
          .sort(byAmount),
        bySender: [...Map.groupBy(named, ({ senderId }) => senderId)]
          .map(([senderId, group]) => ({ senderId, ...sumOf(group) }))
          .sort(byAmount),
      };
    },
  };
}

function sumOf(costs: readonly MonthCost[]): CostSum {
  const amounts = [...Map.groupBy(costs, ({ currency }) => currency)].map(([currency, group]): Money => {
    const nanos = group.reduce((sum, { amount }) => sum + (readMoney(amount)?.nanos ?? 0n), 0n);
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
