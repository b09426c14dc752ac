import type { Outcome, ProviderError, Reason } from '../../../provider/errors.ts';
import type { SendResult } from '../../../provider/response/send-result.ts';
import type { ChunkEnding } from '../../../store/campaigns/campaigns.ts';
import { toEnding } from '../../operations/outcomes.ts';

/** What a response means for the chunk that was sent, and for the campaign. */
export interface SendClassification {
  ending: Omit<ChunkEnding, 'number'>;
  /**
   * - `continue`: nothing is wrong;
   * - `slow_down`: nothing was accepted, and a later request may be; the chunk waits;
   * - `pause`: every other chunk would be refused as well; this one waits too, unless it may have been accepted;
   * - `rejected`, `unclear`: the campaign continues, unless there are too many in a row.
   */
  effect: 'continue' | 'slow_down' | 'pause' | 'rejected' | 'unclear';
  /** The milliseconds that the provider asks to wait. */
  retryAfterMs?: number | undefined;
}

/** Refusals of the account, the sender ID or the route: they hold for every recipient until somebody acts. */
const pausingReasons: ReadonlySet<Reason> = new Set([
  'bad_key',
  'balance_too_low',
  'sender_id_unknown',
  'no_route',
  'not_configured',
  'input',
  'redirected',
  'untrusted',
]);

export function classifySendResult(outcome: Outcome<SendResult>): SendClassification {
  const { providerId, receiptId, balance, error } = toEnding(outcome, ({ messageId, ...result }) => ({
    providerId: messageId,
    balance: result.balance,
  }));
  if (outcome.kind === 'accepted') {
    return { ending: { state: 'accepted', providerId, balance }, effect: 'continue' };
  }
  const { reason, retryAfter: retryAfterMs } = outcome.error;
  if (outcome.kind === 'unconfirmed') {
    const effect = pausingReasons.has(reason) ? 'pause' : 'unclear';
    return { ending: { state: 'unconfirmed', receiptId, error }, effect, retryAfterMs };
  }
  const effect = effectOfRejection(outcome.error);
  const state = effect === 'rejected' ? 'rejected' : 'waiting';
  return { ending: { state, error }, effect, retryAfterMs };
}

function effectOfRejection({ retryable, reason }: ProviderError): 'slow_down' | 'pause' | 'rejected' {
  if (retryable) {
    return 'slow_down';
  }
  return pausingReasons.has(reason) ? 'pause' : 'rejected';
}
