import type { Agent, Dispatcher } from 'undici';
import { createAgent, type WebProxy } from '../../lib/http/proxy.ts';
import { retryDelayMs, retryDelays } from '../../lib/time/retry-delays.ts';
import { abortReasonOf, type Exchange, exchange } from './exchange.ts';
import { delay, startDeadline, type Timing } from './timing.ts';

export interface TransportOptions {
  /** https, or http on loopback; may have a path prefix. */
  readonly baseUrl: URL;
  /** Milliseconds until a connection is open, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds from a request to the head of its response. */
  readonly headersTimeout: number;
  /** Milliseconds between two chunks of a body. */
  readonly bodyTimeout: number;
  /** Milliseconds for a whole request: the wait for a permit, every attempt, every delay between them. */
  readonly totalTimeout: number;
  /** Maximum connections to the provider, over all keys. */
  readonly connections: number;
  /** Maximum concurrent requests per key. */
  readonly concurrencyPerKey: number;
  readonly timing: Timing;
  /** Leads to the provider. A proxy that does not connect has sent nothing. */
  readonly proxy?: WebProxy | undefined;
  /** How connections are made, such as with a private CA or a custom lookup. Default: undici's. */
  readonly connect?: Agent.Options['connect'] | undefined;
}

/** One complete request: the transport adds only the base URL. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path under the base URL, such as `/api/sms/send`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: NonNullable<Dispatcher.DispatchOptions['body']> | undefined;
  /** Whether the request is harmless when it arrives twice. */
  readonly repeatable: boolean;
  /** The largest response body to read, in bytes. */
  readonly maxBytes: number;
  /** Called just before each attempt is written. Return false to prevent it. */
  readonly mayLeave?: (() => boolean) | undefined;
}

/** The last exchange of a request. */
export interface TransportResult extends Exchange {
  /** Milliseconds to wait, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
}

export interface Transport {
  /** Never throws: the result holds the failure. Requests of one `key` share a limit of concurrency. */
  send(request: TransportRequest, key: string, signal?: AbortSignal): Promise<TransportResult>;
  close(): Promise<void>;
}

/**
 * Sends requests over one pool of connections. Each request waits for a permit of its key, is repeated where that is
 * safe, and ends at its deadline or when its caller aborts it. Redirects are not followed.
 */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, timing } = options;
  const agent = createAgent(options.proxy, {
    connections: options.connections,
    pipelining: 1,
    connectTimeout: options.connectTimeout,
    headersTimeout: options.headersTimeout,
    bodyTimeout: options.bodyTimeout,
    ...(options.connect && { connect: options.connect }),
  });
  const semaphore = createKeyedSemaphore(options.concurrencyPerKey);
  let closing: Promise<void> | undefined;

  return {
    async send(request, key, callerSignal) {
      const end = timing.elapsed() + options.totalTimeout;
      const { signal, clear } = startDeadline(options.totalTimeout, timing, callerSignal);
      try {
        const release = await semaphore.acquire(key, signal);
        if (release === undefined) {
          const failure = { reason: abortReasonOf(signal) };
          return { phase: 'waiting', body: Buffer.alloc(0), failure };
        }
        try {
          return await attemptUntilDone(agent, baseUrl, request, { signal, end, timing });
        } finally {
          release();
        }
      } finally {
        clear();
      }
    },
    close: () => {
      closing ??= agent.close();
      return closing;
    },
  };
}

/** Repeats a request until its result is final. `end` is in milliseconds of `timing.elapsed`. */
async function attemptUntilDone(
  agent: Dispatcher,
  baseUrl: URL,
  request: TransportRequest,
  { signal, end, timing }: { signal: AbortSignal; end: number; timing: Timing },
): Promise<TransportResult> {
  const { method, headers, body = null, repeatable, maxBytes, mayLeave } = request;
  const query = new URLSearchParams(request.query).toString();
  const path = `${baseUrl.pathname.replace(/\/+$/, '')}${request.path}${query && `?${query}`}`;
  const options = { origin: baseUrl.origin, path, method, headers, body };
  for (let count = 1; ; count += 1) {
    const made = await exchange(agent, options, { signal, maxBytes, mayLeave });
    const retryAfter = readRetryAfter(made.head?.headers['retry-after'], timing.now());
    const result = { ...made, retryAfter };
    if (!shouldRetry(made, { count, repeatable })) {
      return result;
    }
    const wait = retryDelay(count, retryAfter, timing.random);
    // A delay that outlasts the deadline would only postpone the result.
    if (wait >= end - timing.elapsed()) {
      return result;
    }
    await delay(wait, signal, timing);
    // Aborted during the delay: the last exchange tells more than the abort.
    if (signal.aborted) {
      return result;
    }
  }
}

interface Queue {
  running: number;
  /** Called in order, each with a permit that was released. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many holders of one key run at the same time, first come, first served. Each account is a key, so that one
 * with a hundred requests waiting leaves connections to the others.
 */
export function createKeyedSemaphore(permits: number) {
  const queues = new Map<string, Queue>();

  const release = (key: string, queue: Queue): void => {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next();
      return;
    }
    queue.running -= 1;
    // An empty queue is deleted, so that accounts no longer in use take no memory.
    if (queue.running === 0) {
      queues.delete(key);
    }
  };

  return {
    /** Resolves to a function that releases the permit, or to `undefined` if the signal is aborted first. */
    acquire(key: string, signal: AbortSignal): Promise<(() => void) | undefined> {
      if (signal.aborted) {
        return Promise.resolve(undefined);
      }
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
      queues.set(key, queue);
      const releasePermit = () => release(key, queue);
      if (queue.running < permits) {
        queue.running += 1;
        return Promise.resolve(releasePermit);
      }
      return new Promise((resolve) => {
        const abandon = () => {
          queue.waiting.delete(proceed);
          resolve(undefined);
        };
        const proceed = () => {
          signal.removeEventListener('abort', abandon);
          resolve(releasePermit);
        };
        queue.waiting.add(proceed);
        signal.addEventListener('abort', abandon, { once: true });
      });
    },
  };
}

const maxAttempts = 3;

/** Statuses of a fault that passes: the same request may succeed a moment later. */
const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

interface Attempt {
  /** Attempts made so far, this one included. */
  readonly count: number;
  /** Whether the request is harmless when it arrives twice. */
  readonly repeatable: boolean;
}

/**
 * Whether the same request may go out again. The only place that decides on a repetition: undici's own retry is never
 * used.
 */
function shouldRetry(exchange: Exchange, { count, repeatable }: Attempt): boolean {
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
function retryDelay(count: number, retryAfter: number | undefined, random: () => number): number {
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
