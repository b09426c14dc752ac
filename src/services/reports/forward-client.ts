import { createAgent, type WebProxy } from '../../lib/http/proxy.ts';
import { lookUpPublic } from '../../lib/http/public-address.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { ForwardedRequest } from '../../store/report-forwards/forward-rows.ts';

/** Why a request was not taken. */
export type ForwardFailure =
  | 'unreachable'
  | 'timed_out'
  | 'private_address'
  | 'not_allowed'
  | `status_${number}`;

/** Passes requests on, each once. */
export interface ForwardClient {
  /** Returns undefined once the request was taken, with an answer of 2xx. */
  send(url: URL, request: ForwardedRequest, signal: AbortSignal): Promise<ForwardFailure | undefined>;
  close(): Promise<void>;
}

/** Marks what was passed on, so that it is not passed on again where an address leads back here. */
export const forwardedHeader = 'x-switchboard-forwarded';

/** In milliseconds. */
const connectTimeout = 5_000;
const totalTimeout = 10_000;
/** To one host. */
const connections = 32;

/**
 * Connects to addresses of the internet only, and to this machine where that is allowed. A proxy resolves names itself:
 * it has to refuse what it should not reach. Redirects are not followed, and answers not read.
 */
export function createForwardClient(options: {
  /** The name of the header with the signature. */
  header: string;
  allowsLoopback: boolean;
  proxy: WebProxy | undefined;
  timers: Timers;
}): ForwardClient {
  const { header, allowsLoopback, proxy, timers } = options;
  const limits = {
    connections,
    pipelining: 1,
    connectTimeout,
    headersTimeout: totalTimeout,
    bodyTimeout: 1_000,
  };
  const agent = createAgent(proxy, {
    ...limits,
    ...(allowsLoopback ? {} : { connect: { lookup: lookUpPublic } }),
  });

  return {
    async send(url, { body, signature, contentType }, signal) {
      try {
        const status = await withDeadline(
          totalTimeout,
          async (deadline) => {
            const answer = await agent.request({
              origin: url.origin,
              path: `${url.pathname}${url.search}`,
              method: 'POST',
              headers: {
                ...(contentType === undefined ? {} : { 'content-type': contentType }),
                [header]: signature,
                [forwardedHeader]: '1',
              },
              body,
              signal: AbortSignal.any([deadline, signal]),
            });
            await answer.body.dump({ limit: 16 * 1024 }).catch(() => {});
            return answer.statusCode;
          },
          timers,
        );
        return status >= 200 && status < 300 ? undefined : `status_${status}`;
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => agent.destroy(),
  };
}

function failureOf(error: unknown): ForwardFailure {
  if (!(error instanceof Error)) {
    return 'unreachable';
  }
  const code = 'code' in error ? error.code : undefined;
  if (code === 'SWITCHBOARD_PRIVATE_ADDRESS') {
    return 'private_address';
  }
  const isLate =
    error.name === 'TimeoutError' || error.name === 'AbortError' || error.name === 'HeadersTimeoutError';
  return isLate ? 'timed_out' : 'unreachable';
}
