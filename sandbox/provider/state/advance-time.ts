import { addMinutes } from '../../lib/lagos-time.ts';
import { applyUploads } from '../phonebooks/phonebooks.ts';
import { reviewSenderIds } from '../sender-ids/sender-ids.ts';
import type { State } from './state.ts';

/** How long a pin is remembered after it has expired, so that it can be called expired. */
const minutesInMemory = 24 * 60;

/** Lets happen what comes by itself, as far as its time has come. */
export function advanceTime(state: State, now: Date): void {
  for (const account of state.accounts) {
    reviewSenderIds(account, now);
    applyUploads(account, now);
  }
  state.esimTokens = state.esimTokens.filter(({ expiresAt }) => new Date(expiresAt) > now);
  state.pins = state.pins.filter(({ expiresAt }) => addMinutes(new Date(expiresAt), minutesInMemory) > now);
}
