import assert from 'node:assert/strict';
import { kindsOf } from '../description/check-field.ts';
import { type RequestRow, requestRows } from '../description/request-rows.ts';
import type { Operation, Place, RequestField } from '../description/types.ts';
import { brokenMark } from './coverage.ts';
import { compose, manyNumbers, stretch, type Values } from './valid-requests.ts';

/** A request with one broken rule, and the coverage mark for its refusal. */
export interface InvalidRequest {
  readonly values: Values;
  readonly row: RequestRow;
  readonly mark: string;
}

/** Breaks each rule of each field, in every documented way. */
export function invalidRequests(operation: Operation, known: Values): InvalidRequest[] {
  return requestRows(operation).flatMap((row) =>
    Object.entries(breaches(operation, known, row)).flatMap(([rule, requests]) =>
      requests.map((values) => ({ values, row, mark: brokenMark(operation, row, rule) })),
    ),
  );
}

type Breaches = Readonly<Record<string, readonly Values[]>>;

function breaches(operation: Operation, known: Values, row: RequestRow): Breaches {
  const { name, place, field } = row;
  const { minimum, maximum, minLength, maxLength, maxItems, contains, notWith, onlyWith } = field;
  const right = known[name] ?? field.example;
  const given = (value: unknown): Values => compose(operation, known, { [name]: value });
  const all: Breaches = {
    required: field.required === true && place !== 'path' ? [without(given(right), name)] : [],
    is: wrongKinds(field, place).map(given),
    enum: field.enum ? [given('no-such-value')] : [],
    undescribed: (field.undescribed ?? []).map(given),
    minimum: minimum === undefined ? [] : [given(minimum - 1)],
    maximum: maximum === undefined ? [] : [given(maximum + 1)],
    minLength: minLength === undefined ? [] : [given(stretch(right, minLength - 1))],
    maxLength: maxLength === undefined ? [] : [given(stretch(right, maxLength + 1))],
    maxItems: maxItems === undefined ? [] : [given(manyNumbers(maxItems + 1))],
    pattern: (field.wrong ?? []).flatMap((wrong) => spellingsIn(field, right, wrong)).map(given),
    formats: field.formats ? [given(String(right).replace(/\w+$/, 'gif'))] : [],
    contains: contains === undefined ? [] : [given('A text without it')],
    notWith:
      notWith === undefined ? [] : [{ ...compose(operation, known, { [notWith]: {} }), [name]: right }],
    onlyWith: onlyWith ? [{ ...given(right), ...othersThan(operation, onlyWith) }] : [],
  };
  return all;
}

/** Values of none of the field's types. A query holds only text: repeated, or not a number. */
function wrongKinds(field: RequestField, place: Place): unknown[] {
  const kinds = kindsOf(field);
  if (place === 'path' || place === 'header') {
    return [];
  }
  if (place.includes('query')) {
    return kinds.includes('integer') ? ['soon'] : [['one', 'two']];
  }
  if (kinds.includes('object')) {
    return ['text', 4711, null];
  }
  if (kinds.includes('file')) {
    return ['text'];
  }
  const wrong = [
    true,
    {},
    null,
    ...(kinds.includes('integer') ? [1.5] : [4711]),
    ...(kinds.includes('string') ? [] : ['3']),
  ];
  return kinds.includes('strings') ? [...wrong, [4711]] : [...wrong, ['text']];
}

/** An invalid value, alone and in a list with valid ones. */
function spellingsIn(field: RequestField, right: unknown, wrong: string): unknown[] {
  const kinds = kindsOf(field);
  return [
    ...(kinds.includes('string') ? [wrong] : []),
    ...(kinds.includes('strings') ? [[...[right].flat(), wrong]] : []),
  ];
}

/** The fields that a rule depends on, each with a different value. */
function othersThan(operation: Operation, bound: Readonly<Record<string, string>>): Values {
  const rows = requestRows(operation);
  return Object.fromEntries(
    Object.entries(bound).map(([name, value]) => {
      const values = rows.find((row) => row.name === name)?.field.enum ?? [];
      return [name, values.find((other) => other !== value) ?? assert.fail(`${name} has no other value`)];
    }),
  );
}

function without(values: Values, name: string): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([other]) => other !== name && !other.startsWith(`${name}.`)),
  );
}
