import type { Account } from './state.ts';

/** An account as it stood when it was asked for. */
export type AccountView = Readonly<Omit<Account, 'balanceInKobo'>> & {
  /** In naira. */
  readonly balance: number;
};

export function viewOf({ balanceInKobo, ...account }: Account): AccountView {
  return { ...structuredClone(account), balance: balanceInKobo / 100 };
}
