import type { Exchange } from './exchange.ts';

const maxAttempts = 3;
const firstPause = 250;
const longestPause = 5_000;

/** Answers that say "not now": the same question may well be answered a moment later. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface Attempt {
  /** How many were made, this one included. */
  readonly count: number;
  /** Whether the request does no harm when it arrives twice. */
  readonly repeatable: boolean;
  /** Milliseconds left of the call's deadline. */
  readonly remaining: number;
  /** Milliseconds the provider asked us to wait. */
  readonly retryAfter: number | undefined;
  random(): number;
}

/**
 * How long to wait before the same request goes out again, in milliseconds; `undefined` when it must not, or when it
 * would not help. The one place that decides on a repetition: undici's own retry is never used.
 */
export function pauseBeforeRetry(exchange: Exchange, attempt: Attempt): number | undefined {
  if (!mayHelp(exchange)) {
    return undefined;
  }
  // What may have been read is not written again, unless reading it twice changes nothing.
  if (!attempt.repeatable && exchange.phase !== 'waiting') {
    return undefined;
  }
  if (attempt.count >= maxAttempts) {
    return undefined;
  }
  const pause = Math.max(backoff(attempt), attempt.retryAfter ?? 0);
  // A pause that outlasts the deadline only keeps a person waiting for the answer we have already.
  return pause < attempt.remaining ? pause : undefined;
}

function mayHelp({ head, failure }: Exchange): boolean {
  if (failure === undefined) {
    return head !== undefined && passing.has(head.status);
  }
  switch (failure.reason) {
    case 'unreachable':
    case 'timed_out':
    case 'cut_off':
      return true;
    // The caller has had enough, or the next try would meet the very same fault.
    case 'cancelled':
    case 'stopping':
    case 'untrusted':
    case 'unreadable_answer':
      return false;
  }
}

/** Exponential, with half of it left to chance so that callers who failed together do not return together. */
function backoff({ count, random }: Attempt): number {
  const full = Math.min(firstPause * 2 ** (count - 1), longestPause);
  return full / 2 + (full / 2) * random();
}

/** Milliseconds from `now` that a `Retry-After` names, in seconds or as an HTTP date. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') {
    return undefined;
  }
  if (/^\s*\d{1,9}\s*$/.test(header)) {
    return Number(header) * 1000;
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
