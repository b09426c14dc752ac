import { type Money, readMoney, roundNanos } from '../../domain/money/money.ts';
import type { Spending } from './spendings.ts';

/** In milliseconds. Answers that came close together may have come out of order, so only one figure of each span counts. */
export const spanMs = 15 * 60_000;

export interface Spent {
  money: Money;
  /** Whether a part of it is the share of a fall that began before. */
  isSpread: boolean;
}

/**
 * Returns what was spent since a time, as the falls of the balance show it: undefined where none is known, or the
 * figures are not in one currency. A rise is a top-up, and what was spent beside one within a quarter of an hour does not
 * show. What fell since the last figure before the time, of which nobody knows when it fell, counts by its share of the time.
 */
export function spentSince(spendings: readonly Spending[], since: number): Spent | undefined {
  const figures = figuresOf(spendings);
  const before = figures.findLast(({ at }) => at < since);
  const within = figures.filter(({ at }) => at >= since);
  const counted = [
    ...(before === undefined ? [] : [before]),
    ...within.filter(
      ({ at }, index) =>
        (index === 0 && before === undefined) || spanOf(at) !== spanOf(within[index + 1]?.at ?? Number.NaN),
    ),
  ];
  const currency = counted[0]?.money.currency;
  if (counted.some(({ money }) => money.currency !== currency)) {
    return undefined;
  }
  const falls = counted.flatMap((figure, index) => fallBetween(counted[index - 1], figure, since));
  const nanos = falls.reduce((sum, fall) => sum + fall, 0n);
  const isSpread = before !== undefined && (falls[0] ?? 0n) > 0n;
  return nanos > 0n ? { money: { nanos, currency }, isSpread } : undefined;
}

interface Figure {
  at: number;
  money: Money;
}

/** Returns the fall from one figure to the next: none for a rise, and of one that began before a time, its share since. */
function fallBetween(before: Figure | undefined, after: Figure, since: number): bigint[] {
  if (before === undefined) {
    return [];
  }
  const nanos = before.money.nanos - after.money.nanos;
  if (nanos <= 0n) {
    return [0n];
  }
  if (before.at >= since) {
    return [nanos];
  }
  const share = (nanos * BigInt(after.at - since)) / BigInt(after.at - before.at);
  return [roundNanos(share, shareDecimals)];
}

const shareDecimals = 2;

/** The figures that the provider named, in the order of their times. */
function figuresOf(spendings: readonly Spending[]): Figure[] {
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
