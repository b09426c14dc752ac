import { z } from 'zod';
import type { Reason } from '../errors.ts';
import type { OperationEffect } from '../operations.ts';
import { omitUndefined } from './fields.ts';
import { concernOf, rankOf, refusalReason } from './refusals.ts';
import { excerpt, parseJson, type ResponseBody } from './response-body.ts';

/** An error as the provider describes it in a body. */
export interface ErrorResponse {
  /** The words that refuse, or else the first ones. */
  readonly message?: string | undefined;
  /** The reason in the words, whatever the status. */
  readonly reason?: Reason | undefined;
  /** The provider's code, as text. */
  readonly code?: string | undefined;
  /** The HTTP status in the body, which may differ from the response's own. */
  readonly status?: number | undefined;
}

const scalar = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);
const errorBody = z.looseObject({ code: scalar, status: scalar });

/** The fields where error messages were seen, in display order. */
const messageFields = ['message', 'error', 'errors', 'comment', 'detail', 'issue'] as const;
const maxDepth = 4;
const maxTexts = 100;

/** Returns the values of these fields. Some may contain the request's fields: `{ to: ["…"] }`. */
function messagesOf(error: object): unknown[] {
  return messageFields.flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return [value];
    }
    const texts = Object.values(value);
    if (name === 'errors') {
      return [texts];
    }
    // Leave out codes and ids, which mean nothing to a person.
    return messageFields.some((field) => field in value) ? [value] : [texts.filter(Array.isArray)];
  });
}

/** Collects the texts of an error, a list of errors, or nested errors. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') {
    return value.trim() === '' ? [] : [value.trim()];
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) {
    return [];
  }
  const parts: readonly unknown[] = Array.isArray(value) ? value.slice(0, maxTexts) : messagesOf(value);
  return parts.flatMap((part) => textsIn(part, depth + 1)).slice(0, maxTexts);
}

/**
 * Reads the error from a response with an error status, where any text is the provider's message. A web page
 * may come from a proxy, so its words are ignored.
 */
export function readErrorResponse(body: ResponseBody, effect: OperationEffect): ErrorResponse {
  if (body.kind === 'json') {
    return explain(unwrap(body.value), effect);
  }
  // Truncated JSON is not shown to the user.
  return body.kind === 'text' && !/^[{[]/.test(body.text) ? explain(unwrap(body.text), effect) : {};
}

/** Reads the message of a 2xx response. A list holds records, except in the answer to a send. */
export function readMessage(body: ResponseBody, effect: OperationEffect): ErrorResponse {
  if (effect !== 'send' && body.kind === 'json' && Array.isArray(body.value)) {
    return {};
  }
  const isRead = effect === 'read' && body.kind === 'json' && typeof body.value === 'object';
  return readErrorResponse(isRead ? { ...body, value: { ...body.value, data: undefined } } : body, effect);
}

/** An error in a response whose status is 2xx. */
interface HiddenError extends ErrorResponse {
  /** Whether only the message denies success. Beside a complete success, such a message is a remark. */
  readonly onlyByMessage: boolean;
}

/**
 * Finds an error in a response whose status is 2xx. It must be explicit: an error code, an error status, an `error` field, or
 * a known message. If unsure, assume success: a user told "nothing was sent" would send again.
 */
export function findErrorResponse(body: ResponseBody, effect: OperationEffect): HiddenError | undefined {
  const error = readMessage(body, effect);
  if (
    (error.status !== undefined && error.status >= 400) ||
    (body.kind === 'json' && isErrorObject(body.value))
  ) {
    return { ...error, onlyByMessage: false };
  }
  return error.reason === undefined ? undefined : { ...error, onlyByMessage: true };
}

function isErrorObject(value: unknown): boolean {
  const parsed = errorBody.safeParse(value);
  if (!parsed.success) {
    return false;
  }
  const { code, status, error, errors } = parsed.data;
  return (
    (code !== undefined && !/^(?:ok|success|2\d\d)$/i.test(code)) ||
    (status !== undefined && /^(?:error|fail(?:ed|ure)?)$/i.test(status)) ||
    textsIn({ error, errors }).length > 0
  );
}

/** The contents of a body, before it is known which words matter. */
interface Said extends Pick<ErrorResponse, 'code' | 'status'> {
  /** The texts of each field that has any. */
  readonly fields: readonly (readonly string[])[];
}

/** An error wrapped in text, seen as `404 : "{…}"`, with or without escaped quotes, or a list of them. */
const wrapped = /^[\s"]*(?:(\d{3})\s*:[\s"]*)?(\{.*\}|\[.*\])"?\s*$/s;

function unwrap(value: unknown, depth = 0): Said {
  if (typeof value === 'string') {
    const [, status, inner] = wrapped.exec(value) ?? [];
    if (inner === undefined || depth >= maxDepth) {
      return { fields: [[value]] };
    }
    const error = parseJson(inner) ?? parseJson(inner.replace(/\\(["\\])/g, '$1'));
    if (status === undefined) {
      return error ? unwrap(error.value, depth + 1) : { fields: [[value]] };
    }
    return {
      code: status,
      status: Number(status),
      ...(error ? unwrap(error.value, depth + 1) : { fields: [] }),
    };
  }
  const parsed = errorBody.safeParse(Array.isArray(value) ? { errors: value } : value);
  if (!parsed.success) {
    return { fields: [] };
  }
  const { code, status, data, ...rest } = parsed.data;
  const values = [...messagesOf(rest), Array.isArray(data) ? undefined : data];
  // An error inside a text overrides the code and status, if it has them.
  const inner = values.map((field) => textsIn(field).map((text) => unwrap(text, depth + 1)));
  const wrappedError = inner.flat().find(({ code, status }) => (code ?? status) !== undefined);
  const httpStatus = [code, status].find((value) => value !== undefined && /^[1-5]\d\d$/.test(value));
  return {
    ...(code !== undefined && { code: excerpt(code) }),
    ...(httpStatus !== undefined && { status: Number(httpStatus) }),
    ...omitUndefined({ code: wrappedError?.code, status: wrappedError?.status }),
    fields: inner.flatMap((errors) => {
      const texts = errors.flatMap(({ fields }) => fields.flat());
      return texts.length === 0 ? [] : [texts];
    }),
  };
}

/** Searches the full texts, because the excerpt shown may end before the relevant words. */
function explain({ fields, ...error }: Said, effect: OperationEffect): ErrorResponse {
  const [refusal] = fields
    .flatMap((field) => field.map((text) => ({ field, text })))
    .slice(0, maxTexts)
    .flatMap((found) => {
      const reason = knownReason(found.text, effect);
      return reason === undefined ? [] : [{ ...found, reason }];
    })
    .sort((one, other) => rankOf(one.reason) - rankOf(other.reason));
  if (refusal === undefined) {
    const [first] = fields;
    return { ...error, ...(first && { message: excerpt(first.join('; ')) }) };
  }
  const whole = excerpt(refusal.field.join('; '));
  const message = excerpt(refusal.text);
  return { ...error, reason: refusal.reason, message: whole.includes(message) ? whole : message };
}

/**
 * Returns the reason that a message identifies, whatever its status. Answers to reads and changes may concern
 * a number or country, so only reasons about the account count as refusals there.
 */
export function knownReason(message: string, effect: OperationEffect = 'send'): Reason | undefined {
  const refusal = refusalReason(message);
  if (refusal !== undefined && (effect === 'send' || concernOf(refusal) === 'account')) {
    return refusal;
  }
  return /too many requests|rate limit/i.test(message.slice(0, 1_000)) ? 'rate_limited' : undefined;
}

/** The words take precedence, because one status stands for many reasons. */
export function errorReason(status: number, { reason }: ErrorResponse): Reason {
  return reason ?? statusReasons.get(status) ?? 'refused';
}

const statusReasons: ReadonlyMap<number, Reason> = new Map([
  [400, 'invalid_request'],
  [401, 'bad_key'],
  [402, 'balance_too_low'],
  [404, 'not_found'],
  [413, 'invalid_request'],
  [422, 'invalid_request'],
  [429, 'rate_limited'],
]);
