import type { Kind, RequestField, ResponseField } from './types.ts';

const isKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  file: (value) => value instanceof Blob,
};

export function kindsOf(field: RequestField): readonly Kind[] {
  return typeof field.is === 'string' ? [field.is] : field.is;
}

/** The type of a field that a value matches. */
export function kindOf(field: RequestField, value: unknown): Kind | undefined {
  return kindsOf(field).find((kind) => isKind[kind](value));
}

/** The rules that a request value breaks, by name, except rules between fields. */
export function requestFieldFaults(field: RequestField, value: unknown): string[] {
  if (kindOf(field, value) === undefined) {
    return ['is'];
  }
  const items = Array.isArray(value) ? value : [value];
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = field;
  const faults = {
    enum: field.enum !== undefined && !items.every((item) => field.enum?.includes(String(item))),
    pattern: field.pattern !== undefined && !items.every((item) => field.pattern?.test(String(item))),
    formats: field.formats !== undefined && !field.formats.includes(endingOf(String(value))),
    minimum: Number(value) < minimum,
    maximum: Number(value) > maximum,
    minLength: String(value).length < minLength,
    maxLength: String(value).length > maxLength,
    maxItems: Array.isArray(value) && value.length > (field.maxItems ?? Infinity),
  };
  return Object.entries(faults).flatMap(([rule, broken]) => (broken ? [rule] : []));
}

/** The rules that a response value breaks. */
export function responseFieldFaults(field: ResponseField, value: unknown): string[] {
  if (!isKind[field.is](value)) {
    return ['is'];
  }
  const faults = {
    enum: field.enum !== undefined && !field.enum.some((allowed) => allowed === value),
    pattern: field.pattern !== undefined && !field.pattern.test(String(value)),
  };
  return Object.entries(faults).flatMap(([rule, broken]) => (broken ? [rule] : []));
}

/** The extension of a URL in capitals, such as `PNG`. */
function endingOf(address: string): string {
  return (/\.(\w+)$/.exec(address)?.[1] ?? '').toUpperCase();
}
