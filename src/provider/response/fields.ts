import { z } from 'zod';

/*
 * Fields of responses, read tolerantly: the provider sends the same field as a string in one place and as a number in
 * another. A field that is null, empty or of another type counts as absent; only a required field is an error.
 */

/** Text, or a number as text. Ids keep every digit because `parseJson` does. */
export const text = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim())
  .pipe(z.string().min(1));

export const optionalText = text.optional().catch(undefined);

/** The `code` that marks success (API §7). */
export const okCode = z.string().regex(/^ok$/i);

/** A number, or text with a number: `parseJson` returns text where JavaScript would write the number differently. */
const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i)
      .transform(Number),
  ])
  .pipe(z.number());

/** A whole number of 0 or more. */
export const optionalCount = number.pipe(z.int().nonnegative()).optional().catch(undefined);

/** A whole number that may be negative, such as a version or a remaining count. */
export const optionalInteger = number.pipe(z.int()).optional().catch(undefined);

/** Any number, for values that need not be exact. Amounts of money are text. */
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

/** Reads `YYYY-MM-DD HH:MM:SS` as West Africa Time (UTC+1 all year) unless it has an offset. */
export const optionalInstant = z
  .string()
  .transform((value) => {
    const [, date, time, offset = '+01:00'] = localDateTime.exec(value.trim()) ?? [];
    return new Date(`${date}T${time}${offset}`);
  })
  .pipe(z.date())
  .optional()
  .catch(undefined);

/** Timestamps below this are in seconds, others in milliseconds: the year 5138 or 1973. */
const minMilliseconds = 100_000_000_000;

/** Reads an integer whose unit the API does not document. */
export const optionalTimestamp = number
  .pipe(z.int().positive())
  .transform((value) => new Date(value < minMilliseconds ? value * 1000 : value))
  .pipe(z.date())
  .optional()
  .catch(undefined);

/** An object of optional fields. */
export function optionalObject<Fields extends z.ZodRawShape>(fields: Fields) {
  return plainObject(fields).optional().catch(undefined);
}

/** An object with the fields that came. */
export function plainObject<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields).transform((read) => fieldsThatCame(read));
}

type Present<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Removes undefined properties, so that a value has only the fields that came. */
export function omitUndefined<T extends object>(fields: T): Present<T>;
export function omitUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** As `omitUndefined`, for fields that are optional already. */
function fieldsThatCame<T extends object>(fields: T): Readonly<T>;
function fieldsThatCame(fields: object): object {
  return omitUndefined(fields);
}

/** A field that the provider sends under another name than the record has. */
export function sentAs<Field extends z.ZodType>(name: string, field: Field): Field {
  return field.meta({ sentAs: name });
}

/**
 * An object of a response: the fields that came, and the object itself as `raw`. Issues are reported under the names that
 * the provider uses.
 */
export function record<Fields extends z.ZodRawShape>(fields: Fields) {
  const shape = z.object(fields);
  const names = Object.entries(fields).map(
    ([field, type]) => [field, String(z.globalRegistry.get(type)?.sentAs ?? field)] as const,
  );
  const sent = new Map(names);
  const isRenamed = names.some(([field, name]) => field !== name);
  const read = (raw: unknown): unknown =>
    isRenamed && typeof raw === 'object' && raw !== null && !Array.isArray(raw)
      ? Object.fromEntries(names.map(([field, name]) => [field, Reflect.get(raw, name)]))
      : raw;
  return z.unknown().transform((raw, context) => {
    const parsed = shape.safeParse(read(raw));
    if (parsed.success) {
      return { ...fieldsThatCame(parsed.data), raw };
    }
    for (const { path, message } of parsed.error.issues) {
      const [field, ...inner] = path;
      const name = sent.get(String(field)) ?? field;
      context.addIssue({ code: 'custom', path: name === undefined ? [] : [name, ...inner], message });
    }
    return z.NEVER;
  });
}

/** Formats a path as in source code: `content[2].sender_id`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') {
      return `${text}[${step}]`;
    }
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
