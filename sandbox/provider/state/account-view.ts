import type { AccountState } from './state.ts';

/** An account as it stood when it was asked for. */
export type AccountView = Readonly<Omit<AccountState, 'balanceInKobo'>> & {
  /** In naira. */
  readonly balance: number;
};

export function accountViewOf({ balanceInKobo, ...account }: AccountState): AccountView {
  return { ...structuredClone(account), balance: balanceInKobo / 100 };
}
