import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/**
 * How far a request had come. Only this tells whether it may have reached the provider: the codes of errors do not,
 * `ECONNRESET` for one occurs in every phase.
 *
 * - `waiting`: no byte of it was written; it waits for a connection, or none could be made;
 * - `leaving`: it is being written; the provider may have read it, all or in part;
 * - `sent`: all of it was written, and no answer has begun;
 * - `answering`: the head of the answer came.
 */
export type Phase = 'waiting' | 'leaving' | 'sent' | 'answering';

/** Why an exchange has no whole answer. */
interface Failure {
  readonly reason:
    | 'stopping'
    | 'unreachable'
    | 'untrusted'
    | 'timed_out'
    | 'cancelled'
    | 'cut_off'
    | 'unreadable_answer';
  /** The code of the underlying error, where it has one. */
  readonly cause?: string;
}

/** One request and what came back. */
export interface Exchange {
  readonly phase: Phase;
  readonly head?: { readonly status: number; readonly headers: IncomingHttpHeaders };
  /** What came of the body; all of it where `failure` is absent. */
  readonly body: Buffer;
  readonly failure?: Failure;
}

/** What a signal passed to `exchange` is aborted with. */
export type AbortReason = 'timed_out' | 'cancelled';

export function abortReasonOf(signal: AbortSignal): AbortReason {
  return signal.reason === 'timed_out' ? 'timed_out' : 'cancelled';
}

interface ExchangeLimits {
  /** Aborted with a `StopReason` as its reason. */
  readonly signal: AbortSignal;
  /** The largest body to take in, in bytes; beyond it the connection is cut. */
  readonly maxBytes: number;
}

const tooLarge = 'SWITCHBOARD_ANSWER_TOO_LARGE';
const repeated = 'SWITCHBOARD_REPEATED_REQUEST';

/**
 * Makes one exchange and never throws. It talks to undici's dispatcher itself because the callbacks there are the
 * only witnesses of the phase, and because a body can then be bounded as it comes in. Once `signal` fires it
 * resolves at once, and a request that still waits for a connection will never be written to one.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, maxBytes }: ExchangeLimits,
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
    resolve({ phase, body, ...(head && { head }), ...(failure && { failure }) });
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
      // Aborting here keeps undici from writing it: after a stop, and should undici ever start one a second time.
      if (ended || phase !== 'waiting') {
        started.abort(Object.assign(new Error('not to be sent'), { code: repeated }));
        return;
      }
      controller = started;
      phase = 'leaving';
    },
    onRequestSent() {
      if (phase === 'leaving') {
        phase = 'sent';
      }
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) {
        return;
      }
      phase = 'answering';
      head = { status, headers };
    },
    onResponseData(answering, chunk) {
      received += chunk.length;
      if (received > maxBytes) {
        answering.abort(Object.assign(new Error('answer too large'), { code: tooLarge }));
        return;
      }
      chunks.push(chunk);
    },
    onResponseEnd() {
      end();
    },
    onResponseError(_controller, error) {
      end(failureOf(error, phase));
    },
  });
  return promise;
}

/** What a broken TLS handshake is called by Node and OpenSSL. */
const tlsFault =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH|EPROTO$)/;

/** undici's parser errors have a code or, in some releases, only their name. */
const notHttp = /^HPE_|^HTTPParserError$/;

function failureOf(error: Error, phase: Phase): Failure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { reason: reasonOf(code, phase), cause: code };
}

function reasonOf(code: string, phase: Phase): Failure['reason'] {
  if (phase === 'waiting') {
    if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') {
      return 'stopping';
    }
    return tlsFault.test(code) ? 'untrusted' : 'unreachable';
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return 'timed_out';
  }
  if (code === tooLarge || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return 'unreadable_answer';
  }
  // What is not HTTP from the first byte was never going to be an answer; later, it is how a body breaks off.
  if (notHttp.test(code) && phase !== 'answering') {
    return 'unreadable_answer';
  }
  return 'cut_off';
}
