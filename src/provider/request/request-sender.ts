import { createHash } from 'node:crypto';
import { FormData } from 'undici';
import type { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import { type InputFault, providerError } from '../errors.ts';
import type { Transport, TransportRequest } from '../http/transport.ts';
import type { OperationName } from '../operations.ts';
import type { Outcome } from '../outcome.ts';
import { classifyResponse, type Expectation, fieldPath } from '../response/classify-response.ts';
import { createRedaction, type RedactedInput, secretRedactor } from '../response/redaction.ts';
import { operationInfo } from '../response/error-messages.ts';

/** What every call takes besides its input. */
export interface RequestOptions {
  /** Ends the call early: as `not_sent` while nothing has left, as `unconfirmed` after. */
  readonly signal?: AbortSignal;
}

/** A request as the description shows it, but for the key. */
type CallRequest = { readonly path: string; readonly token?: Secret } & (
  | { readonly method: 'GET' | 'DELETE'; readonly query: Readonly<Record<string, string>> }
  | { readonly method: 'POST' | 'DELETE'; readonly json: Readonly<Record<string, unknown>> }
  | { readonly method: 'POST'; readonly upload: Upload }
);

/** The parts of an upload (API §4.12). */
interface Upload {
  readonly file: File;
  /** Goes as JSON beside the file. */
  readonly contact: Readonly<Record<string, unknown>>;
}

/** One operation of the description: what goes in, what goes over the line, what must come out. */
export interface ProviderOperation<Input, Value> {
  readonly name: OperationName;
  readonly input: z.ZodType<Input>;
  /** The sentence to refuse with when this input needs a setting that is not made. */
  readonly unavailable?: (input: Input) => string | undefined;
  readonly redact?: (input: Input) => RedactedInput;
  readonly request: (input: Input) => CallRequest;
  readonly expect: (input: Input) => Omit<Expectation<Value>, 'operation'>;
}

/** Makes the calls of one account. */
export type RequestSender = <Input, Value>(
  operation: ProviderOperation<Input, Value>,
  input: unknown,
  options?: RequestOptions,
) => Promise<Outcome<Value>>;

const maxAnswerBytes = 1024 * 1024;

/** Checks the input, places the key (API §5), sends, and judges what came back. */
export function createRequestSender(transport: Transport, key: Secret): RequestSender {
  // Accounts are told apart by key; the lane's name must not give it away.
  const lane = createHash('sha256').update(key.reveal()).digest('base64url');
  const keyFault = faultOfKey(key);
  const withoutKey = secretRedactor(key);

  return async (operation, input, options) => {
    const { name } = operation;
    const parsed = operation.input.safeParse(input);
    if (!parsed.success || keyFault) {
      const faults = [...(keyFault ? [keyFault] : []), ...(parsed.success ? [] : faultsOf(parsed.error))];
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
    const signed = { ...withProof(request, key), repeatable, maxBytes: maxAnswerBytes };
    const delivery = await transport.send(signed, lane, options?.signal);
    const expectation = { operation: name, ...operation.expect(parsed.data) };
    const cleaning = createRedaction({
      secrets: request.token ? [withoutKey, secretRedactor(request.token)] : [withoutKey],
      numbers: () => numbersIn(request),
      concealed: operation.redact?.(parsed.data) ?? {},
    });
    return classifyResponse(expectation, delivery, cleaning);
  };
}

const always = { accept: 'application/json', 'user-agent': 'switchboard' };

/**
 * Proves whose request it is (API §5): a token goes in a header; the key into the JSON body, into the JSON part of an
 * upload, and else into the query. Only what has a body has a content type: facts.
 */
function withProof(
  request: CallRequest,
  key: Secret,
): Pick<TransportRequest, 'method' | 'path' | 'headers' | 'query' | 'body'> {
  const { method, path, token } = request;
  const proof = token ? {} : { api_key: key.reveal() };
  const headers = token ? { ...always, 'x-token': token.reveal() } : always;
  if ('query' in request) {
    return { method, path, headers, query: { ...request.query, ...proof } };
  }
  if ('json' in request) {
    const body = JSON.stringify({ ...request.json, ...proof });
    return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body };
  }
  const { file, contact } = request.upload;
  const part = new Blob([JSON.stringify({ ...contact, ...proof })], { type: 'application/json' });
  const body = new FormData();
  body.set('file', file);
  body.set('contact', part);
  // undici adds the content type, which names the boundary between the parts.
  return { method, path, headers, body };
}

/** The phone numbers that a request is about. */
function numbersIn(request: CallRequest): string[] {
  if ('upload' in request) {
    return [];
  }
  const { to, phone_number } = 'json' in request ? request.json : request.query;
  return [to, phone_number].flat().filter((number) => typeof number === 'string');
}

function faultOfKey(key: Secret): InputFault | undefined {
  if (/^[\x21-\x7e]+$/.test(key.reveal())) {
    return undefined;
  }
  return { field: 'api_key', rule: 'must be letters, digits and signs, without spaces' };
}

function faultsOf(error: z.ZodError): InputFault[] {
  return error.issues.map(({ path, message }) => ({ field: fieldPath(path) || 'input', rule: message }));
}
