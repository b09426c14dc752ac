import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { Spending, SpentOn } from './spendings.ts';

/** The balance of a workspace's account, as the provider’s answers show it. */
export interface Balance {
  /**
   * As the provider wrote it, followed by a space and the currency's ISO 4217 code where that is known. Undefined where
   * only a refusal is known.
   */
  amount?: string | undefined;
  /** When the provider named it. */
  at: Date;
  /** What may have cost something since: it is not in the figure. */
  before?: SpentOn | undefined;
  /** When the provider refused something since, because the balance was too low. */
  tooLowAt?: Date | undefined;
}

/** Returns the newest balance that any operation, campaign or test has shown, or the provider has named when asked. */
export function newestBalance(spendings: readonly Spending[]): Balance | undefined {
  const shown = newestFigure(spendings);
  const since = shown?.balance?.at ?? Number.NEGATIVE_INFINITY;
  const tooLow = Math.max(...spendings.map(({ tooLowAt = Number.NEGATIVE_INFINITY }) => tooLowAt));
  const tooLowAt = tooLow > since ? new Date(tooLow) : undefined;
  if (shown?.balance === undefined) {
    return tooLowAt && { at: tooLowAt, tooLowAt };
  }
  const { amount, at } = shown.balance;
  return { amount, at: new Date(at), before: lastUnaccounted(spendings, shown, at), tooLowAt };
}

/** The one with the newest figure. Of answers to requests that overlapped, the lowest figure is the newest. */
function newestFigure(spendings: readonly Spending[]): Spending | undefined {
  const shown = spendings.filter(({ balance }) => balance !== undefined);
  const latest = shown.reduce<Spending | undefined>(
    (newest, each) => (at(each) >= at(newest) ? each : newest),
    undefined,
  );
  if (latest === undefined || latest.what === 'campaign' || amount(latest) === undefined) {
    return latest;
  }
  const overlapping = shown.filter((each) => at(each) > latest.from && amount(each) !== undefined);
  return overlapping.reduce(
    (lowest, each) => ((amount(each) ?? 0n) < (amount(lowest) ?? 0n) ? each : lowest),
    latest,
  );
}

/** What the last was that may have cost something, named no balance, and ended after a time. */
function lastUnaccounted(
  spendings: readonly Spending[],
  shown: Spending,
  after: number,
): SpentOn | undefined {
  return spendings
    .filter((each) => each !== shown && each.mayCost && each.balance === undefined)
    .filter(({ to = Number.POSITIVE_INFINITY }) => to > after)
    .sort((one, other) => one.from - other.from)
    .flatMap(({ what }) => (what === 'check' ? [] : [what]))
    .at(-1);
}

/**
 * Adds the currency that the provider named, when it was asked for the balance, to the figures that name none. All are of
 * the same account, so they are in its currency.
 */
export function inAccountCurrency(spendings: readonly Spending[]): Spending[] {
  const checked = spendings.find(({ what }) => what === 'check')?.balance;
  const currency = checked && readMoney(checked.amount)?.currency;
  if (currency === undefined) {
    return [...spendings];
  }
  const named = (amount: string) => {
    const money = readMoney(amount);
    return money === undefined || money.currency !== undefined
      ? amount
      : writeMoney({ nanos: money.nanos, currency });
  };
  return spendings.map(({ balance, ...spending }) => ({
    ...spending,
    balance: balance && { ...balance, amount: named(balance.amount) },
  }));
}

function at(spending: Spending | undefined): number {
  return spending?.balance?.at ?? Number.NEGATIVE_INFINITY;
}

function amount({ balance }: Spending): bigint | undefined {
  return balance && readMoney(balance.amount)?.nanos;
}
