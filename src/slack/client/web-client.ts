import type { Logger } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Fetch } from '../../lib/http/proxy.ts';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import { retryDelayMs, retryDelays } from '../../lib/time/retry-delays.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { traced } from '../../lib/tracing/tracing.ts';
import { neverReachedSlack } from './slack-errors.ts';

/** With the logger, which Bolt takes too. */
export type ClientOptions = WebClientOptions & { logger: Logger };

type ClientFetch = NonNullable<WebClientOptions['fetch']>;

const timeoutMs = 10_000;
const maxAttempts = 3;
const maxPauseMs = 5_000;

/**
 * Options for Slack's Web API client. Its own retries are off, since they post a message again after a network error or
 * a 500, when the first may well have arrived. `fetch` retries the calls that are safe to retry.
 */
export function webClientOptions(options: {
  apiUrl: URL | undefined;
  logger: Logger;
  timers: Timers;
  slackFetch?: SlackFetch | undefined;
}): ClientOptions {
  const { apiUrl, logger, timers, slackFetch = plainSlackFetch } = options;
  const apiPath = apiUrl?.pathname ?? '/api/';
  return {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.href }),
    logger,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: createFetch(timers, (url, init) => slackFetch(methodOf(url, init, apiPath), url, init)),
  };
}

/** Retries a request only when Slack cannot have accepted it: the connection was never made, or the answer is a 429. */
function createFetch(timers: Timers, fetchOnce: Fetch): ClientFetch {
  return async (url, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const backoffMs = retryDelayMs(retryDelays.slack, attempt);
      try {
        // The client passes a signal of its own; Bolt's `respond` passes none.
        const response = await (init?.signal
          ? fetchOnce(url, init)
          : withDeadline(
              timeoutMs,
              async (signal) => {
                const answer = await fetchOnce(url, { ...init, signal });
                // A deadline that is over would cut off a body that is read later.
                const body = await answer.arrayBuffer();
                return new Response(body.byteLength === 0 ? null : body, answer);
              },
              timers,
            ));
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

/** Returns the method of the Web API that a request calls; else what the client, or Bolt's `respond`, makes it for. */
function methodOf(url: Parameters<Fetch>[0], init: RequestInit | undefined, apiPath: string): string {
  const { pathname } = new URL(String(url));
  const method = pathname.startsWith(apiPath) ? pathname.slice(apiPath.length) : '';
  if (/^[a-z][A-Za-z0-9.]{0,63}$/.test(method)) {
    return method;
  }
  return init?.method === 'POST' && init.body instanceof FormData ? 'upload' : 'response_url';
}

/**
 * How a call of Slack ended.
 *
 * - `refused`: Slack answered with an error code.
 * - `rate_limited`: 429.
 * - `failed`: another status than 200.
 * - `unanswered`: no answer came, or not in time.
 */
export type SlackCallOutcome = 'ok' | 'refused' | 'rate_limited' | 'failed' | 'unanswered';

export type OnSlackCall = (call: { method: string; outcome: SlackCallOutcome; took: number }) => void;

/** Makes one request to Slack and observes it. `method`: a method of the Web API, or the purpose of the request. */
export type SlackFetch = (
  method: string,
  address: Parameters<Fetch>[0],
  init: RequestInit | undefined,
) => Promise<Response>;

export function createSlackFetch(options: {
  fetch: Fetch;
  onCall: OnSlackCall;
  elapsed: Stopwatch;
  log: Pick<Log, 'debug'>;
}): SlackFetch {
  const { onCall, elapsed, log } = options;
  return (method, address, init) =>
    traced(
      { name: `slack ${method}`, kind: 'client', attributes: { 'slack.method': method } },
      async (step) => {
        const from = elapsed();
        let outcome: SlackCallOutcome = 'unanswered';
        try {
          const response = await options.fetch(address, init);
          const read = await readOutcome(response, method);
          outcome = read.outcome;
          return read.response;
        } finally {
          const took = elapsed() - from;
          onCall({ method, outcome, took });
          step.set({ 'slack.outcome': outcome });
          log.debug({ method, outcome, ms: Math.round(took) }, 'Slack was called');
        }
      },
    );
}

/** What a download is called, beside the methods of the Web API. */
export const fileDownload = 'download';

/** A request without an observer. */
export const plainSlackFetch: SlackFetch = (_method, address, init) => fetch(address, init);

/** Slack: `ok` is the first field of an answer. */
const refusal = /^\s*\{\s*"ok"\s*:\s*false/;

/** Reads an answer of the Web API whole, to see whether the call succeeded. Other answers are not touched. */
async function readOutcome(
  response: Response,
  method: string,
): Promise<{ outcome: SlackCallOutcome; response: Response }> {
  if (response.status === 429) {
    return { outcome: 'rate_limited', response };
  }
  if (!response.ok) {
    return { outcome: 'failed', response };
  }
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (method === fileDownload || !isJson) {
    return { outcome: 'ok', response };
  }
  const text = await response.text();
  const outcome = refusal.test(text) ? 'refused' : 'ok';
  return { outcome, response: new Response(text, response) };
}
