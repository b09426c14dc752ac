import { type RequestRow, requestRows } from '../description/request-rows.ts';
import type { Operation } from '../description/types.ts';

/** The values of an enumeration that a valid request can have. */
export function valuesOf(operation: Operation, { field }: RequestRow): string[] {
  return (field.enum ?? []).filter(
    (value) => !field.undescribed?.includes(value) && canHave(operation, field.needs?.[value]),
  );
}

/** Whether a valid request can lift the pattern of a field. */
export function canBeLifted(operation: Operation, { field }: RequestRow): boolean {
  return field.unless !== undefined && canHave(operation, field.unless);
}

function canHave(operation: Operation, values: Readonly<Record<string, string>> = {}): boolean {
  const rows = requestRows(operation);
  return Object.entries(values).every(
    ([name, value]) => rows.find((row) => row.name === name)?.field.enum?.includes(value) ?? true,
  );
}
