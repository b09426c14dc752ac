import type { z } from 'zod';
import { type FailureFacts, type FailureKind, providerError } from '../errors.ts';
import type { TransportResult } from '../http/transport.ts';
import type { OperationName } from '../operations.ts';
import type { Outcome } from '../outcome.ts';
import { operationInfo } from './error-messages.ts';
import {
  type ErrorResponse,
  errorReason,
  findErrorResponse,
  isPlainReceipt,
  knownReason,
  readErrorResponse,
} from './error-response.ts';
import { hasReceipt } from './receipt.ts';
import type { Redaction } from './redaction.ts';
import { parseResponseBody, type ResponseBody } from './response-body.ts';

/** What an operation makes of an answer. */
export interface Expectation<Value> {
  readonly operation: OperationName;
  /** The answer as it must be for the operation to have succeeded: its marker of success and what was asked for. */
  readonly answer: z.ZodType<Value>;
  /** Reads a value out of a 404 that answers the question rather than refusing it; `undefined` where it does not. */
  readonly fromNotFound?: (body: unknown, said: string | undefined) => Value | undefined;
  /** Reads a value out of an answer that is no JSON, such as an image; `undefined` where it cannot. */
  readonly fromBytes?: (bytes: Uint8Array) => Value | undefined;
}

/**
 * Decides how a call ended, from how far its request had come and from what came back. Pure, and ordered from what is
 * surest to what is least.
 */
export function classifyResponse<Value>(
  expected: Expectation<Value>,
  delivery: TransportResult,
  clean: Redaction,
): Outcome<Value> {
  const { phase, head, failure, retryAfter } = delivery;
  const fail = (
    kind: FailureKind,
    { providerMessage, providerCode, detail, ...facts }: Omit<FailureFacts, 'operation'>,
  ): Outcome<Value> => ({
    kind,
    error: providerError(kind, {
      operation: expected.operation,
      ...facts,
      ...(providerMessage !== undefined && { providerMessage: clean.message(providerMessage) }),
      ...(providerCode !== undefined && { providerCode: clean.message(providerCode) }),
      ...(detail !== undefined && { detail: clean.message(detail) }),
      ...(head && { status: head.status }),
      ...(retryAfter !== undefined && { retryAfter }),
    }),
  });

  // No byte of it was written.
  if (phase === 'waiting' && failure) {
    return fail('not_sent', failure);
  }
  // It was on its way, and nothing came back: it may have been read.
  if (head === undefined) {
    return fail('unconfirmed', failure ?? { reason: 'cut_off' });
  }

  const isAct = operationInfo[expected.operation].effect !== 'read';
  const text = clean.body(delivery.body.toString('utf8'));
  const body = parseResponseBody(text, head.headers);
  const notes = pageNote(body);

  if (isFault(head.status)) {
    return fail('unconfirmed', { reason: 'server_error', ...words(readErrorResponse(body)), ...notes });
  }
  if (head.status >= 300 && head.status < 400) {
    // To what should act, 303 says "done, see there"; every other redirect says "not here".
    const mayBeDone = head.status === 303 && isAct;
    return mayBeDone ? fail('unconfirmed', { reason: 'redirected' }) : reject({ reason: 'redirected' });
  }
  if (head.status >= 400) {
    return refuse(head.status, readErrorResponse(body));
  }

  // A success, by its status. Whether it is one stands in its body.
  if (failure) {
    return fail('unconfirmed', failure);
  }
  if (body.kind === 'empty') {
    return fail('unconfirmed', { reason: 'empty_answer' });
  }
  const answer = body.kind === 'json' ? expected.answer.safeParse(body.value) : undefined;
  const isPlain = answer?.success && isAct && body.kind === 'json' && isPlainReceipt(body.value);
  const refusal = isPlain ? undefined : findErrorResponse(body);
  const isRemark = refusal?.onlyInWords && answer?.success && hasReceipt(expected.operation, text);
  if (refusal && !isRemark) {
    return refuse(refusal.status ?? head.status, refusal);
  }
  if (answer === undefined) {
    const value = expected.fromBytes?.(delivery.body);
    if (value !== undefined) {
      return { kind: 'accepted', value };
    }
    return fail('unconfirmed', { reason: 'unreadable_answer', ...notes });
  }
  if (answer.success) {
    return { kind: 'accepted', value: answer.data };
  }
  return fail('unconfirmed', {
    reason: 'unreadable_answer',
    detail: whatIsMissing(answer.error),
    ...words(readErrorResponse(body)),
  });

  /** The provider says no, by the answer's status or by the one inside its body. */
  function refuse(status: number, refusal: ErrorResponse): Outcome<Value> {
    if (isFault(status)) {
      return fail('unconfirmed', { reason: 'server_error', ...words(refusal) });
    }
    if (status === 404 && body.kind === 'json' && knownReason(refusal.words) === undefined) {
      const value = expected.fromNotFound?.(body.value, refusal.words);
      if (value !== undefined) {
        return { kind: 'accepted', value };
      }
    }
    return reject({ reason: errorReason(status, refusal.words), ...words(refusal), ...notes });
  }

  /** A receipt outweighs the refusal, whatever its status and its words: who is told no may ask again. */
  function reject(facts: Omit<FailureFacts, 'operation'>): Outcome<Value> {
    if (!hasReceipt(expected.operation, text)) {
      return fail('rejected', facts);
    }
    return fail('unconfirmed', { ...facts, detail: 'But the answer also holds a receipt.' });
  }
}

/** Statuses by which a server says that something went wrong on its side: it may have acted before that. */
function isFault(status: number): boolean {
  return status >= 500 || status === 408;
}

function words({ words, code }: ErrorResponse): Pick<FailureFacts, 'providerMessage' | 'providerCode'> {
  return {
    ...(words !== undefined && { providerMessage: words }),
    ...(code !== undefined && { providerCode: code }),
  };
}

function pageNote(body: ResponseBody): Pick<FailureFacts, 'detail'> {
  if (body.kind !== 'page') {
    return {};
  }
  const title = body.title ? ` titled “${body.title}”` : '';
  return { detail: `The answer was a web page${title}, perhaps of a proxy or from a wrong address.` };
}

/** Which field of the answer is not what it must be, by its path. */
function whatIsMissing(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue && issue.path.length > 0 ? fieldPath(issue.path) : 'the whole';
  return `What is missing or wrong in it: ${path}.`;
}

/** A path as people write it: `content[2].sender_id`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') {
      return `${text}[${step}]`;
    }
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
