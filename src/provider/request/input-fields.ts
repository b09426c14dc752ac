import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';

/* Input fields that several operations share, with their rules (API §2, §8). */

/** Text that is not blank. Sent unchanged. */
export const nonEmptyText = z
  .string('must be text')
  .refine((value) => value.trim() !== '', 'must not be empty');

/** 3 to 11 letters and digits, or a number (API §2.4). */
export const senderIdPattern = /^(?:[A-Za-z0-9]{3,11}|\d+)$/;

export const senderId = z
  .string('must be a sender ID')
  .trim()
  .regex(senderIdPattern, 'must be 3 to 11 letters and digits, or a number');

/** A one-time code, as text or as a `Secret`, which is never printed. */
export function codeInput(pattern: RegExp, rule: string) {
  return z
    .unknown()
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
