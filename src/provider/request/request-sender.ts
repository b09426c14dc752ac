import { createHash } from 'node:crypto';
import { FormData } from 'undici';
import type { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import { traced } from '../../lib/tracing/tracing.ts';
import type { Dialect } from '../dialect.ts';
import type { FailureFacts, FailureKind, InputFault, Outcome, Reason } from '../errors.ts';
import type { Transport, TransportRequest } from '../http/transport.ts';
import { type OperationName, operationInfo } from '../operations.ts';
import { classifyResponse, type Expectation } from '../response/classify-response.ts';
import { providerError } from '../response/error-messages.ts';
import { fieldPath } from '../response/fields.ts';
import { createRedaction, type RedactedInput, secretRedactor } from '../response/redaction.ts';

/** Options of every operation, besides its input. */
export interface RequestOptions {
  /** Aborts the request: it ends as `not_sent` while nothing has left, as `unconfirmed` after. */
  readonly signal?: AbortSignal | undefined;
  /** Called just before the request is written. If it returns false, the request ends as `not_sent`. */
  readonly mayLeave?: (() => boolean) | undefined;
}

/** A request as the API documents it, without the key. */
type ApiRequest = { readonly path: string; readonly token?: Secret | undefined } & (
  | { readonly method: 'GET' | 'DELETE'; readonly query: Readonly<Record<string, string>> }
  | { readonly method: 'POST' | 'DELETE'; readonly json: Readonly<Record<string, unknown>> }
  | { readonly method: 'POST'; readonly upload: Upload }
);

/** The parts of an upload (API §4.12). */
interface Upload {
  readonly file: File;
  /** Sent as JSON beside the file. */
  readonly contact: Readonly<Record<string, unknown>>;
}

/** One operation of the API: its input, the request it makes, and the response it expects. */
export interface ProviderOperation<Input, Value> {
  readonly name: OperationName;
  readonly input: z.ZodType<Input>;
  /** Returns the message of a `not_configured` error where this input needs a field of the dialect that is missing. */
  readonly unavailable?: (input: Input) => string | undefined;
  readonly redact?: (input: Input) => RedactedInput | undefined;
  readonly request: (input: Input) => ApiRequest;
  readonly expect: (input: Input) => Omit<Expectation<Value>, 'operation'>;
}

/** Returns the operation as it is, with the types of its input and its value. */
export function defineOperation<Input, Value>(
  definition: ProviderOperation<Input, Value>,
): ProviderOperation<Input, Value> {
  return definition;
}

/** Says, for `unavailable`, that an operation is off where the dialect lacks the field that it needs. */
export function offWithout(value: unknown, field: keyof Dialect, what: string): string | undefined {
  return value === undefined ? `${what} off: the provider’s profile has no \`${field}\`.` : undefined;
}

/** Sends the requests of one account. Never throws. */
export type RequestSender = <Input, Value>(
  operation: ProviderOperation<Input, Value>,
  input: unknown,
  options?: RequestOptions,
) => Promise<Outcome<Value>>;

/** Called with the system's code of each connection error, which no user is shown. Holds nothing of the request. */
export type OnConnectionFault = (
  fault: Pick<FailureFacts, 'operation' | 'reason' | 'cause'> & { readonly outcome: FailureKind },
) => void;

/** The largest response body to read. */
const maxResponseBytes = 1024 * 1024;

/** Checks the input, adds the key (API §5), sends the request, and classifies the response. */
export function createRequestSender(
  transport: Transport,
  key: Secret,
  onConnectionFault?: OnConnectionFault,
): RequestSender {
  // Accounts are told apart by key. Hashed, because the transport must not hold the key itself.
  const account = createHash('sha256').update(key.reveal()).digest('base64url');
  const keyFault: InputFault | undefined = /^[\x21-\x7e]+$/.test(key.reveal())
    ? undefined
    : { field: 'api_key', rule: 'must be letters, digits and signs, without spaces' };
  const redactKey = secretRedactor(key);

  return async (operation, input, options) => {
    const { name } = operation;
    const parsed = operation.input.safeParse(input);
    if (!parsed.success || keyFault) {
      const issues = parsed.error?.issues ?? [];
      const faults = [
        ...(keyFault ? [keyFault] : []),
        ...issues.map(({ path, message }) => ({ field: fieldPath(path) || 'input', rule: message })),
      ];
      const error = providerError('not_sent', { operation: name, reason: 'input', faults });
      return { kind: 'not_sent', error };
    }
    const detail = operation.unavailable?.(parsed.data);
    if (detail !== undefined) {
      const error = providerError('not_sent', { operation: name, reason: 'not_configured', detail });
      return { kind: 'not_sent', error };
    }
    const repeatable = operationInfo[name].effect === 'read';
    const request = operation.request(parsed.data);
    const { signal, mayLeave } = options ?? {};
    const limits = { repeatable, maxBytes: maxResponseBytes, mayLeave };
    const result = await transport.send({ ...authenticate(request, key), ...limits }, account, signal);
    const expectation = { operation: name, ...operation.expect(parsed.data) };
    const redaction = createRedaction({
      secrets: request.token ? [redactKey, secretRedactor(request.token)] : [redactKey],
      numbers: () => numbersIn(request),
      input: operation.redact?.(parsed.data) ?? {},
    });
    const outcome = classifyResponse(expectation, result, redaction);
    if (outcome.kind !== 'accepted' && outcome.error.cause !== undefined) {
      const { reason, cause } = outcome.error;
      onConnectionFault?.({ operation: name, outcome: outcome.kind, reason, cause });
    }
    return outcome;
  };
}

const commonHeaders = { accept: 'application/json', 'user-agent': 'switchboard' };

/**
 * Adds the credentials (API §5): a token as a header; otherwise the key, in the JSON body, in the JSON part of an
 * upload, or in the query. Only a request with a body has a content type.
 */
function authenticate(
  request: ApiRequest,
  key: Secret,
): Pick<TransportRequest, 'method' | 'path' | 'headers' | 'query' | 'body'> {
  const { method, path, token } = request;
  const credentials = token ? {} : { api_key: key.reveal() };
  const headers = token ? { ...commonHeaders, 'x-token': token.reveal() } : commonHeaders;
  if ('query' in request) {
    return { method, path, headers, query: { ...request.query, ...credentials } };
  }
  if ('json' in request) {
    const body = JSON.stringify({ ...request.json, ...credentials });
    return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body };
  }
  const { file, contact } = request.upload;
  const part = new Blob([JSON.stringify({ ...contact, ...credentials })], { type: 'application/json' });
  const body = new FormData();
  body.set('file', file);
  body.set('contact', part);
  // undici adds the content type, which names the boundary between the parts.
  return { method, path, headers, body };
}

/** The phone numbers in a request. */
function numbersIn(request: ApiRequest): string[] {
  if ('upload' in request) {
    return [];
  }
  const { to, phone_number } = 'json' in request ? request.json : request.query;
  return [to, phone_number].flat().filter((number) => typeof number === 'string');
}

/** Called with each call that ended: a name, and how. Holds nothing of the request. */
export type OnCall = (call: {
  readonly operation: OperationName;
  readonly outcome: Outcome<unknown>['kind'];
  readonly reason?: Reason | undefined;
  /** Milliseconds, with the wait for a connection and every attempt. */
  readonly took: number;
}) => void;

/** Returns a sender whose calls are observed, each a step of the trace. */
export function observeCalls(
  send: RequestSender,
  { onCall, elapsed }: { onCall: OnCall | undefined; elapsed: () => number },
): RequestSender {
  return (operation, input, options) => {
    const { name } = operation;
    const attributes = { 'provider.operation': name };
    return traced({ name: `provider ${name}`, kind: 'client', attributes }, async (step) => {
      const from = elapsed();
      const outcome = await send(operation, input, options);
      const reason = outcome.kind === 'accepted' ? undefined : outcome.error.reason;
      step.set({ 'provider.outcome': outcome.kind, 'provider.reason': reason });
      onCall?.({ operation: name, outcome: outcome.kind, reason, took: elapsed() - from });
      return outcome;
    });
  };
}
