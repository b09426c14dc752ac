import { z } from 'zod';
import type { Reason } from '../operations.ts';
import { parseJson } from './json.ts';
import { excerpt, type ResponseBody } from './response-body.ts';

/** A "no" of the provider as it stands in a body. */
export interface ErrorResponse {
  /** The provider's words. */
  readonly words?: string;
  /** The provider's code, as text. */
  readonly code?: string;
  /** The HTTP-like status that the body names, which may differ from the answer's own. */
  readonly status?: number;
}

const scalar = z.union([z.string(), z.number()]).transform(String);
const words = z.string().trim().min(1);
const worded = z.union([words, z.looseObject({ message: words }).transform((error) => error.message)]);

/** The fields in which errors were seen to say what is wrong; each is taken for what it is, or left. */
const errorBody = z.looseObject({
  code: scalar.optional().catch(undefined),
  status: scalar.optional().catch(undefined),
  message: words.optional().catch(undefined),
  error: worded.optional().catch(undefined),
  errors: z.array(worded).optional().catch(undefined),
  detail: words.optional().catch(undefined),
});

/**
 * Reads the refusal out of the body of an answer whose status already says no: any words are the provider's.
 */
export function readErrorResponse(body: ResponseBody): ErrorResponse {
  if (body.kind === 'json') {
    return unwrap(body.value);
  }
  // JSON that broke off is nothing to show to a person.
  if (body.kind === 'text' && !/^[{[]/.test(body.text)) {
    return unwrap(body.text);
  }
  return {};
}

/** A refusal in an answer whose status says yes. */
interface HiddenRefusal extends ErrorResponse {
  /** Whether only its words say no: beside all that makes a success they are a remark. */
  readonly onlyInWords: boolean;
}

/**
 * Finds a refusal in an answer whose status says yes. It must be plain: a code, a status or an `error` that says no, or
 * words that are known as a refusal. In doubt there is none, because who is told that nothing was sent may send again.
 */
export function findErrorResponse(body: ResponseBody): HiddenRefusal | undefined {
  const refusal = readErrorResponse(body);
  if (
    (refusal.status !== undefined && refusal.status >= 400) ||
    (body.kind === 'json' && isErrorObject(body.value))
  ) {
    return { ...refusal, onlyInWords: false };
  }
  return knownReason(refusal.words) === undefined ? undefined : { ...refusal, onlyInWords: true };
}

/**
 * Whether a body says that something was done, and holds nothing but words that could deny it: beside a receipt these
 * are a remark. Most answers are so, and need no search for a refusal.
 */
export function isPlainReceipt(body: unknown): boolean {
  const { success, data } = plainReceipt.safeParse(body);
  return success && !('error' in data || 'errors' in data || 'status' in data || 'detail' in data);
}

const plainReceipt = z.looseObject({
  code: z.literal('ok'),
  message_id: z.string().regex(/^[\w-]{0,80}\d/),
  // Not one that has another answer in it.
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

/** An error that carries another as text, seen as `404 : "{…}"` with the inner quotes escaped or bare. */
const wrapping = /^[\s"]*(\d{3})\s*:\s*"?(\{.*\})"?\s*$/s;
const deepestWrapping = 4;

function unwrap(value: unknown, depth = 0): ErrorResponse {
  if (typeof value === 'string') {
    const [, status, inner] = wrapping.exec(value) ?? [];
    if (status === undefined || inner === undefined || depth >= deepestWrapping) {
      return { words: excerpt(value) };
    }
    const error = parseJson(inner) ?? parseJson(inner.replace(/\\(["\\])/g, '$1'));
    return { code: status, status: Number(status), ...(error && unwrap(error.value, depth + 1)) };
  }
  const parsed = errorBody.safeParse(value);
  if (!parsed.success) {
    return {};
  }
  const { code, status, message, error, errors, detail } = parsed.data;
  const said = message ?? error ?? errors?.[0] ?? detail;
  const httpLike = [code, status].find((text) => text !== undefined && /^[1-5]\d\d$/.test(text));
  return {
    ...(code !== undefined && { code: excerpt(code) }),
    ...(httpLike !== undefined && { status: Number(httpLike) }),
    ...(said !== undefined && unwrap(said, depth + 1)),
  };
}

/** Words of the provider that say plainly which refusal it is, whatever the status beside them. */
const knownWords: readonly (readonly [RegExp, Reason])[] = [
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

export function knownReason(said: string | undefined): Reason | undefined {
  return said === undefined ? undefined : knownWords.find(([pattern]) => pattern.test(said))?.[1];
}

/** What a refusal means: its words first, since one status stands for many things. */
export function errorReason(status: number, said: string | undefined): Reason {
  return knownReason(said) ?? statusReasons.get(status) ?? 'refused';
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
