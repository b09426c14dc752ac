import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { faultsOfRequest, kindOf, kindsOf } from '../description/check-field.ts';
import { type RequestRow, requestRows, responseFields } from '../description/request-rows.ts';
import type { Operation, RequestField } from '../description/types.ts';
import { canBeLifted, valuesOf } from './allowed-values.ts';
import { lookUp } from './check-response.ts';
import { limitsOf, type Values } from './valid-requests.ts';

/* A mark is a line of the data that a test can touch, in words: `tokens.send pin_length: maximum broken`. */

const mark = {
  given: ({ name }: Operation, row: RequestRow, kind: string) => `${name} ${row.name}: given, ${kind}`,
  value: ({ name }: Operation, row: RequestRow, value: unknown) => `${name} ${row.name}: is ${value}`,
  reached: ({ name }: Operation, row: RequestRow, limit: string) => `${name} ${row.name}: ${limit} reached`,
  lifted: ({ name }: Operation, row: RequestRow) => `${name} ${row.name}: pattern lifted`,
  broken: ({ name }: Operation, row: RequestRow, rule: string) => `${name} ${row.name}: ${rule} broken`,
  answered: ({ name }: Operation, path: string) => `${name} answers ${path}`,
  succeeded: ({ name }: Operation, path: string) => `${name} succeeds by ${path}`,
};

/** Every mark of what requests may have. */
export function givenMarks(operation: Operation): string[] {
  return requestRows(operation).flatMap((row) => [
    ...kindsOf(row.field).map((kind) => mark.given(operation, row, kind)),
    ...valuesOf(operation, row).map((value) => mark.value(operation, row, value)),
    ...Object.keys(limitsOf(row.field)).map((limit) => mark.reached(operation, row, limit)),
    ...(canBeLifted(operation, row) ? [mark.lifted(operation, row)] : []),
  ]);
}

/** The marks that one request touches. */
export function marksOfRequest(operation: Operation, values: Values): string[] {
  const given = requestRows(operation).filter(({ name }) => name in values);
  return given.flatMap((row) => {
    const value = values[row.name];
    const kind = kindOf(row.field, value);
    const reached = Object.entries(limitsOf(row.field)).filter(([, limit]) =>
      isDeepStrictEqual(limit, value),
    );
    const lifted = canBeLifted(operation, row) && faultsOfRequest(row.field, value).includes('pattern');
    return [
      ...(kind === undefined ? [] : [mark.given(operation, row, kind)]),
      ...(valuesOf(operation, row).some((one) => one === value) ? [mark.value(operation, row, value)] : []),
      ...reached.map(([limit]) => mark.reached(operation, row, limit)),
      ...(lifted ? [mark.lifted(operation, row)] : []),
    ];
  });
}

/** What a field says beside rules that can be broken. */
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

/** The mark of each rule of a field that can be broken. What stands in a path is always there, and always text. */
export function brokenMarks(operation: Operation, row: RequestRow): string[] {
  const { place, field } = row;
  const rules = Object.keys(field).filter((name) => !notRules.includes(name));
  const required = field.required === true && place !== 'path' ? ['required'] : [];
  const kind = place === 'path' || place === 'header' ? [] : ['is'];
  return [...required, ...kind, ...rules].map((rule) => mark.broken(operation, row, rule));
}

export const brokenMark = mark.broken;

/** Every mark of what answers have. */
export function answerMarks(operation: Operation): string[] {
  return [
    ...Object.keys(responseFields(operation)).map((path) => mark.answered(operation, path)),
    ...Object.keys(operation.success).map((path) => mark.succeeded(operation, path)),
  ];
}

/** The marks that one answer touches. */
export function marksOfAnswer(operation: Operation, answer: unknown): string[] {
  const paths = Object.keys(responseFields(operation));
  const success = Object.entries(operation.success);
  return [
    ...paths
      .filter((path) => lookUp(answer, path).values.some((value) => value !== null))
      .map((path) => mark.answered(operation, path)),
    ...success
      .filter(([path, value]) => isDeepStrictEqual(lookUp(answer, path).values, [value]))
      .map(([path]) => mark.succeeded(operation, path)),
  ];
}

/** Which of some marks tests have touched. */
export interface Ledger {
  /** Throws for a mark that is none of the ledger's. */
  touch(marks: readonly string[]): void;
  untouched(): string[];
}

export function ledgerOf(marks: readonly string[]): Ledger {
  const every = new Set(marks);
  const touched = new Set<string>();
  return {
    touch(some) {
      for (const one of some) {
        assert.ok(every.has(one), `no row of the data is marked "${one}"`);
        touched.add(one);
      }
    },
    untouched: () => [...every.difference(touched)],
  };
}
