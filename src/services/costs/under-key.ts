import type { Spending } from './spendings.ts';

/**
 * Drops what was named, or may have been, under the key before, which may be another account's: of what began before the
 * workspace was connected, only a campaign has later figures.
 *
 * @param connectedAt in milliseconds since 1970
 */
export function underKey(spending: Spending, connectedAt: number): Spending {
  const { what, from, balance, tooLowAt } = spending;
  if (from >= connectedAt) {
    return spending;
  }
  const isUnderIt = (at: number | undefined) => what === 'campaign' && at !== undefined && at >= connectedAt;
  return {
    ...spending,
    firstBalance: undefined,
    balance: isUnderIt(balance?.at) ? balance : undefined,
    tooLowAt: isUnderIt(tooLowAt) ? tooLowAt : undefined,
  };
}
