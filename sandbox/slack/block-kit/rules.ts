/**
 * The small engine under the tables of this folder: rules that look at one JSON value and name what Slack would
 * refuse in it, in the words of Slack's own schema checker. A table (`elements.ts`, `blocks.ts`, …) says what a
 * kind of object needs and may have; the engine turns it into a rule.
 */

import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject } from '../../lib/json.ts';

/** One thing that Slack refuses: its words, and a JSON pointer to the place. */
export interface BlockKitFault {
  message: string;
  pointer: string;
}

/** Names what Slack would refuse in `value`, which lies at `pointer`; nothing when it is fine. */
export type Rule = (value: unknown, pointer: string) => BlockKitFault[];

/** What an object of one kind needs, what it may have, and what its properties must be to one another. */
export interface Shape {
  needs?: Record<string, Rule>;
  may?: Record<string, Rule>;
  also?: ((value: JsonObject, pointer: string) => BlockKitFault[])[];
}

/** A line of `response_metadata.messages`. */
export function formatFault(fault: BlockKitFault): string {
  return `[ERROR] ${fault.message} [json-pointer:${fault.pointer}]`;
}

/** The length that Slack counts: code points, so that an emoji outside the basic plane is one character. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** A text of `min` to `max` characters, out of a closed list, or of a form. */
export function string(
  limits: { min?: number; max?: number; among?: readonly string[]; form?: RegExp } = {},
): Rule {
  const { min = 0, max = Number.POSITIVE_INFINITY, among, form } = limits;
  return (value, pointer) => {
    const refuse = (message: string) => [{ message, pointer }];
    if (typeof value !== 'string') {
      return refuse('must provide a string');
    }
    if (among !== undefined && !among.includes(value)) {
      return refuse('must be a valid enum value');
    }
    if (form !== undefined && !form.test(value)) {
      return refuse(`input must match regex pattern: ${form.source}`);
    }
    const length = characterCount(value);
    if (length > max) {
      return refuse(`must be less than ${max + 1} characters`);
    }
    if (length < min) {
      return refuse(`must be more than ${min - 1} characters`);
    }
    return [];
  };
}

/** A web address of up to 3,000 characters, the most that Slack takes anywhere. The words for a bad one are ours. */
export const url: Rule = (value, pointer) => {
  const faults = string({ min: 1, max: 3000 })(value, pointer);
  if (faults.length > 0 || URL.canParse(String(value))) {
    return faults;
  }
  return [{ message: 'must be a valid URL', pointer }];
};

export const boolean: Rule = (value, pointer) =>
  typeof value === 'boolean' ? [] : [{ message: 'must be a boolean', pointer }];

/** A whole number. Slack says "less than" and "greater than" of limits that are themselves allowed. */
export function integer(limits: { min?: number; max?: number } = {}): Rule {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = limits;
  return (value, pointer) => {
    if (!Number.isInteger(value)) {
      return [{ message: 'must provide an integer', pointer }];
    }
    if (Number(value) > max) {
      return [{ message: `must be less than ${max}`, pointer }];
    }
    if (Number(value) < min) {
      return [{ message: `must be greater than ${min}`, pointer }];
    }
    return [];
  };
}

/** A number as text, such as the limits of a `number_input`. */
export const numericString: Rule = string({ form: /^-?\d+(\.\d+)?$/ });

/** A list of `min` to `max` items, each under the same rule. */
export function list(item: Rule, limits: { min?: number; max?: number } = {}): Rule {
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits;
  return (value, pointer) => {
    if (!Array.isArray(value)) {
      return [{ message: 'must provide an array', pointer }];
    }
    if (value.length > max) {
      return [{ message: `no more than ${max} items allowed`, pointer }];
    }
    if (value.length < min) {
      return [{ message: `must provide at least ${min} items`, pointer }];
    }
    return value.flatMap((each, index) => item(each, `${pointer}/${index}`));
  };
}

/** An object of one shape. */
export function object(shape: Shape): Rule {
  return (value, pointer) =>
    isJsonObject(value)
      ? checkShape(shape, value, pointer)
      : [{ message: 'must provide an object', pointer }];
}

/** An object whose `type` names its kind: one of a table of shapes. */
export function oneOfTypes(kinds: Record<string, Shape>): Rule {
  return (value, pointer) => {
    if (!isJsonObject(value)) {
      return [{ message: 'must provide an object', pointer }];
    }
    const { type } = value;
    if (type === undefined) {
      return [{ message: 'missing required field: type', pointer }];
    }
    if (typeof type !== 'string') {
      return [{ message: 'must provide a string', pointer: `${pointer}/type` }];
    }
    const shape = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (shape === undefined) {
      return [{ message: `unsupported type: ${type}`, pointer: `${pointer}/type` }];
    }
    return checkShape({ ...shape, may: { ...shape.may, type: string() } }, value, pointer);
  };
}

function checkShape(shape: Shape, value: JsonObject, pointer: string): BlockKitFault[] {
  const { needs = {}, may = {}, also = [] } = shape;
  const known = { ...needs, ...may };
  const has = (name: string) => Object.hasOwn(value, name) && value[name] !== undefined;

  const missing = Object.keys(needs)
    .filter((name) => !has(name))
    .map((name) => ({ message: `missing required field: ${name}`, pointer }));
  const wrong = Object.entries(known)
    .filter(([name]) => has(name))
    .flatMap(([name, rule]) => rule(value[name], `${pointer}/${name}`));
  const unknown = Object.keys(value)
    .filter((name) => has(name) && !Object.hasOwn(known, name))
    .map((name) => ({ message: `invalid additional property: ${name}`, pointer }));

  const faults = [...missing, ...wrong, ...unknown];
  // What the properties are to one another is only asked of properties that are fine by themselves.
  return faults.length > 0 ? faults : also.flatMap((check) => check(value, pointer));
}

/**
 * One of two properties, and not both; the first is the one that Slack misses when there is neither. The words
 * for both are ours, after Slack's for a section without text.
 */
export function exactlyOne(first: string, second: string) {
  return (value: JsonObject, pointer: string): BlockKitFault[] => {
    const count = [first, second].filter((name) => value[name] !== undefined).length;
    if (count === 0) {
      return [{ message: `missing required field: ${first}`, pointer }];
    }
    return count === 1 ? [] : [{ message: `must define either \`${first}\` or \`${second}\``, pointer }];
  };
}
