import { z } from 'zod';

/** A phone number as the provider takes it: digits in international format, without `+` (API §4). */
export const phoneNumber = z
  .string('must be text')
  .regex(/^[1-9]\d{6,14}$/, 'must be 7 to 15 digits in international format, without + or spaces');

const mostRecipients = 100;

/** Several numbers, each once: who stands in the list twice would get the message twice. */
export const recipientList = z
  .array(phoneNumber, 'must be a list of numbers')
  .min(1, 'must hold at least one number')
  .max(mostRecipients, `must hold at most ${mostRecipients} numbers`)
  .superRefine((to, context) => {
    const firstAt = new Map<string, number>();
    to.forEach((number, index) => {
      const first = firstAt.get(number);
      if (first === undefined) firstAt.set(number, index);
      else context.addIssue({ code: 'custom', path: [index], message: `repeats to[${first}]` });
    });
  });

/** One number or several, as a list. */
export const recipients = z
  .union([z.string(), z.array(z.unknown())], 'must be a number or a list of numbers')
  .transform((to) => (Array.isArray(to) ? to : [to]))
  .pipe(recipientList);
