import type { Logger } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { neverReachedSlack } from './slack-errors.ts';

type Fetch = NonNullable<WebClientOptions['fetch']>;

const timeoutMs = 10_000;
const maxAttempts = 3;
const maxPauseMs = 5_000;

/**
 * Options for Slack's Web API client. Its own retries are off, since they post a message again after a network error or
 * a 500, when the first may well have arrived; what is safe to retry is retried by `fetch`.
 */
export function webClientOptions(options: {
  apiUrl: URL | undefined;
  logger: Logger;
  timers: Timers;
}): WebClientOptions {
  const { apiUrl, logger, timers } = options;
  return {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.href }),
    logger,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: createFetch(timers),
  };
}

/** Retries a request only when Slack cannot have accepted it: the connection was never made, or the answer is a 429. */
function createFetch(timers: Timers): Fetch {
  return async (url, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const backoffMs = 200 * 2 ** attempt;
      try {
        // The client passes a signal of its own; Bolt's `respond` passes none.
        const response = await (init?.signal
          ? fetch(url, init)
          : withDeadline(timeoutMs, (signal) => fetchWhole(url, { ...init, signal }), timers));
        const retryAfterMs = Number(response.headers.get('retry-after')) * 1000 || backoffMs;
        if (response.status !== 429 || attempt === maxAttempts || retryAfterMs > maxPauseMs) {
          return response;
        }
        await response.body?.cancel();
        await timers.sleep(retryAfterMs);
      } catch (error) {
        if (attempt === maxAttempts || !neverReachedSlack(error)) {
          throw error;
        }
        await timers.sleep(backoffMs);
      }
    }
  };
}

/** Resolves once the body has arrived too: a deadline that is over cuts off a body that is read later. */
async function fetchWhole(url: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, response);
}
