import { agencyAccount, harbourAccount, marketAccount } from './seed-accounts.ts';
import type { State } from './state.ts';

/** The provider's state on its first start. */
export function seedState(now: Date): State {
  return {
    accounts: [marketAccount(now), agencyAccount(now), harbourAccount(now)],
    record: [],
    pins: [],
    esimTokens: [],
    emptiedPhonebooks: [],
  };
}
