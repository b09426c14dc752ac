import { kindsOf } from '../description/check-field.ts';
import { requestRows } from '../description/request-rows.ts';
import type { Operation, RequestField } from '../description/types.ts';
import { canBeLifted, valuesOf } from './allowed-values.ts';

/** The fields of a request by their names in the data. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Requests that keep every rule: one for each thing that the data speaks of beside required fields (an optional field,
 * a kind, a value, a limit), and one of the required fields alone. `known` has the values that must name what exists.
 */
export function rightRequests(operation: Operation, known: Values): Values[] {
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
  // Last what has the required fields alone: a delete that names no contact may leave nothing behind.
  return [...variants, {}].map((changes) => compose(operation, known, changes));
}

/** A value in each other kind that its field may have; as it is where the field may be left out. */
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

/** The value at each limit of a field. */
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

/** A text of a certain length, made out of the characters of another. */
export function stretch(text: unknown, length: number): string {
  return String(text).repeat(length).slice(0, length);
}

/** So many phone numbers, all of them different. */
export function manyNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(2_348_030_001_000 + index));
}

/** The values of a request: those of the required fields, some changes, and what must go with the changes. */
export function compose(operation: Operation, known: Values, changes: Values): Values {
  // The fields of an object come and go together.
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
