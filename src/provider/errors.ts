import type { OperationName } from './operations.ts';

/**
 * How a request ended. The provider has no idempotency key, so the outcome says how much is known of its effect, not merely
 * whether it failed:
 *
 * - `accepted`: the provider accepted it. A message is then with the provider, not yet on a handset.
 * - `rejected`: the provider refused it, and its response holds no receipt. Nothing was done.
 * - `not_sent`: the request provably never left this process. Nothing was done.
 * - `unconfirmed`: it left, and the response is missing, unclear or contradictory. Its effect may have taken place. For
 *   a read this says only that there is no response; `error.sent` is then `no`.
 */
export type Outcome<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: FailureKind; readonly error: ProviderError };

export type FailureKind = 'rejected' | 'not_sent' | 'unconfirmed';

/** Why a request was not accepted. A closed list, so that a `switch` over it can be complete. */
export type Reason =
  // The request never left.
  | 'input' // a field breaks a rule; see `faults`
  | 'not_configured' // the dialect lacks the field that the operation needs
  | 'stopping' // the client is closed
  | 'unreachable' // no connection: refused, unknown host, no route, connect timeout
  | 'untrusted' // no trusted TLS connection
  // The request left, and no clear response came (`timed_out` and `cancelled` also occur before it leaves).
  | 'timed_out'
  | 'cancelled' // by the caller's signal
  | 'cut_off' // the connection broke
  | 'empty_answer'
  | 'unreadable_answer' // not what the API documents: HTML, broken JSON, a missing field, too large
  | 'server_error' // 5xx, 408
  // The provider refused.
  | 'redirected' // 3xx, never followed: the key would travel to another host
  | 'bad_key'
  | 'account_inactive'
  | 'balance_too_low'
  | 'no_route'
  | 'sender_id_unknown'
  | 'device_unknown'
  | 'device_limit'
  | 'country_inactive'
  | 'number_on_dnd'
  | 'invalid_number'
  | 'rate_limited'
  | 'not_found'
  | 'invalid_request'
  | 'refused';

/** The reasons of requests that no answer of the provider came to, or none that can be read. */
export const unanswered: ReadonlySet<string> = new Set<Reason>([
  'unreachable',
  'untrusted',
  'timed_out',
  'cut_off',
  'empty_answer',
  'unreadable_answer',
  'server_error',
]);

/** An input field that breaks a rule of the API. Never quotes the value. */
export interface InputFault {
  /** Path of the field, such as `to[3]` or `media.url`. */
  readonly field: string;
  readonly rule: string;
}

/** The facts of a failure, before they are put into sentences. */
export interface FailureFacts {
  readonly operation: OperationName;
  readonly reason: Reason;
  /** HTTP status, if a response came. */
  readonly status?: number | undefined;
  /** The provider's message, unwrapped, on one line, at most 300 characters. */
  readonly providerMessage?: string | undefined;
  /** The provider's error code from the body, as text. */
  readonly providerCode?: string | undefined;
  /** The id of a message that an answer names though it does not say clearly that the message was accepted. */
  readonly receiptId?: string | undefined;
  /** Milliseconds to wait, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** The system's code of a connection error, such as `ECONNREFUSED`. */
  readonly cause?: string | undefined;
  /** A sentence about this one failure, such as which field of the response is missing. */
  readonly detail?: string | undefined;
  /** Every field at fault, for the reason `input`. */
  readonly faults?: readonly InputFault[] | undefined;
}

/** Describes a request that was not accepted. Holds neither the key, nor a query string, nor the request's content. */
export interface ProviderError extends FailureFacts {
  /** Whether the request may have had an effect. Always `no` for a read. */
  readonly sent: 'no' | 'maybe';
  /** True only where the same request cannot take effect twice and may succeed later. */
  readonly retryable: boolean;
  /** For the user, in whole sentences: what happened, whether anything was sent, what to do next. */
  readonly message: string;
}

/** Thrown by an iterator over records where a page is not accepted, since a record leaves no room for an outcome. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: FailureKind;
  readonly error: ProviderError;

  constructor({ kind, error }: { readonly kind: FailureKind; readonly error: ProviderError }) {
    super(error.message);
    this.kind = kind;
    this.error = error;
  }
}
