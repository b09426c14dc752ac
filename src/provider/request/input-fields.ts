import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';

/* Input fields that several operations share, with their rules (API §2, §8). */

/** Text that is not blank. Sent unchanged. */
export const nonEmptyText = z
  .string('must be text')
  .refine((value) => value.trim() !== '', 'must not be empty');

/** Who a message is from. Accounts have active sender IDs that nobody could request today, such as `N-Alert`. */
export const sender = z.string('must be a sender ID').trim().min(1, 'must not be empty');

/** A sender ID to request: 3 to 11 letters and digits, or a number (API §4.11). */
export const senderId = z
  .string('must be a sender ID')
  .trim()
  .regex(/^(?:[A-Za-z0-9]{3,11}|\d+)$/, 'must be 3 to 11 letters and digits, or a number');

/** A one-time code, as text or as a `Secret`, which is never printed. */
export function codeInput(pattern: RegExp, rule: string) {
  return z
    .custom<string | Secret>()
    .transform((value) => (value instanceof Secret ? value.reveal() : value))
    .pipe(z.string('must be text').regex(pattern, rule));
}

/** An id that becomes a path segment. Excludes everything that could change the path. */
export const pathId = z
  .string('must be text')
  .regex(
    /^(?!\.{1,2}$)[^\s\p{C}/\\?#%;]{1,200}$/u,
    'must be an id of the provider, without spaces or slashes',
  );

/** The calling code of a country, such as `234`. */
export const callingCode = z
  .string('must be text')
  .regex(/^[1-9]\d{0,2}$/, 'must be the calling code of a country, as digits without +');

const phonePattern = /^[1-9]\d{6,14}$/;

/** A phone number in the provider's format: digits in international format, without `+` (API §4). */
export const phoneNumber = z
  .string('must be text')
  .regex(phonePattern, 'must be 7 to 15 digits in international format, without + or spaces');

const maxRecipients = 100;

const distinctNumbers = z
  .array(phoneNumber, 'must be a list of numbers')
  .min(1, 'must hold at least one number')
  .max(maxRecipients, `must hold at most ${maxRecipients} numbers`)
  .superRefine((to, context) => {
    const firstAt = new Map<string, number>();
    to.forEach((number, index) => {
      const first = firstAt.get(number);
      if (first === undefined) {
        firstAt.set(number, index);
      } else {
        context.addIssue({ code: 'custom', path: [index], message: `repeats to[${first}]` });
      }
    });
  });

/**
 * A list of distinct numbers, because a repeated one would get the message twice. The fast path skips zod: a schema run
 * a hundred times costs more than the request. zod runs only to report the faults.
 */
export const recipientList = z.custom<readonly string[]>().transform((value: unknown, context) => {
  // Copied, so that later changes to the caller's list have no effect.
  if (isValid(value)) {
    return [...value];
  }
  const { data = z.NEVER, error } = distinctNumbers.safeParse(value);
  for (const { path, message } of error?.issues ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
  return data;
});

function isValid(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= maxRecipients &&
    value.every((number) => typeof number === 'string' && phonePattern.test(number)) &&
    new Set(value).size === value.length
  );
}

/** One number or several, as a list. */
export const recipients = z
  .custom<string | readonly string[]>(
    (to) => typeof to === 'string' || Array.isArray(to),
    'must be a number or a list of numbers',
  )
  .transform((to) => (typeof to === 'string' ? [to] : to))
  .pipe(recipientList);
