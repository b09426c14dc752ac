import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import { neverReachedSlack } from './slack-errors.ts';

type Fetch = NonNullable<WebClientOptions['fetch']>;

const timeout = 10_000;
const attempts = 3;
const longestWait = 5_000;

/**
 * How the program talks to Slack's Web API. The client's own retries are off, since they post a message again after a
 * network error or a 500, when the first may well have arrived; what is safe to repeat is repeated by the `fetch` below.
 */
export function webClientOptions(apiUrl: URL | undefined, logger: Logger): WebClientOptions {
  return {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.href }),
    logger,
    timeout,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: fetchOnce,
  };
}

/** Repeats a request only when Slack cannot have taken it: the connection was never made, or it answered 429. */
const fetchOnce: Fetch = async (url, init) => {
  for (let attempt = 1; ; attempt += 1) {
    const pause = 200 * 2 ** attempt;
    try {
      const signal = init?.signal ?? AbortSignal.timeout(timeout);
      const response = await fetch(url, { ...init, signal });
      const retryAfter = Number(response.headers.get('retry-after')) * 1000 || pause;
      if (response.status !== 429 || attempt === attempts || retryAfter > longestWait) {
        return response;
      }
      await response.body?.cancel();
      await wait(retryAfter);
    } catch (error) {
      if (attempt === attempts || !neverReachedSlack(error)) {
        throw error;
      }
      await wait(pause);
    }
  }
};
