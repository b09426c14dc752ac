import { z } from 'zod';
import type { FailureFacts, FailureKind, Outcome, ProviderError } from '../errors.ts';
import type { TransportResult } from '../http/transport.ts';
import { type OperationName, operationInfo } from '../operations.ts';
import { providerError } from './error-messages.ts';
import {
  type ErrorResponse,
  errorReason,
  findErrorResponse,
  readErrorResponse,
  readMessage,
} from './error-response.ts';
import { fieldPath } from './fields.ts';
import { hasReceipt, receiptIdIn } from './receipt.ts';
import type { Redaction } from './redaction.ts';
import { concernOf } from './refusals.ts';
import { parseResponseBody, type ResponseBody } from './response-body.ts';

/** What a response must hold for an operation to have succeeded. */
export interface Expectation<Value> {
  readonly operation: OperationName;
  /** The marker of success and the data that was asked for. */
  readonly answer: z.ZodType<Value>;
  /** Reads the value out of a 404 that answers the question. Returns `undefined` where the 404 is an error. */
  readonly fromNotFound?: ((body: unknown, message: string | undefined) => Value | undefined) | undefined;
  /** Reads the value out of a refusal that answers the question. Returns `undefined` where it is an error. */
  readonly fromRefusal?: ((body: unknown) => Value | undefined) | undefined;
  /** Reads the value out of a body that is not JSON, such as an image. Returns `undefined` where it cannot. */
  readonly fromBytes?: ((bytes: Uint8Array) => Value | undefined) | undefined;
}

type Fail<Value> = (kind: FailureKind, facts: Omit<FailureFacts, 'operation'>) => Outcome<Value>;

/** A response whose head has come. */
interface Received<Value> {
  readonly expected: Expectation<Value>;
  readonly status: number;
  readonly bytes: Uint8Array;
  /** The body as text, without keys and tokens. */
  readonly text: string;
  readonly body: ResponseBody;
  readonly fail: Fail<Value>;
}

/**
 * Classifies how a request ended, from how far it got and from its response. Pure. The checks are ordered from the most
 * to the least certain.
 */
export function classifyResponse<Value>(
  expected: Expectation<Value>,
  result: TransportResult,
  redaction: Redaction,
): Outcome<Value> {
  const { phase, head, failure } = result;
  const fail: Fail<Value> = (kind, facts) => failed(expected.operation, kind, facts, result, redaction);
  // No byte was written.
  if (phase === 'waiting' && failure) {
    return fail('not_sent', failure);
  }
  // It left, and no response came: the provider may have read it.
  if (head === undefined) {
    return fail('unconfirmed', failure ?? { reason: 'cut_off' });
  }
  const { status, headers } = head;
  const text = redaction.body(result.body.toString('utf8'));
  const body = parseResponseBody(text, headers);
  const received = { expected, status, bytes: result.body, text, body, fail };
  if (isServerError(status)) {
    return breakDown(received, readErrorResponse(body, effectOf(expected.operation)));
  }
  if (status >= 300 && status < 400) {
    // 303 in response to a change means "done, see there". Every other redirect means "not here".
    const mayBeDone = status === 303 && hasEffect(expected.operation);
    return mayBeDone
      ? fail('unconfirmed', { reason: 'redirected' })
      : reject(received, { reason: 'redirected' });
  }
  if (status >= 400) {
    return refuse(received, status, readErrorResponse(body, effectOf(expected.operation)));
  }
  return failure ? fail('unconfirmed', failure) : classifySuccess(received);
}

/** The status is 2xx. Whether the request succeeded depends on the body. */
function classifySuccess<Value>(received: Received<Value>): Outcome<Value> {
  const { expected, status, body, bytes, text, fail } = received;
  if (body.kind === 'empty') {
    return fail('unconfirmed', { reason: 'empty_answer' });
  }
  const parsed = body.kind === 'json' ? expected.answer.safeParse(body.value) : undefined;
  const isPlain =
    parsed?.success && hasEffect(expected.operation) && body.kind === 'json' && isPlainReceipt(body.value);
  const error = isPlain ? undefined : findErrorResponse(body, effectOf(expected.operation));
  const isRemark = error?.onlyByMessage && parsed?.success && hasReceipt(expected.operation, text);
  if (error && !isRemark) {
    return refuse(received, error.status ?? status, error);
  }
  if (parsed === undefined) {
    const value = expected.fromBytes?.(bytes);
    return value === undefined
      ? fail('unconfirmed', { reason: 'unreadable_answer', detail: pageDetail(body) })
      : { kind: 'accepted', value };
  }
  if (parsed.success) {
    return { kind: 'accepted', value: parsed.data };
  }
  // The path of the first missing or wrong field.
  const [issue] = parsed.error.issues;
  const field = issue && issue.path.length > 0 ? fieldPath(issue.path) : 'the answer as a whole';
  return fail('unconfirmed', {
    reason: 'unreadable_answer',
    detail: `Missing or wrong: ${field}.`,
    ...factsOf(readMessage(body, effectOf(expected.operation))),
  });
}

/**
 * Whether a body has an id and a `code` of `ok`, and no field other than `message` that could deny success. Beside a
 * receipt, a message is a remark. Most responses are of this kind and need no search for an error.
 */
function isPlainReceipt(body: unknown): boolean {
  const { success, data } = plainReceipt.safeParse(body);
  return success && !('error' in data || 'errors' in data || 'status' in data || 'detail' in data);
}

const plainReceipt = z.looseObject({
  code: z.literal('ok'),
  message_id: z.string().regex(/^[\w-]{0,80}\d/),
  // Without braces: a message may contain a whole response.
  message: z
    .string()
    .regex(/^[^{}]*$/)
    .optional(),
});

/**
 * Handles a refusal, by the HTTP status or the one in the body. A web page may come from a proxy and proves
 * nothing, except with 401 and 429, which servers return before they act on a request.
 */
function refuse<Value>(received: Received<Value>, status: number, error: ErrorResponse): Outcome<Value> {
  const { expected, body, fail } = received;
  if (isServerError(status)) {
    return breakDown(received, error);
  }
  if (status === 404 && body.kind === 'json' && error.reason === undefined) {
    const value = expected.fromNotFound?.(body.value, error.message);
    if (value !== undefined) {
      return { kind: 'accepted', value };
    }
  }
  const answered = body.kind === 'json' ? expected.fromRefusal?.(body.value) : undefined;
  if (answered !== undefined) {
    return { kind: 'accepted', value: answered };
  }
  const reason = errorReason(status, error);
  if (
    body.kind === 'page' &&
    hasEffect(expected.operation) &&
    reason !== 'bad_key' &&
    reason !== 'rate_limited'
  ) {
    return fail('unconfirmed', { reason: 'unreadable_answer', detail: pageDetail(body) });
  }
  return reject(received, { reason, ...factsOf(error), detail: pageDetail(body) });
}

/** The server may have acted before it failed. If its words refuse the request, they give the reason. */
function breakDown<Value>({ body, fail }: Received<Value>, error: ErrorResponse): Outcome<Value> {
  const reason = error.reason ?? 'server_error';
  return fail('unconfirmed', { reason, ...factsOf(error), detail: pageDetail(body) });
}

/**
 * A receipt outweighs a refusal, whatever its status and message, because a user who is refused sends again.
 * So does an HTTP success status.
 */
function reject<Value>(
  { expected: { operation }, status, text, fail }: Received<Value>,
  facts: Omit<FailureFacts, 'operation'>,
): Outcome<Value> {
  if (hasReceipt(operation, text)) {
    return fail('unconfirmed', {
      ...facts,
      detail: 'But the answer also has the ID of an accepted request.',
    });
  }
  if (status < 300 && hasEffect(operation) && concernOf(facts.reason) !== undefined) {
    return fail('unconfirmed', { ...facts, detail: 'But the provider also reported success.' });
  }
  return fail('rejected', facts);
}

function failed(
  operation: OperationName,
  kind: FailureKind,
  facts: Omit<FailureFacts, 'operation'>,
  { head, body, retryAfter }: TransportResult,
  redaction: Redaction,
): { readonly kind: FailureKind; readonly error: ProviderError } {
  const redact = (text: string | undefined) => text && redaction.message(text);
  // Only for messages: the id of a one-time code must not be stored.
  const receiptId =
    kind === 'unconfirmed' && messageOperations.has(operation)
      ? receiptIdIn(redaction.body(body.toString('utf8')))
      : undefined;
  const error = providerError(kind, {
    ...facts,
    operation,
    providerMessage: redact(facts.providerMessage),
    providerCode: redact(facts.providerCode),
    detail: redact(facts.detail),
    status: head?.status,
    ...(receiptId === undefined ? {} : { receiptId }),
    retryAfter,
  });
  return { kind, error };
}

const messageOperations: ReadonlySet<OperationName> = new Set(['messages.send', 'messages.sendBulk']);

const effectOf = (operation: OperationName) => operationInfo[operation].effect;

function hasEffect(operation: OperationName): boolean {
  return effectOf(operation) !== 'read';
}

/** Statuses of a fault on the server's side. The server may have acted before it. */
function isServerError(status: number): boolean {
  return status >= 500 || status === 408;
}

function factsOf({ message, code }: ErrorResponse): Pick<FailureFacts, 'providerMessage' | 'providerCode'> {
  return { providerMessage: message, providerCode: code };
}

function pageDetail(body: ResponseBody): string | undefined {
  if (body.kind !== 'page') {
    return undefined;
  }
  const title = body.title ? ` titled “${body.title}”` : '';
  return `The answer was a web page${title}, perhaps from a proxy or a wrong address.`;
}
