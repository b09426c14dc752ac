import { z } from 'zod';

const form = /^[1-9]\d{6,14}$/;

/** A phone number as the provider takes it: digits in international format, without `+` (API §4). */
export const phoneNumber = z
  .string('must be text')
  .regex(form, 'must be 7 to 15 digits in international format, without + or spaces');

const mostRecipients = 100;

/**
 * Several numbers, each once: who stands in the list twice would get the message twice. The list is checked as a whole,
 * and number by number only where something is wrong with it: a schema run a hundred times costs more than the sending.
 */
export const recipientList = z
  .custom<unknown[]>(Array.isArray, 'must be a list of numbers')
  .transform((given, context) => {
    const to = given.filter((number) => typeof number === 'string');
    if (to.length === given.length && isGood(to)) return to;
    for (const { path, message } of faultsIn(given, to)) {
      context.addIssue({ code: 'custom', path, message });
    }
    return z.NEVER;
  });

function isGood(to: readonly string[]): boolean {
  return (
    to.length >= 1 &&
    to.length <= mostRecipients &&
    to.every((number) => form.test(number)) &&
    new Set(to).size === to.length
  );
}

interface ListFault {
  /** The place in the list; empty where it is the list as a whole. */
  readonly path: number[];
  readonly message: string;
}

function faultsIn(given: readonly unknown[], texts: readonly string[]): ListFault[] {
  if (given.length < 1) return [{ path: [], message: 'must hold at least one number' }];
  if (given.length > mostRecipients) {
    return [{ path: [], message: `must hold at most ${mostRecipients} numbers` }];
  }
  const faults = [...given].flatMap((number, index) => faultsOf(number, index));
  return texts.length === given.length ? [...faults, ...repeatsIn(texts)] : faults;
}

function faultsOf(number: unknown, index: number): ListFault[] {
  const { error } = phoneNumber.safeParse(number);
  return (error?.issues ?? []).map(({ message }) => ({ path: [index], message }));
}

function repeatsIn(to: readonly string[]): ListFault[] {
  const firstAt = new Map<string, number>();
  return to.flatMap((number, index) => {
    const first = firstAt.get(number);
    if (first !== undefined) return [{ path: [index], message: `repeats to[${first}]` }];
    firstAt.set(number, index);
    return [];
  });
}

/** One number or several, as a list. */
export const recipients = z
  .custom<unknown>(
    (to) => typeof to === 'string' || Array.isArray(to),
    'must be a number or a list of numbers',
  )
  .transform((to) => (Array.isArray(to) ? to : [to]))
  .pipe(recipientList);
