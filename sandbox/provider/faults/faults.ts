import { STATUS_CODES } from 'node:http';
import { type Json, parseJsonText } from '../../lib/json.ts';
import { errorBody, type FullReply, jsonAnswer, type Reply } from '../http/replies.ts';
import { balanceTooLow, type ProviderErrorReply } from '../http/request-checks.ts';
import type { ProviderOperationName } from '../operation-names.ts';

/**
 * A fault of one request, triggered by a magic number or by `orderFault`. Delays are in milliseconds and default to the
 * provider's `slowness`.
 */
export type ProviderFault =
  /**
   * Cuts the connection after the head of the request, with its body unread. When only the body identifies the
   * operation, after that. Executes nothing.
   */
  | { kind: 'cut_unread' }
  /** Cuts the connection after reading the request. Executes nothing. */
  | { kind: 'cut_before' }
  /** Executes the request, then cuts the connection. */
  | { kind: 'cut_after' }
  /** Holds the connection open without an answer. Executes nothing. */
  | { kind: 'silence' }
  /** Executes the request at once, and answers after the delay. */
  | { kind: 'slow_headers'; delay?: number }
  /** Executes the request and sends the head and half of the body at once, the rest after the delay. */
  | { kind: 'slow_body'; delay?: number }
  /** Executes the request and cuts the connection halfway through the body. */
  | { kind: 'cut_body' }
  /** Executes the request and answers 200 with invalid JSON. */
  | { kind: 'malformed_json' }
  /** Executes the request and answers 200 with an empty body. */
  | { kind: 'empty' }
  /** Answers with an error body of this status. The message defaults to the reason phrase of the status. */
  | {
      kind: 'status';
      status: number;
      message?: string;
      headers?: Record<string, string>;
      /** Whether the request is executed. False by default. */
      carriedOut?: boolean;
      /** Delays the answer, as `slow_headers` does. */
      isSlow?: true;
    }
  /** Answers 502 with HTML, as a proxy does. Executes nothing. */
  | { kind: 'bad_gateway' }
  /** Answers 200 with an error body. Executes nothing. */
  | { kind: 'error_in_success'; message?: string }
  /** Redirects, with 307 by default. Executes nothing. */
  | { kind: 'redirect'; to: string; status?: 301 | 302 | 303 | 307 | 308 }
  /** Answers with any body: bytes and text unchanged, anything else as JSON. With 200 by default. */
  | {
      kind: 'answer';
      status?: number;
      headers?: Record<string, string>;
      body: Json | Buffer;
      /** Whether the request is executed. False by default. */
      carriedOut?: boolean;
    }
  /** Executes the request and transforms its answer. An answer that is not JSON counts as null. */
  | { kind: 'reshape'; body: (answer: Json) => Json };

/** Returns an error reply as a fault, for a valid request. */
export function statusFault({ status, message, headers }: ProviderErrorReply): ProviderFault {
  return { kind: 'status', status, message, headers };
}

const html = '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

/** Returns the reply to a request with a fault. `execute` is called at most once, when the fault executes requests. */
export function replyWithFault(fault: ProviderFault, path: string, execute: () => FullReply): Reply {
  switch (fault.kind) {
    case 'cut_unread':
    case 'cut_before':
      return { kind: 'cut' };
    case 'cut_after':
      execute();
      return { kind: 'cut' };
    case 'silence':
      return { kind: 'silence' };
    case 'slow_headers':
      return { ...execute(), pause: { before: 'head', ...delayOf(fault) } };
    case 'slow_body':
      return { ...execute(), pause: { before: 'rest', ...delayOf(fault) } };
    case 'cut_body':
      return { ...execute(), kind: 'half' };
    case 'malformed_json':
      return { ...execute(), status: 200, headers: json, body: "{'code': 'ok', 'status': 'Success'," };
    case 'empty':
      return { ...execute(), status: 200, body: '' };
    case 'status': {
      const { status, message = STATUS_CODES[status] ?? 'Unknown error', headers } = fault;
      if (fault.carriedOut) {
        execute();
      }
      const reply = jsonAnswer(status, errorBody(status, message, path), headers);
      return fault.isSlow ? { ...reply, pause: { before: 'head' } } : reply;
    }
    case 'bad_gateway':
      return { kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body: html };
    case 'error_in_success':
      return jsonAnswer(200, errorBody(400, fault.message ?? balanceTooLow().message, path));
    case 'redirect':
      return { kind: 'answer', status: fault.status ?? 307, headers: { location: fault.to }, body: '' };
    case 'answer':
      if (fault.carriedOut) {
        execute();
      }
      return anyAnswer(fault);
    case 'reshape': {
      const answer = execute();
      const body = JSON.stringify(fault.body(parseJsonText(String(answer.body)) ?? null));
      return { ...answer, headers: json, body };
    }
  }
}

const json = { 'content-type': 'application/json' };

function delayOf({ delay }: { delay?: number }): { milliseconds?: number } {
  return delay === undefined ? {} : { milliseconds: delay };
}

function anyAnswer({
  status = 200,
  headers = json,
  body,
}: Extract<ProviderFault, { kind: 'answer' }>): FullReply {
  const asIs = typeof body === 'string' || Buffer.isBuffer(body);
  return { kind: 'answer', status, headers, body: asIs ? body : JSON.stringify(body) };
}

/** A fault for the next request that matches every given property. */
export interface FaultOrder {
  operation?: ProviderOperationName;
  method?: string;
  /** The exact path, such as `/api/esim/euicc/8923…`, without a query. */
  path?: string;
  /** The key of the account that the request carries. */
  account?: string;
  fault: ProviderFault;
  /** The number of requests with the fault: 1 by default, `Infinity` for every one. */
  times?: number;
}

export interface OrderedFault {
  /** The number of further requests with the fault. */
  readonly remaining: number;
  cancel(): void;
}

/** The properties of a request that orders match. The operation is missing for an unknown path. */
export interface Target {
  operation?: ProviderOperationName;
  method: string;
  path: string;
  /** The key of the account; missing where the request carries none, and before its body is read. */
  account?: string;
}

export function faultOrders() {
  let waiting: (FaultOrder & { remaining: number })[] = [];

  const find = (target: Target) =>
    waiting.find(
      ({ operation, method, path, account }) =>
        (account === undefined || account === target.account) &&
        (operation === undefined || operation === target.operation) &&
        (method === undefined || method === target.method) &&
        (path === undefined || path === target.path),
    );

  function use(order: FaultOrder & { remaining: number }): ProviderFault {
    order.remaining -= 1;
    if (order.remaining === 0) {
      waiting = waiting.filter((other) => other !== order);
    }
    return order.fault;
  }

  return {
    /** Throws a `RangeError` when `times` is neither a positive integer nor `Infinity`. */
    add(order: FaultOrder): OrderedFault {
      const { times = 1 } = order;
      if (times !== Infinity && !(Number.isInteger(times) && times >= 1)) {
        throw new RangeError(`A fault cannot occur ${times} times`);
      }
      const added = { ...order, remaining: times };
      waiting.push(added);
      return {
        get remaining() {
          return waiting.includes(added) ? added.remaining : 0;
        },
        cancel() {
          waiting = waiting.filter((other) => other !== added);
        },
      };
    },
    /** Returns the fault of the oldest matching order and counts it as used. */
    claim(target: Target): ProviderFault | undefined {
      const order = find(target);
      return order && use(order);
    },
    /** As `claim`, before the body is read. Returns only a fault that leaves the body unread. */
    claimUnread(target: Target): ProviderFault | undefined {
      const order = find(target);
      return order?.fault.kind === 'cut_unread' ? use(order) : undefined;
    },
    cancelAll(): void {
      waiting = [];
    },
  };
}
