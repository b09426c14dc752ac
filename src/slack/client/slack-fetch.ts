import type { Fetch } from '../../lib/http/proxy.ts';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import { traced } from '../../lib/tracing/tracing.ts';

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

/** Makes one request to Slack and observes it. `method` is one of the Web API, or names what the request is for. */
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

/** Reads an answer of the Web API whole, to see whether Slack did what was asked; others are left as they are. */
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
