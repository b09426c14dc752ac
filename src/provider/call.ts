import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Secret } from '../secret.ts';
import { type Fault, type OperationName, providerError } from './errors.ts';
import { type Expectation, fieldPath, judge } from './judge.ts';
import type { Outcome } from './outcome.ts';
import type { Transport, TransportRequest } from './transport.ts';
import { operations } from './wording.ts';

/** What every call takes besides its input. */
export interface CallOptions {
  /** Ends the call early: as `not_sent` while nothing has left, as `unconfirmed` after. */
  readonly signal?: AbortSignal;
}

/** A request as the description shows it, but for the key. */
type CallRequest =
  | { readonly method: 'GET'; readonly path: string; readonly query: Readonly<Record<string, string>> }
  | { readonly method: 'POST'; readonly path: string; readonly json: Readonly<Record<string, unknown>> };

/** One operation of the description: what goes in, what goes over the line, what must come out. */
export interface Operation<Input, Value> {
  readonly name: OperationName;
  readonly input: z.ZodType<Input>;
  /** The sentence to refuse with when this input needs a setting that is not made. */
  readonly unavailable?: (input: Input) => string | undefined;
  readonly request: (input: Input) => CallRequest;
  readonly expect: (input: Input) => Omit<Expectation<Value>, 'operation'>;
}

/** Makes the calls of one account. */
export type Caller = <Input, Value>(
  operation: Operation<Input, Value>,
  input: unknown,
  options?: CallOptions,
) => Promise<Outcome<Value>>;

const maxAnswerBytes = 1024 * 1024;

/** Checks the input, places the key (API §5), sends, and judges what came back. */
export function createCaller(transport: Transport, key: Secret): Caller {
  // Accounts are told apart by key; the lane's name must not give it away.
  const lane = createHash('sha256').update(key.reveal()).digest('base64url');
  const keyFault = faultOfKey(key);

  return async (operation, input, options) => {
    const { name } = operation;
    const parsed = operation.input.safeParse(input);
    const faults = [...(keyFault ? [keyFault] : []), ...(parsed.success ? [] : faultsOf(parsed.error))];
    if (!parsed.success || faults.length > 0) {
      return {
        kind: 'not_sent',
        error: providerError('not_sent', { operation: name, reason: 'input', faults }),
      };
    }
    const detail = operation.unavailable?.(parsed.data);
    if (detail !== undefined) {
      const error = providerError('not_sent', { operation: name, reason: 'not_configured', detail });
      return { kind: 'not_sent', error };
    }
    const repeatable = operations[name].effect === 'read';
    const request = withKey(operation.request(parsed.data), key, repeatable);
    const delivery = await transport.deliver(request, lane, options?.signal);
    const expectation = { operation: name, ...operation.expect(parsed.data) };
    return judge(expectation, delivery, (text) => withoutKey(text, key));
  };
}

/** The key goes into the JSON body of a POST and into the query of a GET. A GET has no content type: facts, API §5. */
function withKey(request: CallRequest, key: Secret, repeatable: boolean): TransportRequest {
  const { method, path } = request;
  const common = { method, path, repeatable, maxBytes: maxAnswerBytes };
  const headers = { accept: 'application/json', 'user-agent': 'switchboard' };
  if (request.method === 'GET') {
    return { ...common, headers, query: { ...request.query, api_key: key.reveal() } };
  }
  return {
    ...common,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...request.json, api_key: key.reveal() }),
  };
}

/** Shorter than any key of a provider's; such a one cannot be told from ordinary text. */
const shortestSecret = 8;

/** A provider may quote the key it was given, as it is or in an address; nothing that we keep or show may. */
function withoutKey(text: string, key: Secret): string {
  const plain = key.reveal();
  if (plain.length < shortestSecret) return text;
  return text.replaceAll(plain, '[key]').replaceAll(encodeURIComponent(plain), '[key]');
}

function faultOfKey(key: Secret): Fault | undefined {
  if (/^[\x21-\x7e]+$/.test(key.reveal())) return undefined;
  return { field: 'api_key', rule: 'must be letters, digits and signs, without spaces' };
}

function faultsOf(error: z.ZodError): Fault[] {
  return error.issues.map(({ path, message }) => ({ field: fieldPath(path) || 'input', rule: message }));
}
