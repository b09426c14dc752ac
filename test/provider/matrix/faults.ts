import type { Json } from '../../../sandbox/lib/json.ts';
import type { ProviderFault as SandboxFault } from '../../../sandbox/provider/faults/faults.ts';
import type { ProviderOptions } from '../../../src/provider/client.ts';
import type { Reason } from '../../../src/provider/errors.ts';
import { closedPort, startRawServer } from '../../support/http/raw-server.ts';
import { selfSigned } from '../../support/http/self-signed-certificate.ts';

/**
 * What a fault proves about the request, which determines the outcome. `refusal or receipt` is a refusal for a read, and
 * leaves open for other operations whether they took effect.
 */
type Proof = 'it never left' | 'it was refused' | 'refusal or receipt' | 'nothing';

/** A URL to which no connection can be opened. */
interface DeadEnd {
  readonly url: URL;
  readonly connect?: NonNullable<ProviderOptions['connect']>;
  close(): Promise<void>;
}

/** A fault that is injected into every operation. */
export interface Fault {
  readonly name: string;
  readonly proves: Proof;
  readonly reason: Reason;
  /** The status that the error must have. */
  readonly status?: number;
  /** The error message must match this. */
  readonly message: RegExp;
  /** The error message must also match this where something may have been done. */
  readonly receiptMessage?: RegExp;
  /** Whether a read is repeated before its deadline. */
  readonly transient: boolean;
  /** The response has no data, or says that there is none. */
  readonly noData?: true;
  /** The provider refuses the credentials. */
  readonly unauthorized?: true;
  /** Milliseconds of `Retry-After`. */
  readonly retryAfter?: number;
  /** The step after which the deadline comes; it does not come where this is absent. */
  readonly deadlineAfter?: 'the request' | 'the head of the answer';
  /**
   * Where the fault is injected: on the way to the provider, or there. `words` is the provider's message, `receipt` the
   * operation's receipt.
   */
  readonly injected:
    | { readonly onTheWay: () => Promise<DeadEnd> }
    | { readonly there: (words: string, elsewhere: URL, receipt: Json) => SandboxFault };
}

const unreachable = {
  proves: 'it never left',
  reason: 'unreachable',
  message: /could not be reached/,
} as const;
const cutOff = {
  proves: 'nothing',
  reason: 'cut_off',
  message: /connection broke/,
  transient: true,
} as const;
const late = {
  proves: 'nothing',
  reason: 'timed_out',
  message: /did not answer in time/,
  transient: false,
} as const;
const refused = { proves: 'it was refused', transient: false } as const;
const doubtful = { proves: 'nothing', transient: false, status: 200 } as const;
const notFromHere = {
  reason: 'redirected',
  transient: false,
  message: /address redirects to another one/,
} as const;
const brokenDown = { proves: 'nothing', reason: 'server_error', transient: true } as const;
const tooMany = {
  proves: 'it was refused',
  reason: 'rate_limited',
  status: 429,
  message: /received too many requests/,
} as const;

/** The provider responds with this status and an error body. */
function status(number: number, headers: Record<string, string> = {}): Fault['injected'] {
  return { there: (message) => ({ kind: 'status', status: number, message, headers }) };
}

/** The provider refuses with this status, with a receipt beside its message. */
function withReceipt(status: number, headers: Record<string, string> = {}): Fault['injected'] {
  return {
    there: (message, _elsewhere, receipt) => ({
      kind: 'answer',
      status,
      headers,
      body: { code: status, status: 'error', message, data: [receipt] },
    }),
  };
}

const contradicted = {
  proves: 'refusal or receipt',
  transient: false,
  receiptMessage: /But the answer also has the ID of an accepted request\./,
} as const;

export const faults: readonly Fault[] = [
  {
    ...unreachable,
    name: 'the connection is refused',
    transient: true,
    injected: {
      onTheWay: async () => ({
        url: new URL(`http://127.0.0.1:${await closedPort()}`),
        close: async () => {},
      }),
    },
  },
  {
    ...unreachable,
    name: 'the host has no address',
    transient: true,
    injected: { onTheWay: async () => hostWithoutAddress },
  },
  {
    name: 'TLS: the certificate isn’t trusted',
    proves: 'it never left',
    reason: 'untrusted',
    message: /is not trusted/,
    transient: false,
    injected: { onTheWay: () => startRawServer({ certificate: selfSigned() }) },
  },
  { ...cutOff, name: 'cut before the request is read', injected: { there: () => ({ kind: 'cut_unread' }) } },
  { ...cutOff, name: 'cut after the request', injected: { there: () => ({ kind: 'cut_after' }) } },
  {
    ...cutOff,
    name: 'cut in the middle of the body',
    status: 200,
    injected: { there: () => ({ kind: 'cut_body' }) },
  },
  {
    ...late,
    name: 'no head before the deadline',
    deadlineAfter: 'the request',
    injected: { there: () => ({ kind: 'slow_headers' }) },
  },
  {
    ...late,
    name: 'no whole body before the deadline',
    status: 200,
    deadlineAfter: 'the head of the answer',
    injected: { there: () => ({ kind: 'slow_body' }) },
  },
  {
    ...refused,
    name: '400',
    reason: 'invalid_request',
    status: 400,
    message: /does not accept this request/,
    injected: status(400),
  },
  {
    ...refused,
    name: '401',
    reason: 'bad_key',
    status: 401,
    unauthorized: true,
    message: /does not accept the API key/,
    injected: status(401),
  },
  {
    ...refused,
    name: '403',
    reason: 'refused',
    status: 403,
    message: /does not allow this/,
    injected: status(403),
  },
  {
    ...refused,
    name: '404',
    reason: 'not_found',
    status: 404,
    noData: true,
    message: /couldn’t find this/,
    injected: status(404),
  },
  {
    ...refused,
    name: '422',
    reason: 'invalid_request',
    status: 422,
    message: /does not accept this request/,
    injected: status(422),
  },
  { ...tooMany, name: '429', transient: true, injected: status(429) },
  {
    ...tooMany,
    name: '429, `Retry-After` of 2 s',
    transient: true,
    retryAfter: 2000,
    injected: status(429, { 'retry-after': '2' }),
  },
  {
    ...tooMany,
    name: '429, `Retry-After` of an hour',
    // The deadline comes first.
    transient: false,
    injected: status(429, { 'retry-after': '3600' }),
  },
  { ...brokenDown, name: '500', status: 500, message: /had an error/, injected: status(500) },
  {
    ...brokenDown,
    name: '502 with HTML',
    status: 502,
    message: /a web page titled “502 Bad Gateway”, perhaps from a proxy/,
    injected: { there: () => ({ kind: 'bad_gateway' }) },
  },
  { ...brokenDown, name: '503', status: 503, message: /had an error/, injected: status(503) },
  {
    ...doubtful,
    name: 'malformed JSON',
    reason: 'unreadable_answer',
    noData: true,
    message: /could not be read/,
    injected: { there: () => ({ kind: 'malformed_json' }) },
  },
  {
    ...doubtful,
    name: '200 and nothing',
    reason: 'empty_answer',
    noData: true,
    message: /answer was empty/,
    injected: { there: () => ({ kind: 'empty' }) },
  },
  {
    proves: 'refusal or receipt',
    transient: false,
    receiptMessage: /But the provider also reported success\./,
    name: '200 with words of a refusal',
    reason: 'balance_too_low',
    status: 200,
    message: /balance is too low/,
    injected: {
      there: (words) => ({ kind: 'error_in_success', message: `Insufficient balance. ${words}` }),
    },
  },
  {
    ...notFromHere,
    name: 'redirected to another host',
    proves: 'it was refused',
    status: 307,
    injected: { there: (_words, elsewhere) => ({ kind: 'redirect', to: elsewhere.href }) },
  },
  {
    ...notFromHere,
    name: 'redirected with 303, “done, see there”',
    proves: 'refusal or receipt',
    status: 303,
    injected: { there: (_words, elsewhere) => ({ kind: 'redirect', to: elsewhere.href, status: 303 }) },
  },
  {
    ...contradicted,
    name: '400 with a receipt',
    reason: 'invalid_request',
    status: 400,
    message: /does not accept this request/,
    injected: withReceipt(400),
  },
  {
    ...contradicted,
    name: '401 with a receipt',
    reason: 'bad_key',
    status: 401,
    unauthorized: true,
    message: /does not accept the API key/,
    injected: withReceipt(401),
  },
  {
    ...contradicted,
    name: '402 with a receipt',
    reason: 'balance_too_low',
    status: 402,
    message: /balance is too low/,
    injected: withReceipt(402),
  },
  {
    ...contradicted,
    name: '404 with a receipt',
    reason: 'not_found',
    status: 404,
    noData: true,
    message: /couldn’t find this/,
    injected: withReceipt(404),
  },
  {
    ...contradicted,
    name: '409 with a receipt',
    reason: 'refused',
    status: 409,
    message: /does not allow this/,
    injected: withReceipt(409),
  },
  {
    ...contradicted,
    name: '422 with a receipt',
    reason: 'invalid_request',
    status: 422,
    message: /does not accept this request/,
    injected: withReceipt(422),
  },
  {
    ...tooMany,
    ...contradicted,
    name: '429 with a receipt',
    transient: true,
    injected: withReceipt(429),
  },
  {
    ...tooMany,
    ...contradicted,
    name: '429 with a receipt, `Retry-After` of 2 s',
    transient: true,
    retryAfter: 2000,
    injected: withReceipt(429, { 'retry-after': '2' }),
  },
  {
    ...brokenDown,
    name: '500 with a receipt',
    status: 500,
    message: /had an error/,
    injected: withReceipt(500),
  },
  {
    ...contradicted,
    name: '200 with an error and a receipt',
    reason: 'balance_too_low',
    status: 200,
    message: /balance is too low/,
    injected: {
      there: (words, _elsewhere, receipt) => ({
        kind: 'answer',
        body: { code: 400, status: 'error', message: `Insufficient balance. ${words}`, data: receipt },
      }),
    },
  },
  {
    ...contradicted,
    name: '400 with a receipt in JSON that breaks off, as text',
    reason: 'invalid_request',
    status: 400,
    message: /does not accept this request/,
    injected: {
      there: (_words, _elsewhere, receipt) => ({
        kind: 'answer',
        status: 400,
        headers: { 'content-type': 'text/html' },
        body: `{"status": "error", "data": ${JSON.stringify(receipt)}, "mess`,
      }),
    },
  },
  {
    ...contradicted,
    name: '422 with a receipt in JSON within a text',
    reason: 'invalid_request',
    status: 422,
    message: /does not accept this request/,
    injected: {
      there: (_words, _elsewhere, receipt) => ({
        kind: 'answer',
        status: 422,
        body: { message: `422 : ${JSON.stringify(JSON.stringify({ code: 422, data: receipt }))}` },
      }),
    },
  },
  {
    ...notFromHere,
    ...contradicted,
    name: 'redirected to another host, with a receipt',
    status: 307,
    injected: {
      there: (_words, elsewhere, receipt) => ({
        kind: 'answer',
        status: 307,
        headers: { location: elsewhere.href },
        body: { receipt },
      }),
    },
  },
];

const hostWithoutAddress: DeadEnd = {
  url: new URL('http://provider.invalid'),
  connect: {
    lookup: (host, _options, callback) =>
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), '', 4),
  },
  close: async () => {},
};
