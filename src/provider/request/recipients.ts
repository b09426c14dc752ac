import { z } from 'zod';

const pattern = /^[1-9]\d{6,14}$/;

/** A phone number in the provider's format: digits in international format, without `+` (API §4). */
export const phoneNumber = z
  .string('must be text')
  .regex(pattern, 'must be 7 to 15 digits in international format, without + or spaces');

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
 * a hundred times costs more than the request. zod runs only to report what is wrong.
 */
export const recipientList = z.unknown().transform((given, context) => {
  // Copied, so that later changes to the caller's list have no effect.
  if (isValid(given)) {
    return [...given];
  }
  const { data = z.NEVER, error } = distinctNumbers.safeParse(given);
  for (const { path, message } of error?.issues ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
  return data;
});

function isValid(given: unknown): given is readonly string[] {
  return (
    Array.isArray(given) &&
    given.length >= 1 &&
    given.length <= maxRecipients &&
    given.every((number) => typeof number === 'string' && pattern.test(number)) &&
    new Set(given).size === given.length
  );
}

/** One number or several, as a list. */
export const recipients = z
  .custom<unknown>(
    (to) => typeof to === 'string' || Array.isArray(to),
    'must be a number or a list of numbers',
  )
  .transform((to): unknown => (Array.isArray(to) ? to : [to]))
  .pipe(recipientList);
