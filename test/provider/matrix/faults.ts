import type { Json } from '../../../sandbox/lib/json.ts';
import type { ProviderFault as SandboxFault } from '../../../sandbox/provider/faults/faults.ts';
import type { ProviderOptions } from '../../../src/provider/client.ts';
import type { Reason } from '../../../src/provider/names.ts';
import { selfSigned } from '../../support/certificate.ts';
import { closedPort, startRawServer } from '../../support/raw-server.ts';

/**
 * What is known of a request that met a fault; how its call must end follows from it. A `refusal or receipt` refuses a
 * question, and may tell of a deed that it was done.
 */
type Proof = 'it never left' | 'it was refused' | 'refusal or receipt' | 'nothing';

/** An address at which no connection can be made. */
interface DeadEnd {
  readonly url: URL;
  readonly connect?: NonNullable<ProviderOptions['connect']>;
  close(): Promise<void>;
}

/** Something that goes wrong with every operation alike. */
export interface Fault {
  readonly name: string;
  readonly proves: Proof;
  readonly reason: Reason;
  /** The status that the client must have seen. */
  readonly status?: number;
  /** What a person must be told of it. */
  readonly says: RegExp;
  /** What a person must be told besides, where something may have been done. */
  readonly saysOfReceipt?: RegExp;
  /** Whether the same question may find an answer a moment later, before the deadline: a read is asked again. */
  readonly passes: boolean;
  /** The answer is a yes without what was asked for, or says that there is no such thing. */
  readonly hasNothing?: true;
  /** The provider does not know who asks. */
  readonly unknownCaller?: true;
  /** Milliseconds for which the provider wants to be left alone. */
  readonly pause?: number;
  /** What of the call is over when its deadline comes; it does not come where nothing is named. */
  readonly deadlineAfter?: 'the request' | 'the head of the answer';
  /**
   * Where it befalls the request: on the way to the provider, or there. `words` are what the provider says, `receipt` is
   * what it would give for the operation, had it been done.
   */
  readonly befalls:
    | { readonly onTheWay: () => Promise<DeadEnd> }
    | { readonly there: (words: string, elsewhere: URL, receipt: Json) => SandboxFault };
}

const unreachable = { proves: 'it never left', reason: 'unreachable', says: /No connection/ } as const;
const cutOff = { proves: 'nothing', reason: 'cut_off', says: /connection broke/, passes: true } as const;
const late = {
  proves: 'nothing',
  reason: 'timed_out',
  says: /did not answer in time/,
  passes: false,
} as const;
const refused = { proves: 'it was refused', passes: false } as const;
const doubtful = { proves: 'nothing', passes: false, status: 200 } as const;
const notFromHere = {
  reason: 'redirected',
  passes: false,
  says: /points elsewhere, where the key is not sent/,
} as const;
const brokenDown = { proves: 'nothing', reason: 'server_error', passes: true } as const;
const tooMany = {
  proves: 'it was refused',
  reason: 'rate_limited',
  status: 429,
  says: /asks for fewer requests/,
} as const;

/** The provider answers with this status, and with an error body. */
function status(number: number, headers: Record<string, string> = {}): Fault['befalls'] {
  return { there: (message) => ({ kind: 'status', status: number, message, headers }) };
}

/** The provider refuses with this status, and gives a receipt beside its words. */
function withReceipt(status: number, headers: Record<string, string> = {}): Fault['befalls'] {
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
  passes: false,
  saysOfReceipt: /But the answer also holds a receipt\./,
} as const;

export const faults: readonly Fault[] = [
  {
    ...unreachable,
    name: 'the connection is refused',
    passes: true,
    befalls: {
      onTheWay: async () => ({
        url: new URL(`http://127.0.0.1:${await closedPort()}`),
        close: async () => {},
      }),
    },
  },
  {
    ...unreachable,
    name: 'the host has no address',
    passes: true,
    befalls: { onTheWay: async () => hostWithoutAddress },
  },
  {
    name: 'TLS: the certificate is nobody’s',
    proves: 'it never left',
    reason: 'untrusted',
    says: /No trusted connection/,
    passes: false,
    befalls: { onTheWay: () => startRawServer({ certificate: selfSigned() }) },
  },
  { ...cutOff, name: 'cut before the request is read', befalls: { there: () => ({ kind: 'cut_unread' }) } },
  { ...cutOff, name: 'cut after the request', befalls: { there: () => ({ kind: 'cut_after' }) } },
  {
    ...cutOff,
    name: 'cut in the middle of the body',
    status: 200,
    befalls: { there: () => ({ kind: 'cut_body' }) },
  },
  {
    ...late,
    name: 'no head before the deadline',
    deadlineAfter: 'the request',
    befalls: { there: () => ({ kind: 'slow_headers' }) },
  },
  {
    ...late,
    name: 'no whole body before the deadline',
    status: 200,
    deadlineAfter: 'the head of the answer',
    befalls: { there: () => ({ kind: 'slow_body' }) },
  },
  {
    ...refused,
    name: '400',
    reason: 'invalid_request',
    status: 400,
    says: /does not accept the request/,
    befalls: status(400),
  },
  {
    ...refused,
    name: '401',
    reason: 'bad_key',
    status: 401,
    unknownCaller: true,
    says: /does not accept the API key/,
    befalls: status(401),
  },
  {
    ...refused,
    name: '403',
    reason: 'refused',
    status: 403,
    says: /does not allow this/,
    befalls: status(403),
  },
  {
    ...refused,
    name: '404',
    reason: 'not_found',
    status: 404,
    hasNothing: true,
    says: /does not know what was asked for/,
    befalls: status(404),
  },
  {
    ...refused,
    name: '422',
    reason: 'invalid_request',
    status: 422,
    says: /does not accept the request/,
    befalls: status(422),
  },
  { ...tooMany, name: '429', passes: true, befalls: status(429) },
  {
    ...tooMany,
    name: '429, come back in 2 s',
    passes: true,
    pause: 2000,
    befalls: status(429, { 'retry-after': '2' }),
  },
  {
    ...tooMany,
    name: '429, come back in an hour',
    // The deadline comes earlier.
    passes: false,
    befalls: status(429, { 'retry-after': '3600' }),
  },
  { ...brokenDown, name: '500', status: 500, says: /a fault of its own/, befalls: status(500) },
  {
    ...brokenDown,
    name: '502 with HTML',
    status: 502,
    says: /a web page titled “502 Bad Gateway”, perhaps of a proxy/,
    befalls: { there: () => ({ kind: 'bad_gateway' }) },
  },
  { ...brokenDown, name: '503', status: 503, says: /a fault of its own/, befalls: status(503) },
  {
    ...doubtful,
    name: 'malformed JSON',
    reason: 'unreadable_answer',
    hasNothing: true,
    says: /could not be understood/,
    befalls: { there: () => ({ kind: 'malformed_json' }) },
  },
  {
    ...doubtful,
    name: '200 and nothing',
    reason: 'empty_answer',
    hasNothing: true,
    says: /answer was empty/,
    befalls: { there: () => ({ kind: 'empty' }) },
  },
  {
    ...refused,
    name: '200 with an error',
    reason: 'balance_too_low',
    status: 200,
    says: /balance is too low/,
    befalls: {
      there: (words) => ({ kind: 'error_in_success', message: `Insufficient balance. ${words}` }),
    },
  },
  {
    ...notFromHere,
    name: 'redirected to another host',
    proves: 'it was refused',
    status: 307,
    befalls: { there: (_words, elsewhere) => ({ kind: 'redirect', to: elsewhere.href }) },
  },
  {
    ...notFromHere,
    name: 'redirected with 303, “done, see there”',
    proves: 'refusal or receipt',
    status: 303,
    befalls: { there: (_words, elsewhere) => ({ kind: 'redirect', to: elsewhere.href, status: 303 }) },
  },
  {
    ...contradicted,
    name: '400 with a receipt',
    reason: 'invalid_request',
    status: 400,
    says: /does not accept the request/,
    befalls: withReceipt(400),
  },
  {
    ...contradicted,
    name: '401 with a receipt',
    reason: 'bad_key',
    status: 401,
    unknownCaller: true,
    says: /does not accept the API key/,
    befalls: withReceipt(401),
  },
  {
    ...contradicted,
    name: '402 with a receipt',
    reason: 'balance_too_low',
    status: 402,
    says: /balance is too low/,
    befalls: withReceipt(402),
  },
  {
    ...contradicted,
    name: '404 with a receipt',
    reason: 'not_found',
    status: 404,
    hasNothing: true,
    says: /does not know what was asked for/,
    befalls: withReceipt(404),
  },
  {
    ...contradicted,
    name: '409 with a receipt',
    reason: 'refused',
    status: 409,
    says: /does not allow this/,
    befalls: withReceipt(409),
  },
  {
    ...contradicted,
    name: '422 with a receipt',
    reason: 'invalid_request',
    status: 422,
    says: /does not accept the request/,
    befalls: withReceipt(422),
  },
  {
    ...tooMany,
    ...contradicted,
    name: '429 with a receipt',
    passes: true,
    befalls: withReceipt(429),
  },
  {
    ...tooMany,
    ...contradicted,
    name: '429 with a receipt, come back in 2 s',
    passes: true,
    pause: 2000,
    befalls: withReceipt(429, { 'retry-after': '2' }),
  },
  {
    ...brokenDown,
    name: '500 with a receipt',
    status: 500,
    says: /a fault of its own/,
    befalls: withReceipt(500),
  },
  {
    ...contradicted,
    name: '200 with an error and a receipt',
    reason: 'balance_too_low',
    status: 200,
    says: /balance is too low/,
    befalls: {
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
    says: /does not accept the request/,
    befalls: {
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
    says: /does not accept the request/,
    befalls: {
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
    befalls: {
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
