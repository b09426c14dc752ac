import { retryDelayMs, retryDelays } from '../../lib/time/retry-delays.ts';
import type { Exchange } from './exchange.ts';

const maxAttempts = 3;

/** Statuses of a fault that passes: the same request may succeed a moment later. */
const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface Attempt {
  /** Attempts made so far, this one included. */
  readonly count: number;
  /** Whether the request is harmless when it arrives twice. */
  readonly repeatable: boolean;
}

/**
 * Whether the same request may go out again. The only place that decides on a repetition: undici's own retry is never
 * used.
 */
export function shouldRetry(exchange: Exchange, { count, repeatable }: Attempt): boolean {
  // What the provider may have read is written again only where a second arrival changes nothing.
  const isSafe = repeatable || exchange.phase === 'waiting';
  return isSafe && isTransient(exchange) && count < maxAttempts;
}

function isTransient({ head, failure }: Exchange): boolean {
  if (failure === undefined) {
    return head !== undefined && transientStatuses.has(head.status);
  }
  switch (failure.reason) {
    case 'unreachable':
    case 'timed_out':
    case 'cut_off':
      return true;
    // The caller cancelled, or the next attempt would meet the same fault.
    case 'cancelled':
    case 'stopping':
    case 'untrusted':
    case 'unreadable_answer':
      return false;
  }
}

/** Milliseconds before the next attempt: exponential, with half of it random, and at least `retryAfter`. */
export function retryDelay(count: number, retryAfter: number | undefined, random: () => number): number {
  const full = retryDelayMs(retryDelays.request, count);
  // Randomness keeps callers that failed together from returning together.
  return Math.max(full / 2 + (full / 2) * random(), retryAfter ?? 0);
}

/** Milliseconds from `now` until the moment that a `Retry-After` names, in seconds or as an HTTP date. */
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
