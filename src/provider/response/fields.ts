import { z } from 'zod';

/*
 * Fields of answers, read tolerantly: the provider sends one and the same field as a string here and as a number
 * there. A field that is null, empty or of another kind counts as absent, and only what an operation needs is missed.
 */

/** Any text, also one that came as a number; ids keep every digit because `parseJson` does. */
export const text = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim())
  .pipe(z.string().min(1));

export const optionalText = text.optional().catch(undefined);

/** The `code` by which an answer says that it was done (API §7). */
export const okCode = z.string().regex(/^ok$/i);

/** A number, also one that came as text: `parseJson` makes text of what JavaScript would write in another way. */
const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i)
      .transform(Number),
  ])
  .pipe(z.number());

/** A whole number, also one that came as text. */
export const optionalCount = number.pipe(z.int().nonnegative()).optional().catch(undefined);

/** A whole number that may be negative, such as a version or what is left. */
export const optionalInteger = number.pipe(z.int()).optional().catch(undefined);

/** Any number, for what is reckoned with and need not be exact. Amounts of money are text. */
export const optionalNumber = number.optional().catch(undefined);

export const optionalBoolean = z
  .union([
    z.boolean(),
    z.stringbool(),
    z.literal(1).transform(() => true),
    z.literal(0).transform(() => false),
  ])
  .optional()
  .catch(undefined);

const localDateTime = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;

/** An instant out of `YYYY-MM-DD HH:MM:SS`, which is West Africa Time (UTC+1 all year) unless an offset is given. */
export const optionalInstant = z
  .string()
  .transform((value) => {
    const [, date, time, offset = '+01:00'] = localDateTime.exec(value.trim()) ?? [];
    return new Date(`${date}T${time}${offset}`);
  })
  .pipe(z.date())
  .optional()
  .catch(undefined);

/** Below this a timestamp is in seconds since 1970, from it on in milliseconds: 1973, or the year 5138. */
const firstInMilliseconds = 100_000_000_000;

/** An instant out of an integer, whose unit the description does not show. */
export const optionalTimestamp = number
  .pipe(z.int().positive())
  .transform((value) => new Date(value < firstInMilliseconds ? value * 1000 : value))
  .pipe(z.date())
  .optional()
  .catch(undefined);

/** An object with what is in it, made of fields that may be absent. */
export function optionalObject<Fields extends z.ZodRawShape>(fields: Fields) {
  return z
    .object(fields)
    .transform((read) => omitUndefined(read))
    .optional()
    .catch(undefined);
}

type Present<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Leaves absent fields out, so that a value has only what came. */
export function omitUndefined<T extends object>(fields: T): Present<T>;
export function omitUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * An object of an answer, turned into a value that carries the object itself as `raw`, untouched; with `present`, the
 * value has the fields under the provider's own names. What is missing is reported under its own path.
 */
export function record<Fields extends z.ZodRawShape, Value extends object>(
  fields: Fields,
  toValue: (read: z.output<z.ZodObject<Fields>>) => Value,
): z.ZodType<Value & { readonly raw: unknown }> {
  const shape = z.object(fields);
  return z.unknown().transform((raw, context) => {
    const read = shape.safeParse(raw);
    if (read.success) {
      return { ...toValue(read.data), raw };
    }
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: 'custom', path, message });
    }
    return z.NEVER;
  });
}
