import type { FailureKind, ProviderError } from './errors.ts';

/**
 * How a call to the provider ended. The provider has no idempotency key, so what matters is not whether a call
 * failed but what is known of its fate:
 *
 * - `accepted`: the provider took it (a message is then with the provider, not yet on a handset);
 * - `rejected`: the provider said no, in its own words, and gave no receipt; nothing was done;
 * - `not_sent`: the request provably never left this program; nothing was done;
 * - `unconfirmed`: it left, and no clear answer came, or one that says yes and no. Whatever it was meant to do may have been done. For a read
 *   this says only that there is no answer; `error.sent` is then `no`.
 */
export type Outcome<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: FailureKind; readonly error: ProviderError };
