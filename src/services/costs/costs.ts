import { z } from 'zod';
import { type Route, readRoute, routeSchema } from '../../domain/messages/routes.ts';
import type { CountryPages } from '../../domain/money/country-pages.ts';
import { readMoney } from '../../domain/money/money.ts';
import type { CampaignSpending } from '../../store/campaigns/campaign-spendings.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { SubjectCost } from '../../store/costs/costs-store.ts';
import type { CurrencyAt } from '../../store/costs/count-costs.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { CostSubject } from '../../store/schema/deliveries.ts';
import type { Context } from '../context.ts';
import { countRecipients } from '../operations/operations.ts';
import type { Connection } from '../workspaces/connections.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import {
  type Balance,
  inAccountCurrency,
  newestBalance,
  ofCampaign,
  ofCheck,
  ofOperation,
  spendingSubjects,
  underKey,
} from './balance.ts';
import type { BalanceChecks } from './balance-checks.ts';
import { type Charges, chargedByReports, chargesOf } from './charges.ts';
import type { EnteredPrices } from './entered-prices.ts';
import { type CostEstimate, chargesOfSending, estimateCost, type ReportedCharge } from './estimate.ts';

export interface Costs {
  /** Estimates by the prices that were entered, else by what the provider reported in the last 30 days. */
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
  /** Returns the currency of the account, ISO 4217, where it is known. */
  currency(workspaceId: string): Promise<string | undefined>;
  /** Returns the account's newest known balance; undefined before the provider has named one. */
  balance(workspaceId: string): Promise<Balance | undefined>;
}

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

export function createCosts(
  { store, dialect, time: { now: clock } }: Context,
  {
    workspaces,
    checks,
    prices,
  }: {
    workspaces: Pick<Workspaces, 'connection'>;
    checks: Pick<BalanceChecks, 'last'>;
    prices: Pick<EnteredPrices, 'list'>;
  },
): Costs {
  const { ledger, campaigns, costs } = store;

  /** Returns what was sent and asked under the connected key: with another one, the balance is another account's. */
  async function readAccount(workspaceId: string) {
    const [connection, operations, checked] = await Promise.all([
      workspaces.connection(workspaceId),
      readOperations(workspaceId),
      checks.last(workspaceId),
    ]);
    const connectedAt = connectedSince(connection);
    const since = Math.max(clock().getTime() - balanceWindowMs, connectedAt);
    const started = await campaigns.spendings(workspaceId, new Date(since));
    const spendings = [
      ...operations.flatMap((operation) => ofOperation(operation) ?? []),
      ...started.map(ofCampaign),
      ...(checked === undefined ? [] : [ofCheck(checked)]),
    ]
      .filter(({ to = Number.POSITIVE_INFINITY }) => to >= since)
      .map((spending) => underKey(spending, connectedAt));
    const balance = newestBalance(inAccountCurrency(spendings));
    const currency =
      (balance?.amount === undefined ? undefined : readMoney(balance.amount)?.currency) ??
      currencyBy(connection, checked?.amount)(clock().getTime());
    return { balance, currency, operations, campaigns: started, connectedAt };
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

  /** Returns what the provider charged for these, as it reported. */
  async function readCharges(
    workspaceId: string,
    sent: { operations: readonly Operation[]; campaigns: readonly CampaignSpending[] },
  ): Promise<ReportedCharge[]> {
    const [ofOperations, ofCampaigns] = await Promise.all([
      costs.of(
        workspaceId,
        'operation',
        sent.operations.map(({ key }) => key),
      ),
      costs.of(
        workspaceId,
        'campaign',
        sent.campaigns.flatMap(({ id }) => id ?? []),
      ),
    ]);
    const chargesBy = (cost: SubjectCost | undefined, route: Route | undefined) =>
      cost === undefined || route === undefined ? [] : chargesOfSending(cost, route);
    return [
      ...sent.operations.flatMap((operation) =>
        chargesBy(ofOperations.get(operation.key), routeOf(operation)),
      ),
      ...sent.campaigns.flatMap(({ id = '', route }) => chargesBy(ofCampaigns.get(id), readRoute(route))),
    ];
  }

  /** In milliseconds since 1970: while no key is connected, nothing that was is of an account. */
  const connectedSince = (connection: Connection | undefined) => (connection?.at ?? clock()).getTime();

  function currencyBy(connection: Connection | undefined, checkedAmount: string | undefined): CurrencyAt {
    const named = checkedAmount === undefined ? undefined : readMoney(checkedAmount)?.currency;
    const connectedAt = connection?.at.getTime() ?? Number.POSITIVE_INFINITY;
    return (begunAt) => (begunAt >= connectedAt ? named : undefined) ?? dialect.currency;
  }

  async function currencyAt(workspaceId: string): Promise<CurrencyAt> {
    const [connection, checked] = await Promise.all([
      workspaces.connection(workspaceId),
      checks.last(workspaceId),
    ]);
    return currencyBy(connection, checked?.amount);
  }

  return {
    async estimate(workspaceId, message) {
      const [entered, account] = await Promise.all([prices.list(workspaceId), readAccount(workspaceId)]);
      const { balance, currency, connectedAt } = account;
      const since = Math.max(clock().getTime() - reportsWindowMs, connectedAt);
      const charges = await readCharges(workspaceId, {
        operations: account.operations.filter(({ createdAt }) => createdAt.getTime() >= since),
        campaigns: account.campaigns.filter(({ startedAt }) => startedAt >= since),
      });
      return estimateCost(message, { entered, charges, balance, currency });
    },

    async keepEstimate(subject, estimate) {
      if (estimate.kind === 'unknown') {
        await costs.dropEstimate(subject);
        return;
      }
      const { total, perPage, prices, unknown } = estimate;
      await costs.keepEstimate(subject, {
        total,
        perPage: prices.length === 1 ? perPage : undefined,
        pages: sumOfPages(prices),
        unknownPages: sumOfPages(unknown),
      });
    },

    async ofOperation(operation, deliveries) {
      const { workspaceId, key, pages = 0 } = operation;
      const found = await costs.of(workspaceId, 'operation', [key]);
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
      const cost = (await costs.of(workspaceId, 'campaign', [id])).get(id);
      const currencyOf = await currencyAt(workspaceId);
      return cost && chargesOf(cost, currencyOf(startedAt.getTime()));
    },

    currencyAt,

    currency: async (workspaceId) => (await readAccount(workspaceId)).currency,

    balance: async (workspaceId) => (await readAccount(workspaceId)).balance,
  };
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
