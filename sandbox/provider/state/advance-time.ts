import { addMinutes } from '../../lib/lagos-time.ts';
import { applyUploads } from '../phonebooks/phonebooks.ts';
import { reviewSenderIds } from '../sender-ids/sender-ids.ts';
import type { State } from './state.ts';

/** An expired pin is kept for a day, so that its verification can answer "Expired". */
const expiredPinMinutes = 24 * 60;

/** Applies what is due: reviews, uploads, expired tokens and pins. */
export function advanceTime(state: State, now: Date): void {
  for (const account of state.accounts) {
    reviewSenderIds(account, now);
    applyUploads(account, now);
  }
  state.esimTokens = state.esimTokens.filter(({ expiresAt }) => new Date(expiresAt) > now);
  state.pins = state.pins.filter(({ expiresAt }) => addMinutes(new Date(expiresAt), expiredPinMinutes) > now);
}
