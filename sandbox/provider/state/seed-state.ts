import { agencyAccount, harbourAccount, marketAccount } from './seed-accounts.ts';
import type { AccountState, State } from './state.ts';

/** The provider's state on its first start. */
export function seedState(now: Date, others: readonly AccountState[] = []): State {
  return {
    accounts: [marketAccount(now), agencyAccount(now), harbourAccount(now), ...structuredClone(others)],
    record: [],
    inbox: [],
    pins: [],
    esimTokens: [],
    emptiedPhonebooks: [],
  };
}
