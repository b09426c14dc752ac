import { kindsOf } from '../description/check-field.ts';
import { requestRows } from '../description/request-rows.ts';
import type { Operation, RequestField } from '../description/types.ts';
import { canBeLifted, valuesOf } from './allowed-values.ts';

/** The values of a request by field name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Valid requests: one for each optional field, type, value and limit, and one with the required fields alone. `known` has
 * the values that must name existing data.
 */
export function validRequests(operation: Operation, known: Values): Values[] {
  const variants = requestRows(operation).flatMap((row): Values[] => {
    const { name, field } = row;
    const values = [
      ...spellings(field, known[name] ?? field.example),
      ...valuesOf(operation, row),
      ...Object.values(limitsOf(field)),
    ];
    const lifted = canBeLifted(operation, row) ? [{ ...field.unless, [name]: 'Front desk, 2nd phone' }] : [];
    return [...values.map((value) => ({ [name]: value })), ...lifted];
  });
  // The required fields alone come last: a deletion without a contact may empty the phonebook.
  return [...variants, {}].map((changes) => compose(operation, known, changes));
}

/** The value in each further type of its field; unchanged where the field is optional. */
function* spellings(field: RequestField, value: unknown): Iterable<unknown> {
  if (field.required !== true) {
    yield value;
  }
  const kinds = kindsOf(field);
  if (kinds.length === 1) {
    return;
  }
  if (kinds.includes('strings')) {
    yield [value].flat();
  }
  if (kinds.includes('integer')) {
    yield Number(value);
  }
}

/** The values at the limits of a field. */
export function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
  example,
}: RequestField): Values {
  const limits = {
    minimum,
    maximum,
    minLength: minLength && stretch(example, minLength),
    maxLength: maxLength && stretch(example, maxLength),
    maxItems: maxItems && manyNumbers(maxItems),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** A text of a given length, made of the characters of another. */
export function stretch(text: unknown, length: number): string {
  return String(text).repeat(length).slice(0, length);
}

/** Distinct phone numbers. */
export function manyNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(2_348_030_001_000 + index));
}

/** The values of a request: the required fields, the changes, and the fields that the changes need. */
export function compose(operation: Operation, known: Values, changes: Values): Values {
  // The fields of an object are present or absent together.
  const familyOf = (name: string) => name.split('.')[0] ?? name;
  const changed = new Set(Object.keys(changes).map(familyOf));
  const present = requestRows(operation).filter(({ name, field }) =>
    field.required === true ? !changed.has(field.notWith ?? '') : changed.has(familyOf(name)),
  );
  const values = present.map(({ name, field }) => [name, known[name] ?? field.example]);
  const companions = present.map(({ name, field }) => ({
    ...field.onlyWith,
    ...field.needs?.[String(changes[name])],
  }));
  return Object.assign(Object.fromEntries(values), ...companions, changes);
}
