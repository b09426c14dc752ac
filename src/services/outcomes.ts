import type { Outcome } from '../provider/outcome.ts';
import { maskLongNumbers } from '../scrub.ts';
import type { Ending } from '../store/ledger.ts';

/** How a call to the provider is written into the ledger. What the provider said is kept without phone numbers. */
export function endingOf<T>(
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
      message: maskLongNumbers(message),
      ...(status === undefined ? {} : { status }),
      ...(providerMessage === undefined ? {} : { providerMessage: maskLongNumbers(providerMessage) }),
    },
  };
}
