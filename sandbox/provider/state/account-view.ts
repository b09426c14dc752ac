import type { AccountState } from './state.ts';

/** A copy of an account at one point in time. */
export type AccountView = Readonly<Omit<AccountState, 'balanceInKobo'>> & {
  /** In naira. */
  readonly balance: number;
};

export function accountViewOf({ balanceInKobo, ...account }: AccountState): AccountView {
  return { ...structuredClone(account), balance: balanceInKobo / 100 };
}
