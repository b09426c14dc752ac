import { Agent, type Dispatcher } from 'undici';
import { startDeadline } from './deadline.ts';
import { type AbortReason, abortReasonOf, type Exchange, exchange } from './exchange.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';
import { pauseBeforeRetry, readRetryAfter } from './retry.ts';
import { pause, type Timing } from './timing.ts';

export interface TransportOptions {
  /** https, or http on loopback; may carry a path prefix. */
  readonly baseUrl: URL;
  /** Milliseconds to a connection, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds from a request to the head of its answer. */
  readonly headersTimeout: number;
  /** Milliseconds between two pieces of a body. */
  readonly bodyTimeout: number;
  /** Milliseconds for a whole call: waiting its turn, every attempt, every pause between them. */
  readonly totalTimeout: number;
  /** Connections to the provider, over all lanes. */
  readonly connections: number;
  /** Calls of one lane under way at once. */
  readonly concurrencyPerKey: number;
  readonly timing: Timing;
  /** How connections are made: a private CA, a lookup of one's own. Default: undici's. */
  readonly connect?: Agent.Options['connect'];
}

/** One request, complete: the transport adds nothing to it but the base address. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path under the base address, such as `/api/sms/send`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: NonNullable<Dispatcher.DispatchOptions['body']>;
  /** Whether the request does no harm when it arrives twice. */
  readonly repeatable: boolean;
  /** The largest answer to take in, in bytes. */
  readonly maxBytes: number;
}

/** The last exchange of a call, and what its answer says about coming back. */
export interface TransportResult extends Exchange {
  readonly retryAfter?: number;
}

export interface Transport {
  /** Never throws: whatever happened is in the delivery. */
  send(request: TransportRequest, lane: string, signal?: AbortSignal): Promise<TransportResult>;
  close(): Promise<void>;
}

/**
 * Carries requests to the provider over one pool of connections: each call takes its turn in its lane, is repeated
 * where that is safe, and is over when its deadline or its caller says so. Redirects are not followed.
 */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, timing } = options;
  const agent = new Agent({
    connections: options.connections,
    pipelining: 1,
    // On HTTP/2 undici requeues what a closing server left unanswered; here nothing is sent twice unasked.
    allowH2: false,
    connectTimeout: options.connectTimeout,
    headersTimeout: options.headersTimeout,
    bodyTimeout: options.bodyTimeout,
    ...(options.connect && { connect: options.connect }),
  });
  const lanes = createKeyedSemaphore(options.concurrencyPerKey);
  let closing: Promise<void> | undefined;
  const { origin } = baseUrl;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  const attemptUntilDone = async (request: TransportRequest, signal: AbortSignal, end: number) => {
    const dispatched: Dispatcher.DispatchOptions = {
      origin,
      path: `${prefix}${request.path}${queryOf(request)}`,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
    };
    for (let count = 1; ; count += 1) {
      const made = await exchange(agent, dispatched, { signal, maxBytes: request.maxBytes });
      const retryAfter = readRetryAfter(made.head?.headers['retry-after'], timing.now());
      const remaining = end - timing.elapsed();
      const { repeatable } = request;
      const again = pauseBeforeRetry(made, {
        count,
        repeatable,
        remaining,
        retryAfter,
        random: timing.random,
      });
      const delivery: TransportResult = retryAfter === undefined ? made : { ...made, retryAfter };
      if (again === undefined) {
        return delivery;
      }
      await pause(again, signal, timing);
      // Stopped while pausing: what is known of the last attempt says more than that we stopped.
      if (signal.aborted) {
        return delivery;
      }
    }
  };

  return {
    async send(request, lane, callerSignal) {
      const end = timing.elapsed() + options.totalTimeout;
      const { signal, clear: lift } = startDeadline(options.totalTimeout, timing, callerSignal);
      try {
        const leave = await lanes.acquire(lane, signal);
        if (leave === undefined) {
          return neverLeft(abortReasonOf(signal));
        }
        try {
          return await attemptUntilDone(request, signal, end);
        } finally {
          leave();
        }
      } finally {
        lift();
      }
    },
    close: () => {
      closing ??= agent.close();
      return closing;
    },
  };
}

function queryOf({ query }: TransportRequest): string {
  const written = query && new URLSearchParams(query).toString();
  return written ? `?${written}` : '';
}

function neverLeft(reason: AbortReason): TransportResult {
  return { phase: 'waiting', body: Buffer.alloc(0), failure: { reason } };
}
