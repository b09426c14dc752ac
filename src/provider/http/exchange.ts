import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/**
 * How far a request got. Only the phase tells whether it may have reached the provider. Error codes do not:
 * `ECONNRESET`, for one, occurs in every phase.
 *
 * - `waiting`: no byte was written; the request waits for a connection, or none could be opened.
 * - `writing`: part of it was written; the provider may have read some of it.
 * - `sent`: all of it was written, and no response has begun.
 * - `responding`: the head of the response came.
 */
export type Phase = 'waiting' | 'writing' | 'sent' | 'responding';

/** Why an exchange has no complete response. */
interface Failure {
  readonly reason:
    | 'stopping'
    | 'unreachable'
    | 'untrusted'
    | 'timed_out'
    | 'cancelled'
    | 'cut_off'
    | 'unreadable_answer';
  /** The code of the underlying error, if it has one. */
  readonly cause?: string | undefined;
}

/** One request and its response. */
export interface Exchange {
  readonly phase: Phase;
  readonly head?: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
  /** The part of the body that came; complete where `failure` is absent. */
  readonly body: Buffer;
  readonly failure?: Failure | undefined;
}

/** The reason with which a signal passed to `exchange` is aborted. */
export type AbortReason = 'timed_out' | 'cancelled';

export function abortReasonOf(signal: AbortSignal): AbortReason {
  return signal.reason === 'timed_out' ? 'timed_out' : 'cancelled';
}

interface ExchangeLimits {
  /** Aborted with an `AbortReason`. */
  readonly signal: AbortSignal;
  /** The largest body to read, in bytes. A larger one closes the connection. */
  readonly maxBytes: number;
  /** Called just before the request is written. Return false to prevent it. */
  readonly mayLeave?: (() => boolean) | undefined;
}

const tooLarge = 'SWITCHBOARD_RESPONSE_TOO_LARGE';
const repeated = 'SWITCHBOARD_REPEATED_REQUEST';

/**
 * Makes one exchange. Never throws. Uses undici's dispatcher directly, because only its callbacks reveal the phase and
 * allow a limit on the body as it arrives. Resolves as soon as `signal` is aborted; a request that is still waiting for
 * a connection is then never written.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, maxBytes, mayLeave }: ExchangeLimits,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const chunks: Buffer[] = [];
  let received = 0;
  let phase: Phase = 'waiting';
  let head: Exchange['head'];
  let controller: Dispatcher.DispatchController | undefined;
  let ended = false;

  const end = (failure?: Failure): void => {
    if (ended) {
      return;
    }
    ended = true;
    signal.removeEventListener('abort', stop);
    const [only = Buffer.alloc(0)] = chunks;
    const body = chunks.length > 1 ? Buffer.concat(chunks) : only;
    resolve({ phase, body, head, failure });
  };
  const stop = (): void => {
    end({ reason: abortReasonOf(signal) });
    controller?.abort(new Error('stopped'));
  };

  if (signal.aborted) {
    stop();
    return promise;
  }
  signal.addEventListener('abort', stop, { once: true });

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      if (phase === 'waiting' && mayLeave?.() === false) {
        end({ reason: 'cancelled' });
      }
      // Aborting here keeps undici from writing the request after a stop, or a second time.
      if (ended || phase !== 'waiting') {
        started.abort(Object.assign(new Error('not to be sent'), { code: repeated }));
        return;
      }
      controller = started;
      phase = 'writing';
    },
    onRequestSent() {
      if (phase === 'writing') {
        phase = 'sent';
      }
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) {
        return;
      }
      phase = 'responding';
      head = { status, headers };
    },
    onResponseData(response, chunk) {
      received += chunk.length;
      if (received > maxBytes) {
        response.abort(Object.assign(new Error('response too large'), { code: tooLarge }));
        return;
      }
      chunks.push(chunk);
    },
    onResponseEnd() {
      end();
    },
    onResponseError(_controller, error) {
      const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
      end({ reason: reasonOf(code, phase), cause: code });
    },
  });
  return promise;
}

/** Codes that Node and OpenSSL use for a failed TLS handshake. */
const tlsError =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH|EPROTO$)/;

/** A parser error of undici has a code or, in some releases, only a name. */
const parserError = /^HPE_|^HTTPParserError$/;

function reasonOf(code: string, phase: Phase): Failure['reason'] {
  if (phase === 'waiting') {
    if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') {
      return 'stopping';
    }
    return tlsError.test(code) ? 'untrusted' : 'unreachable';
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return 'timed_out';
  }
  if (code === tooLarge || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return 'unreadable_answer';
  }
  // Before the head, the peer does not speak HTTP. After it, this is how a body breaks off.
  if (parserError.test(code) && phase !== 'responding') {
    return 'unreadable_answer';
  }
  return 'cut_off';
}
