import type { Stopwatch } from '../../../lib/time/clock.ts';

/**
 * Limits the messages a second of one workspace's campaigns: a token bucket whose rate halves each time the provider
 * asks for less, and recovers step by step with each accepted request.
 */
export interface RateLimiter {
  /** Returns how many chunks of `size` messages may start now. */
  availableChunks(size: number): number;
  /** Returns the milliseconds until the next chunk may start. */
  msUntilAvailable(): number;
  /** Takes tokens for messages that start. A negative number returns tokens of messages that did not start after all. */
  consume(messages: number): void;
  /** Records an accepted request. */
  recordSuccess(): void;
  /** Called when the provider asks for less or is unreachable. `retryAfterMs` is the wait it asks for, if it does. */
  backOff(retryAfterMs?: number): void;
  /** Returns the milliseconds left of the current back-off; 0 when there is none. */
  backOffMs(): number;
}

const firstBackOffMs = 1_000;
const maxBackOffMs = 60_000;
/** The longest wait that is honoured: a timer cannot take every number the provider may send. */
const maxRetryAfterMs = 60 * 60_000;
/** In messages a second. */
const minRate = 1;
/** In seconds: unused tokens of this long may be spent at once. */
const burstSeconds = 0.1;
/** Successes until the full rate is reached again from none. */
const recoverySteps = 50;

/** The size of the bucket: at least one message, or none would ever start. */
function capacity(rate: number): number {
  return Math.max(1, rate * burstSeconds);
}

export function createRateLimiter(options: { messagesPerSecond: number; elapsed: Stopwatch }): RateLimiter {
  const { messagesPerSecond: maxRate, elapsed } = options;
  let rate = maxRate;
  /** May fall below zero, as a chunk is never cut to fit; the next one then waits longer. */
  let tokens = capacity(maxRate);
  let refilledAt = elapsed();
  let backOffUntil = 0;
  let backOffs = 0;

  function refill(): void {
    const now = elapsed();
    tokens = Math.min(capacity(rate), tokens + ((now - refilledAt) / 1000) * rate);
    refilledAt = now;
  }

  const backOffMs = () => Math.max(0, backOffUntil - elapsed());

  return {
    backOffMs,
    availableChunks(size) {
      refill();
      return backOffMs() > 0 || tokens <= 0 ? 0 : Math.ceil(tokens / size);
    },
    msUntilAvailable() {
      refill();
      return Math.max(backOffMs(), tokens > 0 ? 0 : (1 - tokens) * (1000 / rate));
    },
    consume(messages) {
      refill();
      tokens -= messages;
    },
    recordSuccess() {
      backOffs = 0;
      rate = Math.min(maxRate, rate + maxRate / recoverySteps);
    },
    backOff(retryAfterMs) {
      // Requests in flight together are refused together: they count once.
      if (backOffMs() === 0) {
        refill();
        backOffs += 1;
        rate = Math.max(Math.min(minRate, maxRate), rate / 2);
      }
      const ownMs = Math.min(maxBackOffMs, firstBackOffMs * 2 ** (backOffs - 1));
      backOffUntil = Math.max(backOffUntil, elapsed() + Math.min(maxRetryAfterMs, retryAfterMs ?? ownMs));
    },
  };
}
