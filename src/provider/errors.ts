import type { OperationName, Reason } from './operations.ts';
import { nextAfterDoubt, nothingDone, openings, operationInfo, reasons } from './response/error-messages.ts';

/** A field of the input that breaks a rule of the description. The value itself is never quoted. */
export interface InputFault {
  /** Path of the field, such as `to[3]` or `media.url`. */
  readonly field: string;
  readonly rule: string;
}

/** What is known of the failure, before it is put into words. */
export interface FailureFacts {
  readonly operation: OperationName;
  readonly reason: Reason;
  /** HTTP status, if one came. */
  readonly status?: number;
  /** The provider's own words, unwrapped, on one line, bounded. */
  readonly providerMessage?: string;
  /** The provider's own code in the body, as text. */
  readonly providerCode?: string;
  /** Milliseconds the provider asks us to wait. */
  readonly retryAfter?: number;
  /** The system's code for a fault of the connection, such as `ECONNREFUSED`. */
  readonly cause?: string;
  /** A sentence about this very failure, such as which field of the answer is missing. */
  readonly detail?: string;
  /** With reason `input`: every field at fault. */
  readonly faults?: readonly InputFault[];
}

/** What is known of a call that was not accepted. Carries neither the key, nor a query string, nor what was sent. */
export interface ProviderError extends FailureFacts {
  /** Whether the provider may have acted. Always `no` for a read. */
  readonly sent: 'no' | 'maybe';
  /** True only where doing the same again cannot do it twice, and may help. */
  readonly retryable: boolean;
  /** For a person, in whole sentences: what happened, whether anything was sent, what to do next. */
  readonly message: string;
}

export type FailureKind = 'rejected' | 'not_sent' | 'unconfirmed';

/** What passes by itself, so that the same call may succeed a little later. */
const passing: ReadonlySet<Reason> = new Set([
  'stopping',
  'unreachable',
  'timed_out',
  'cancelled',
  'cut_off',
  'empty_answer',
  'unreadable_answer',
  'server_error',
  'rate_limited',
]);

/** Completes the facts: whether anything was sent, whether to try again, and the words for it. */
export function providerError(kind: FailureKind, facts: FailureFacts): ProviderError {
  const sent = kind === 'unconfirmed' && operationInfo[facts.operation].effect !== 'read' ? 'maybe' : 'no';
  const retryable = sent === 'no' && passing.has(facts.reason);
  return { ...facts, sent, retryable, message: describe(kind, sent, facts) };
}

function describe(kind: FailureKind, sent: 'no' | 'maybe', facts: FailureFacts): string {
  const { noun, effect } = operationInfo[facts.operation];
  const { next } = reasons[facts.reason];
  const opening = kind === 'unconfirmed' ? openings.unconfirmed[effect] : openings[kind];
  const sentences = [
    opening.replace('{noun}', noun).replace('{Noun}', noun.charAt(0).toUpperCase() + noun.slice(1)),
    whatHappened(facts),
    kind === 'rejected' && nothingDone[effect],
    sent === 'maybe' ? nextAfterDoubt[effect] : (waitFirst(facts) ?? next),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** For a person, in whole sentences, without what came of it and what to do next. */
export function whatHappened({ reason, cause, faults, detail, providerMessage }: FailureFacts): string {
  const sentences = [
    reasons[reason].happened.replace('{cause}', cause ? ` (${cause})` : ''),
    faults?.map(({ field, rule }) => `${field}: ${rule}.`).join(' '),
    detail,
    providerMessage && `It says: “${providerMessage}”.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function waitFirst({ reason, retryAfter }: FailureFacts): string | undefined {
  if (retryAfter === undefined || !passing.has(reason)) {
    return undefined;
  }
  return `Try again in ${Math.max(1, Math.ceil(retryAfter / 1000))} s.`;
}
