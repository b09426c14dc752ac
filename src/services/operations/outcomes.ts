import { maskPersonal } from '../../lib/redact.ts';
import type { Outcome, ProviderError } from '../../provider/errors.ts';
import type { Ending } from '../../store/operations/ledger.ts';

/** Maps a provider's outcome to an ending for the ledger. The provider's own words are kept without phone numbers. */
export function toEnding<T>(
  outcome: Outcome<T>,
  accepted: (value: T) => Omit<Ending, 'state' | 'error'>,
): Ending {
  if (outcome.kind === 'accepted') {
    return { state: 'accepted', ...accepted(outcome.value) };
  }
  const { reason, message, status, providerMessage } = outcome.error;
  return {
    state: outcome.kind,
    error: {
      reason,
      message: maskPersonal(message),
      ...(status === undefined ? {} : { status }),
      ...(providerMessage === undefined ? {} : { providerMessage: maskPersonal(providerMessage) }),
    },
  };
}

/** What a workspace's provider answered to a read. */
export type ProviderAnswer<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'failed'; error: ProviderError }
  | { kind: 'not_connected' };

export function toAnswer<T>(outcome: Outcome<T>): ProviderAnswer<T> {
  return outcome.kind === 'accepted'
    ? { kind: 'answered', value: outcome.value }
    : { kind: 'failed', error: outcome.error };
}
