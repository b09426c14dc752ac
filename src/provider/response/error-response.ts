import { z } from 'zod';
import type { Reason } from '../errors.ts';
import { parseJson } from './json.ts';
import { excerpt, type ResponseBody } from './response-body.ts';

/** An error as the provider describes it in a body. */
export interface ErrorResponse {
  readonly message?: string | undefined;
  /** The provider's code, as text. */
  readonly code?: string | undefined;
  /** The HTTP status in the body, which may differ from the response's own. */
  readonly status?: number | undefined;
}

const scalar = z.union([z.string(), z.number()]).transform(String);
const message = z.string().trim().min(1);
const messageOrError = z.union([message, z.looseObject({ message }).transform((error) => error.message)]);

/** The fields in which error messages were seen. A field of an unexpected type counts as absent. */
const errorBody = z.looseObject({
  code: scalar.optional().catch(undefined),
  status: scalar.optional().catch(undefined),
  message: message.optional().catch(undefined),
  error: messageOrError.optional().catch(undefined),
  errors: z.array(messageOrError).optional().catch(undefined),
  detail: message.optional().catch(undefined),
});

/** Reads the error from a response whose status is an error: any text is then the provider's message. */
export function readErrorResponse(body: ResponseBody): ErrorResponse {
  if (body.kind === 'json') {
    return unwrap(body.value);
  }
  // Truncated JSON is not shown to the user.
  if (body.kind === 'text' && !/^[{[]/.test(body.text)) {
    return unwrap(body.text);
  }
  return {};
}

/** An error in a response whose status is 2xx. */
interface HiddenError extends ErrorResponse {
  /** Whether only the message denies success. Beside a complete success, such a message is a remark. */
  readonly onlyByMessage: boolean;
}

/**
 * Finds an error in a response whose status is 2xx. It must be explicit: an error code, an error status, an `error`
 * field, or a known message. In doubt there is none, because a user who reads that nothing was sent may send again.
 */
export function findErrorResponse(body: ResponseBody): HiddenError | undefined {
  const error = readErrorResponse(body);
  if (
    (error.status !== undefined && error.status >= 400) ||
    (body.kind === 'json' && isErrorObject(body.value))
  ) {
    return { ...error, onlyByMessage: false };
  }
  return knownReason(error.message) === undefined ? undefined : { ...error, onlyByMessage: true };
}

/**
 * Whether a body has an id and a `code` of `ok`, and no field other than `message` that could deny success. Beside a
 * receipt, a message is a remark. Most responses are of this kind and need no search for an error.
 */
export function isPlainReceipt(body: unknown): boolean {
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

function isErrorObject(value: unknown): boolean {
  const parsed = errorBody.safeParse(value);
  if (!parsed.success) {
    return false;
  }
  const { code, status, error, errors } = parsed.data;
  return (
    (code !== undefined && !/^(?:ok|success|2\d\d)$/i.test(code)) ||
    (status !== undefined && /^(?:error|fail(?:ed|ure)?)$/i.test(status)) ||
    error !== undefined ||
    (errors !== undefined && errors.length > 0)
  );
}

/** An error that wraps another as text, seen as `404 : "{…}"` with the inner quotes escaped or not. */
const wrapped = /^[\s"]*(\d{3})\s*:\s*"?(\{.*\})"?\s*$/s;
const maxWrappingDepth = 4;

function unwrap(value: unknown, depth = 0): ErrorResponse {
  if (typeof value === 'string') {
    const [, status, inner] = wrapped.exec(value) ?? [];
    if (status === undefined || inner === undefined || depth >= maxWrappingDepth) {
      return { message: excerpt(value) };
    }
    const error = parseJson(inner) ?? parseJson(inner.replace(/\\(["\\])/g, '$1'));
    return { code: status, status: Number(status), ...(error && unwrap(error.value, depth + 1)) };
  }
  const parsed = errorBody.safeParse(value);
  if (!parsed.success) {
    return {};
  }
  const { code, status, message, error, errors, detail } = parsed.data;
  const text = message ?? error ?? errors?.[0] ?? detail;
  const httpStatus = [code, status].find((value) => value !== undefined && /^[1-5]\d\d$/.test(value));
  return {
    ...(code !== undefined && { code: excerpt(code) }),
    ...(httpStatus !== undefined && { status: Number(httpStatus) }),
    // An inner error overrides the code and the status, where it has them.
    ...(text !== undefined && unwrap(text, depth + 1)),
  };
}

/** Messages that identify the reason, whatever the status beside them. */
const knownMessages: readonly (readonly [RegExp, Reason])[] = [
  [/country inactive/i, 'country_inactive'],
  [/no route\b|route (?:is )?not (?:active|enabled)/i, 'no_route'],
  [/sender ?id not (?:found|approved|registered)/i, 'sender_id_unknown'],
  [/insufficient (?:balance|credit|fund|unit)|balance (?:is )?(?:too )?low|low balance/i, 'balance_too_low'],
  [
    /invalid (?:api[ _-]?key|credentials)|api[ _-]?key (?:is )?(?:invalid|not found|missing|required)/i,
    'bad_key',
  ],
  [/too many requests|rate limit/i, 'rate_limited'],
];

export function knownReason(message: string | undefined): Reason | undefined {
  return message === undefined ? undefined : knownMessages.find(([pattern]) => pattern.test(message))?.[1];
}

/** The message decides before the status, because one status stands for many reasons. */
export function errorReason(status: number, message: string | undefined): Reason {
  return knownReason(message) ?? statusReasons.get(status) ?? 'refused';
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
