import { z } from 'zod';

const form = /^[1-9]\d{6,14}$/;

/** A phone number as the provider takes it: digits in international format, without `+` (API §4). */
export const phoneNumber = z
  .string('must be text')
  .regex(form, 'must be 7 to 15 digits in international format, without + or spaces');

const mostRecipients = 100;

const eachOnce = z
  .array(phoneNumber, 'must be a list of numbers')
  .min(1, 'must hold at least one number')
  .max(mostRecipients, `must hold at most ${mostRecipients} numbers`)
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
 * Several numbers, each once: who stands in the list twice would get the message twice. What is wrong with a list is
 * found number by number; a good one is known at a look, as a schema that is run a hundred times costs more than the
 * sending.
 */
export const recipientList = z.unknown().transform((given, context) => {
  // A copy: what becomes of the caller's list meanwhile changes nothing.
  if (isGood(given)) {
    return [...given];
  }
  const { data = z.NEVER, error } = eachOnce.safeParse(given);
  for (const { path, message } of error?.issues ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
  return data;
});

function isGood(given: unknown): given is readonly string[] {
  return (
    Array.isArray(given) &&
    given.length >= 1 &&
    given.length <= mostRecipients &&
    given.every((number) => typeof number === 'string' && form.test(number)) &&
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
