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

/** A whole number, also one that came as text. */
export const optionalCount = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.int().nonnegative())
  .optional()
  .catch(undefined);

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

/** An object with what is in it, made of fields that may be absent. */
export function optionalPart<Fields extends z.ZodRawShape>(fields: Fields) {
  return z
    .object(fields)
    .transform((read) => present(read))
    .optional()
    .catch(undefined);
}

type Present<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Leaves absent fields out, so that a value has only what came. */
export function present<T extends object>(fields: T): Present<T>;
export function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * An object of an answer, turned into a value that carries the object itself as `raw`, untouched. What is missing is
 * reported under its own path.
 */
export function record<Fields extends z.ZodRawShape, Value extends object>(
  fields: Fields,
  toValue: (read: z.output<z.ZodObject<Fields, z.core.$loose>>) => Value,
): z.ZodType<Value & { readonly raw: unknown }> {
  const shape = z.looseObject(fields);
  return z.unknown().transform((raw, context) => {
    const read = shape.safeParse(raw);
    if (read.success) return { ...toValue(read.data), raw };
    for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });
}
