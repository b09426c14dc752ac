import { agencyAccount, harbourAccount, marketAccount } from './seed-accounts.ts';
import type { State } from './state.ts';

/** What the provider knows on its first day. */
export function seedState(now: Date): State {
  return {
    accounts: [marketAccount(now), agencyAccount(now), harbourAccount(now)],
    record: [],
    pins: [],
    esimTokens: [],
    emptiedPhonebooks: [],
  };
}
