import type { Route } from '../../domain/messages/routes.ts';
import { type Money, readMoney, roundNanos, writeMoney } from '../../domain/money/money.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { CampaignRepository } from '../../store/campaigns/campaign-repository.ts';
import type { Ledger } from '../../store/operations/ledger.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { inAccountCurrency } from './account-currency.ts';
import { type Balance, newestBalance } from './balance.ts';
import type { BalanceChecks } from './balance-checks.ts';
import { lastsFor, spentSince } from './pace.ts';
import { medianPrice, observePrices, type PriceObservation } from './prices.ts';
import { ofCampaign, ofCheck, ofOperation, type Spending } from './spendings.ts';

/**
 * What a message will probably cost. Amounts are decimals, followed by a space and the currency's ISO 4217 code where that
 * is known: `20400 NGN`.
 */
export type CostEstimate =
  /** No fall of the balance has shown yet what a page costs on this route. */
  | { kind: 'unknown'; balance?: Balance | undefined }
  | {
      kind: 'known';
      perPage: string;
      /** Whether the price was learned in the last 30 days; otherwise it is older. */
      isRecent: boolean;
      total: string;
      balance?: Balance | undefined;
      /** How many pages the balance pays for. */
      enoughFor?: number | undefined;
      /** Whether the balance is less than the total. */
      isShort: boolean;
    };

/** Whether the balance is known to pay for less than the whole message. */
export function isBalanceShort(cost: CostEstimate | undefined): boolean {
  return cost?.kind === 'known' && cost.isShort;
}

export interface Costs {
  estimate(workspaceId: string, message: { route: Route; pages: number }): Promise<CostEstimate>;
  /** Returns the account's newest known balance; undefined before the provider has named one. */
  balance(workspaceId: string): Promise<Balance | undefined>;
  /** Returns the balance, and how long it lasts at the pace of the last day. */
  outlook(workspaceId: string): Promise<BalanceOutlook>;
}

export interface BalanceOutlook {
  balance?: Balance | undefined;
  /** What the falls of the balance show to have been spent in the last 24 hours. */
  spentInADay?: string | undefined;
  /** In milliseconds; undefined where the pace is not known. */
  lastsFor?: number | undefined;
}

/** In milliseconds. */
const dayMs = 24 * 60 * 60_000;
/** In milliseconds: prices that were learned within it come before older ones. */
const recentMs = 30 * dayMs;

/** In milliseconds: what was paid earlier tells nothing of today's prices. */
const windowMs = 90 * 24 * 60 * 60_000;
/** The latest operations that are read. */
const maxOperations = 200;
const perPageDecimals = 4;
const totalDecimals = 2;

export function createCosts(options: {
  ledger: Pick<Ledger, 'recent'>;
  campaigns: Pick<CampaignRepository, 'spendings'>;
  workspaces: Pick<Workspaces, 'connection'>;
  checks: Pick<BalanceChecks, 'last'>;
  /** What was spent between the back-up and this time is not known. */
  restoredAt: Date | undefined;
  clock: Clock;
}): Costs {
  const { ledger, campaigns, workspaces, checks, clock } = options;
  const restoredAt = options.restoredAt?.getTime() ?? Number.NEGATIVE_INFINITY;

  /** Returns what was spent by the connected account. With another key, balance and prices are another account's. */
  async function readSpendings(workspaceId: string): Promise<Spending[]> {
    const [connection, operations, checked] = await Promise.all([
      workspaces.connection(workspaceId),
      ledger.recent({ workspaceId, limit: maxOperations }),
      checks.last(workspaceId),
    ]);
    // Before the oldest operation that was read, there may be others between two known balances.
    const oldest = operations.length < maxOperations ? undefined : operations.at(-1)?.createdAt;
    const since = Math.max(
      clock().getTime() - windowMs,
      connection?.at.getTime() ?? 0,
      oldest?.getTime() ?? 0,
    );
    const started = await campaigns.spendings(workspaceId, new Date(since));
    const all = [
      ...operations.flatMap((operation) => ofOperation(operation) ?? []),
      ...started.map(ofCampaign),
      // One that was asked under the key before may be another account's.
      ...(checked === undefined || checked.from < since ? [] : [ofCheck(checked)]),
    ];
    return inAccountCurrency(all.filter(({ to = Number.POSITIVE_INFINITY }) => to >= since));
  }

  return {
    async estimate(workspaceId, { route, pages }) {
      const spendings = await readSpendings(workspaceId);
      const balance = newestBalance(spendings);
      const { before = [], after = [] } = Object.groupBy(spendings, ({ from }) =>
        from < restoredAt ? 'before' : 'after',
      );
      const observed = [...observePrices(before), ...observePrices(after)];
      const since = clock().getTime() - recentMs;
      const recent = medianPrice(
        observed.filter(({ at }) => at >= since),
        route,
      );
      const price = recent ?? medianPrice(observed, route);
      return price === undefined
        ? { kind: 'unknown', balance }
        : { ...estimateBy(price, pages, balance), isRecent: recent !== undefined };
    },

    balance: async (workspaceId) => newestBalance(await readSpendings(workspaceId)),

    async outlook(workspaceId) {
      const spendings = await readSpendings(workspaceId);
      const balance = newestBalance(spendings);
      const spent = spentSince(spendings, clock().getTime() - dayMs);
      const held = balance?.amount === undefined ? undefined : readMoney(balance.amount);
      return {
        balance,
        spentInADay: spent && writeMoney(spent),
        lastsFor: held && spent && lastsFor(held, spent),
      };
    },
  };
}

/** Calculates with the exact fall and its pages, and rounds once. */
function estimateBy(
  { fall, pages: paidPages }: PriceObservation,
  pages: number,
  balance: Balance | undefined,
): Omit<Extract<CostEstimate, { kind: 'known' }>, 'isRecent'> {
  const { currency } = fall;
  const total = (fall.nanos * BigInt(pages)) / BigInt(paidPages);
  const figure = balance?.amount === undefined ? undefined : readMoney(balance.amount);
  const held = figure?.currency === currency ? figure : undefined;
  return {
    kind: 'known',
    perPage: writeMoney({ nanos: roundNanos(fall.nanos / BigInt(paidPages), perPageDecimals), currency }),
    total: writeMoney({ nanos: roundNanos(total, totalDecimals), currency }),
    balance,
    ...(held === undefined ? {} : { enoughFor: pagesFor(held, { fall, pages: paidPages }) }),
    isShort: held === undefined ? balance?.tooLowAt !== undefined : held.nanos < total,
  };
}

function pagesFor({ nanos }: Money, { fall, pages }: Pick<PriceObservation, 'fall' | 'pages'>): number {
  return nanos <= 0n ? 0 : Number((nanos * BigInt(pages)) / fall.nanos);
}
