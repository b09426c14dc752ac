import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { Spending } from './spendings.ts';

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
  return spendings.map(({ balance, firstBalance, ...spending }) => ({
    ...spending,
    balance: balance && { ...balance, amount: named(balance.amount) },
    firstBalance: firstBalance && named(firstBalance),
  }));
}
