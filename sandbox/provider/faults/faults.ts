import { STATUS_CODES } from 'node:http';
import { type Json, parseJsonText } from '../../lib/json.ts';
import { balanceTooLow, type ProviderErrorReply } from '../http/error-responses.ts';
import { errorBody, type FullReply, jsonAnswer, type Reply } from '../http/replies.ts';

/**
 * What goes wrong with a request. A magic number brings on one of these, and so does `orderFault`.
 * A delay is in milliseconds; the provider's `slowness` where none is given.
 */
export type ProviderFault =
  /**
   * The connection is cut as soon as the head of the request is there, its body unread; where only the body tells the
   * operation, as for one with another at the same path, once that is read. Nothing is carried out.
   */
  | { kind: 'cut_unread' }
  /** The connection is cut once the request is read. Nothing is carried out. */
  | { kind: 'cut_before' }
  /** The request is carried out, and then the connection is cut. */
  | { kind: 'cut_after' }
  /** The connection is held open without a word. Nothing is carried out. */
  | { kind: 'silence' }
  /** The request is carried out at once, but the answer begins only after the delay. */
  | { kind: 'slow_headers'; delay?: number }
  /** The request is carried out; the head and half of the body come at once, the rest after the delay. */
  | { kind: 'slow_body'; delay?: number }
  /** The request is carried out, and the connection is cut halfway through the body. */
  | { kind: 'cut_body' }
  /** The request is carried out; a 200 follows whose body is not quite JSON. */
  | { kind: 'malformed_json' }
  /** The request is carried out; a 200 follows without a body. */
  | { kind: 'empty' }
  /** An error body with this status; its words are the status's own unless given. */
  | {
      kind: 'status';
      status: number;
      message?: string;
      headers?: Record<string, string>;
      /** Whether the request is carried out all the same; no by default. */
      carriedOut?: boolean;
    }
  /** 502 with a page of HTML, as of a proxy. Nothing is carried out. */
  | { kind: 'bad_gateway' }
  /** A 200 whose body is an error. Nothing is carried out. */
  | { kind: 'error_in_success'; message?: string }
  /** Sent elsewhere, with 307 by default. Nothing is carried out. */
  | { kind: 'redirect'; to: string; status?: 301 | 302 | 303 | 307 | 308 }
  /** Any answer at all: bytes or text as they are, anything else as JSON; with 200 by default. */
  | {
      kind: 'answer';
      status?: number;
      headers?: Record<string, string>;
      body: Json | Buffer;
      /** Whether the request is carried out all the same; no by default. */
      carriedOut?: boolean;
    }
  /** The request is carried out, and its answer comes in another shape; one that is no JSON counts as null. */
  | { kind: 'reshape'; body: (answer: Json) => Json };

/** A refusal as a fault, for a request that was not wrong. */
export function statusFault({ status, message, headers }: ProviderErrorReply): ProviderFault {
  return { kind: 'status', status, message, headers };
}

const html = '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

/** What becomes of a request that met a fault. `carryOut` is called at most once, where the fault says so. */
export function replyWithFault(fault: ProviderFault, path: string, carryOut: () => FullReply): Reply {
  switch (fault.kind) {
    case 'cut_unread':
    case 'cut_before':
      return { kind: 'cut' };
    case 'cut_after':
      carryOut();
      return { kind: 'cut' };
    case 'silence':
      return { kind: 'silence' };
    case 'slow_headers':
      return { ...carryOut(), pause: { before: 'head', ...delayOf(fault) } };
    case 'slow_body':
      return { ...carryOut(), pause: { before: 'rest', ...delayOf(fault) } };
    case 'cut_body':
      return { ...carryOut(), kind: 'half' };
    case 'malformed_json':
      return { ...carryOut(), status: 200, headers: json, body: "{'code': 'ok', 'status': 'Success'," };
    case 'empty':
      return { ...carryOut(), status: 200, body: '' };
    case 'status': {
      const { status, message = STATUS_CODES[status] ?? 'Unknown error', headers } = fault;
      if (fault.carriedOut) {
        carryOut();
      }
      return jsonAnswer(status, errorBody(status, message, path), headers);
    }
    case 'bad_gateway':
      return { kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body: html };
    case 'error_in_success':
      return jsonAnswer(200, errorBody(400, fault.message ?? balanceTooLow().message, path));
    case 'redirect':
      return { kind: 'answer', status: fault.status ?? 307, headers: { location: fault.to }, body: '' };
    case 'answer':
      if (fault.carriedOut) {
        carryOut();
      }
      return anyAnswer(fault);
    case 'reshape': {
      const answer = carryOut();
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
