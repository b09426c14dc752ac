import { retryDelayMs, retryDelays } from '../../../lib/time/retry-delays.ts';
/**
 * How many messages a second a workspace's campaigns may send together, on all instances: a token bucket. Its rate halves
 * each time the provider asks for less, and recovers step by step with each accepted request.
 */
export interface Pace {
  /** In messages a second. */
  rate: number;
  /** Messages that may start. Below zero after a chunk that was larger: a chunk is never cut to fit. */
  tokens: number;
  /** Milliseconds since 1970, with fractions, as `backOffUntil`. */
  refilledAt: number;
  backOffUntil: number;
  /** How often in a row the provider asked for less. */
  backOffs: number;
}

/** The responses' effects on the pace since the last turn. */
export interface PaceSignals {
  /** Accepted requests. */
  successes: number;
  /** Set where the provider asked for less, or could not be reached. */
  backOff?: { retryAfterMs?: number | undefined } | undefined;
}

/** What a turn may claim by the pace, and when the next one may. */
export interface PaceAfter {
  /** How many chunks could be claimed. */
  allowed: number;
  /** The milliseconds until the next chunk may be claimed; 0 where one may now. */
  waitMs: number;
  /** The milliseconds left of the back-off, or 0. */
  backOffMs: number;
}

export const paceRules = {
  /** The longest wait that is honoured: a timer cannot take every number the provider may send. */
  maxRetryAfterMs: 60 * 60_000,
  /** In messages a second. */
  minRate: 1,
  /** In seconds: unused tokens of this long may be spent at once. */
  burstSeconds: 0.1,
  /** Successes until the full rate is reached again from none. */
  recoverySteps: 50,
} as const;

/** The size of the bucket: at least one message, or none would ever start. */
const capacity = (rate: number): number => Math.max(1, rate * paceRules.burstSeconds);

/** The pace of a workspace that has sent nothing yet. */
export function fullPace(maxRate: number, at: number): Pace {
  return { rate: maxRate, tokens: capacity(maxRate), refilledAt: at, backOffUntil: 0, backOffs: 0 };
}

/** Returns the pace at a time: refilled, and adjusted by the responses. */
export function paceAt(
  before: Pace,
  { maxRate, successes, backOff, at }: PaceSignals & { maxRate: number; at: number },
): Pace {
  const { minRate, recoverySteps, maxRetryAfterMs } = paceRules;
  const passedMs = Math.max(0, at - before.refilledAt);
  const rate = Math.min(maxRate, before.rate + (successes * maxRate) / recoverySteps);
  const tokens = Math.min(
    capacity(rate),
    before.tokens + (passedMs / 1_000) * Math.min(maxRate, before.rate),
  );
  const backOffs = successes > 0 ? 0 : before.backOffs;
  // What lies further ahead was written while the clock was ahead.
  const backOffUntil = before.backOffUntil > at + maxRetryAfterMs ? 0 : before.backOffUntil;
  const pace = { rate, tokens, refilledAt: at, backOffUntil, backOffs };
  if (backOff === undefined) {
    return pace;
  }
  // Requests in flight together are refused together: they count once.
  const isFirst = backOffUntil <= at;
  const count = isFirst ? backOffs + 1 : Math.max(1, backOffs);
  const ownMs = retryDelayMs(retryDelays.campaign, count);
  return {
    ...pace,
    rate: isFirst ? Math.max(Math.min(minRate, maxRate), rate / 2) : rate,
    backOffs: count,
    backOffUntil: Math.max(backOffUntil, at + Math.min(maxRetryAfterMs, backOff.retryAfterMs ?? ownMs)),
  };
}

/** Returns how many chunks of `size` messages may start now. */
export function chunksAllowed({ tokens, refilledAt, backOffUntil }: Pace, size: number): number {
  return backOffUntil > refilledAt || tokens <= 0 ? 0 : Math.ceil(tokens / size);
}

/** Returns when the next chunk may start, once `messages` have started. */
export function paceAfter(
  { rate, tokens, refilledAt, backOffUntil }: Pace,
  messages: number,
): Omit<PaceAfter, 'allowed'> {
  const left = tokens - messages;
  const backOffMs = Math.max(0, backOffUntil - refilledAt);
  return { backOffMs, waitMs: Math.max(backOffMs, left > 0 ? 0 : (1 - left) * (1_000 / rate)) };
}
