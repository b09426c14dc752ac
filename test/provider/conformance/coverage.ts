import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { kindOf, kindsOf, requestFieldFaults } from '../description/check-field.ts';
import { type RequestRow, requestRows, responseFields } from '../description/request-rows.ts';
import type { Operation, RequestField } from '../description/types.ts';
import { canBeLifted, valuesOf } from './allowed-values.ts';
import { valuesAt } from './check-response.ts';
import { limitsOf, type Values } from './valid-requests.ts';

/* A mark names one rule that a test can cover, such as `tokens.send pin_length: maximum broken`. */

const mark = {
  given: ({ name }: Operation, row: RequestRow, kind: string) => `${name} ${row.name}: given, ${kind}`,
  value: ({ name }: Operation, row: RequestRow, value: unknown) => `${name} ${row.name}: is ${value}`,
  reached: ({ name }: Operation, row: RequestRow, limit: string) => `${name} ${row.name}: ${limit} reached`,
  lifted: ({ name }: Operation, row: RequestRow) => `${name} ${row.name}: pattern lifted`,
  broken: ({ name }: Operation, row: RequestRow, rule: string) => `${name} ${row.name}: ${rule} broken`,
  answered: ({ name }: Operation, path: string) => `${name} answers ${path}`,
  succeeded: ({ name }: Operation, path: string) => `${name} succeeds by ${path}`,
};

/** All marks of requests. */
export function allRequestMarks(operation: Operation): string[] {
  return requestRows(operation).flatMap((row) => [
    ...kindsOf(row.field).map((kind) => mark.given(operation, row, kind)),
    ...valuesOf(operation, row).map((value) => mark.value(operation, row, value)),
    ...Object.keys(limitsOf(row.field)).map((limit) => mark.reached(operation, row, limit)),
    ...(canBeLifted(operation, row) ? [mark.lifted(operation, row)] : []),
  ]);
}

/** The marks that one request covers. */
export function requestMarks(operation: Operation, values: Values): string[] {
  const given = requestRows(operation).filter(({ name }) => name in values);
  return given.flatMap((row) => {
    const value = values[row.name];
    const kind = kindOf(row.field, value);
    const reached = Object.entries(limitsOf(row.field)).filter(([, limit]) =>
      isDeepStrictEqual(limit, value),
    );
    const lifted = canBeLifted(operation, row) && requestFieldFaults(row.field, value).includes('pattern');
    return [
      ...(kind === undefined ? [] : [mark.given(operation, row, kind)]),
      ...(valuesOf(operation, row).some((one) => one === value) ? [mark.value(operation, row, value)] : []),
      ...reached.map(([limit]) => mark.reached(operation, row, limit)),
      ...(lifted ? [mark.lifted(operation, row)] : []),
    ];
  });
}

/** Properties of a field that are not rules to break. */
const notRules: readonly string[] = [
  'is',
  'required',
  'example',
  'says',
  'beyond',
  'wrong',
  'needs',
  'unless',
] satisfies (keyof RequestField)[];

/** The mark of each rule that can be broken. A path parameter is always present and always text. */
export function brokenMarks(operation: Operation, row: RequestRow): string[] {
  const { place, field } = row;
  const rules = Object.keys(field).filter((name) => !notRules.includes(name));
  const required = field.required === true && place !== 'path' ? ['required'] : [];
  const kind = place === 'path' || place === 'header' ? [] : ['is'];
  return [...required, ...kind, ...rules].map((rule) => mark.broken(operation, row, rule));
}

export const brokenMark = mark.broken;

/** All marks of responses. */
export function allResponseMarks(operation: Operation): string[] {
  return [
    ...Object.keys(responseFields(operation)).map((path) => mark.answered(operation, path)),
    ...Object.keys(operation.success).map((path) => mark.succeeded(operation, path)),
  ];
}

/** The marks that one response covers. */
export function responseMarks(operation: Operation, answer: unknown): string[] {
  const paths = Object.keys(responseFields(operation));
  const success = Object.entries(operation.success);
  return [
    ...paths
      .filter((path) => valuesAt(answer, path).values.some((value) => value !== null))
      .map((path) => mark.answered(operation, path)),
    ...success
      .filter(([path, value]) => isDeepStrictEqual(valuesAt(answer, path).values, [value]))
      .map(([path]) => mark.succeeded(operation, path)),
  ];
}

/** Records which marks the tests have covered. */
export interface Coverage {
  /** Throws for an unknown mark. */
  cover(marks: readonly string[]): void;
  uncovered(): string[];
}

export function createCoverage(marks: readonly string[]): Coverage {
  const every = new Set(marks);
  const touched = new Set<string>();
  return {
    cover(some) {
      for (const one of some) {
        assert.ok(every.has(one), `no row of the data is marked "${one}"`);
        touched.add(one);
      }
    },
    uncovered: () => [...every.difference(touched)],
  };
}
