import { type Money, readMoney } from '../../domain/money/money.ts';
import type { Spending } from './spendings.ts';

/** In milliseconds. Answers that came close together may have come out of order, so only one figure of each span counts. */
const spanMs = 15 * 60_000;

/**
 * Returns what was spent since a time, as the falls of the balance show it: undefined where none is known, or the
 * figures are not in one currency. A rise is a top-up. What was spent beside one within a quarter of an hour does not show,
 * so the sum is never too high.
 */
export function spentSince(spendings: readonly Spending[], since: number): Money | undefined {
  const figures = figuresOf(spendings).filter(({ at }) => at >= since);
  const [first] = figures;
  const counted = figures.filter(
    ({ at }, index) => index === 0 || spanOf(at) !== spanOf(figures[index + 1]?.at ?? Number.NaN),
  );
  if (first === undefined || counted.some(({ money }) => money.currency !== first.money.currency)) {
    return undefined;
  }
  const nanos = counted
    .slice(1)
    .map(({ money }, index) => (counted[index] ?? first).money.nanos - money.nanos)
    .filter((fall) => fall > 0n)
    .reduce((sum, fall) => sum + fall, 0n);
  return nanos > 0n ? { nanos, currency: first.money.currency } : undefined;
}

/** The figures that the provider named, in the order of their times. */
function figuresOf(spendings: readonly Spending[]): { at: number; money: Money }[] {
  return spendings
    .flatMap(({ what, from, balance, firstBalance }) => [
      ...(what === 'campaign' && firstBalance !== undefined ? [{ at: from, amount: firstBalance }] : []),
      ...(balance === undefined ? [] : [balance]),
    ])
    .flatMap(({ at, amount }) => {
      const money = readMoney(amount);
      return money === undefined ? [] : [{ at, money }];
    })
    .sort((one, other) => one.at - other.at);
}

function spanOf(at: number): number {
  return Math.floor(at / spanMs);
}

const dayMs = 24 * 60 * 60_000;

/** How long a balance lasts, in milliseconds, where as much is spent each day as was in the last one. */
export function lastsFor(balance: Money, spentInADay: Money): number | undefined {
  if (balance.currency !== spentInADay.currency || spentInADay.nanos <= 0n) {
    return undefined;
  }
  const left = balance.nanos > 0n ? balance.nanos : 0n;
  return Number((left * BigInt(dayMs)) / spentInADay.nanos);
}
