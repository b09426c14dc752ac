import { type Money, readMoney, writeMoney } from '../../domain/money/money.ts';
import { boundsOf, monthOf } from '../../store/deliveries/costs/cost-sums.ts';
import type { MonthCost } from '../../store/deliveries/costs/costs-store.ts';
import type { Context } from '../context.ts';
import type { Costs } from './costs.ts';

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
