/**
 * A small schema engine. A rule checks one JSON value and returns its faults with the messages of Slack's schema
 * checker. The tables of this folder (`elements.ts`, `blocks.ts`, …) list the required and optional properties of each
 * type of object.
 */

import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';

/** A fault with Slack's message and a JSON pointer. */
export interface BlockKitFault {
  message: string;
  pointer: string;
}

/** Returns the faults of `value`, which is at `pointer`. Empty for a valid value. */
export type Rule = (value: unknown, pointer: string) => BlockKitFault[];

/** The required and optional properties of an object, and checks across its properties. */
export interface Shape {
  needs?: Record<string, Rule>;
  may?: Record<string, Rule>;
  also?: ((value: JsonObject, pointer: string) => BlockKitFault[])[];
}

/** Formats a fault as a line of `response_metadata.messages`. */
export function formatFault(fault: BlockKitFault): string {
  return `[ERROR] ${fault.message} [json-pointer:${fault.pointer}]`;
}

/** Returns the length as Slack counts it: code points, so that an emoji of two UTF-16 units is one character. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) {
    count += 1;
  }
  return count;
}

/** A text of `min` to `max` characters, of a closed list, or with a pattern. */
export function string(
  limits: { min?: number; max?: number; oneOf?: readonly string[]; pattern?: RegExp } = {},
): Rule {
  const { min = 0, max = Number.POSITIVE_INFINITY, oneOf, pattern } = limits;
  return (value, pointer) => {
    const fault = (message: string) => [{ message, pointer }];
    if (typeof value !== 'string') {
      return fault('must provide a string');
    }
    if (oneOf !== undefined && !oneOf.includes(value)) {
      return fault('must be a valid enum value');
    }
    if (pattern !== undefined && !pattern.test(value)) {
      return fault(`input must match regex pattern: ${pattern.source}`);
    }
    const length = characterCount(value);
    if (length > max) {
      return fault(`must be less than ${max + 1} characters`);
    }
    if (length < min) {
      return fault(`must be more than ${min - 1} characters`);
    }
    return [];
  };
}

/** A URL of up to 3,000 characters, Slack's limit everywhere. The message for an invalid URL is the sandbox's own. */
export const url: Rule = (value, pointer) => {
  const faults = string({ min: 1, max: 3000 })(value, pointer);
  if (faults.length > 0 || URL.canParse(String(value))) {
    return faults;
  }
  return [{ message: 'must be a valid URL', pointer }];
};

export const boolean: Rule = (value, pointer) =>
  typeof value === 'boolean' ? [] : [{ message: 'must be a boolean', pointer }];

/** An integer. Slack's messages say "less than" and "greater than" although the limits themselves are allowed. */
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

/** A number as text, as in the limits of a `number_input`. */
export const numericString: Rule = string({ pattern: /^-?\d+(\.\d+)?$/ });

/** A list of `min` to `max` items with one rule. */
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
  const check = shapeRule(shape);
  return (value, pointer) =>
    isJsonObject(value) ? check(value, pointer) : [{ message: 'must provide an object', pointer }];
}

/** An object whose `type` selects its shape. */
export function oneOfTypes(kinds: Record<string, Shape>): Rule {
  const checks = new Map(
    Object.entries(kinds).map(([type, shape]) => [
      type,
      shapeRule({ ...shape, may: { ...shape.may, type: string() } }),
    ]),
  );
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
    const check = checks.get(type);
    return check === undefined
      ? [{ message: `unsupported type: ${type}`, pointer: `${pointer}/type` }]
      : check(value, pointer);
  };
}

function shapeRule(shape: Shape): (value: JsonObject, pointer: string) => BlockKitFault[] {
  const { needs = {}, may = {}, also = [] } = shape;
  const needed = Object.keys(needs);
  const known = new Map(Object.entries({ ...needs, ...may }));
  return (value, pointer) => {
    const has = (name: string) => Object.hasOwn(value, name) && value[name] !== undefined;
    const missing = needed
      .filter((name) => !has(name))
      .map((name) => ({ message: `missing required field: ${name}`, pointer }));
    const wrong = [...known].flatMap(([name, rule]) =>
      has(name) ? rule(value[name], `${pointer}/${name}`) : [],
    );
    const unknown = Object.keys(value)
      .filter((name) => has(name) && !known.has(name))
      .map((name) => ({ message: `invalid additional property: ${name}`, pointer }));

    const faults = [...missing, ...wrong, ...unknown];
    // Checks across properties assume that each property is valid.
    return faults.length > 0 ? faults : also.flatMap((check) => check(value, pointer));
  };
}

/**
 * Exactly one of two properties. With neither, Slack reports the first as missing. The message for both is the
 * sandbox's own, after Slack's for a section without text.
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

/** Stricter than Slack, which shows a command such as `<!other>` as it is: nobody means to send one. */
export const knownCommands = /^(?!.*<!(?!(?:here|channel|everyone)[|>]|date\^|subteam\^))/s;

/** `emoji` belongs to plain text and `verbatim` to mrkdwn. Slack refuses each in the other. */
export function textKinds(max: number) {
  return {
    plain_text: { needs: { text: string({ min: 1, max }) }, may: { emoji: boolean } },
    mrkdwn: {
      needs: { text: string({ min: 1, max, pattern: knownCommands }) },
      may: { verbatim: boolean },
    },
  };
}

/** Plain text or mrkdwn, of up to `max` characters. */
export function textObject(max: number): Rule {
  return oneOfTypes(textKinds(max));
}

/** Plain text only, for titles, labels, buttons and others that Slack does not format. */
export function plainText(max: number): Rule {
  const { needs, may } = textKinds(max).plain_text;
  return object({ needs: { type: string({ oneOf: ['plain_text'] }), ...needs }, may });
}

/** An element with its JSON pointer. */
export interface Placed {
  element: JsonObject;
  pointer: string;
}

/** Returns the elements of a block: its `accessory`, `element` or `elements`. */
export function elementsOf(block: JsonObject, pointer: string): Placed[] {
  const { accessory, element, elements } = block;
  const several = Array.isArray(elements) ? elements : [];
  return [
    ...placed(accessory, `${pointer}/accessory`),
    ...placed(element, `${pointer}/element`),
    ...several.flatMap((each, index) => placed(each, `${pointer}/elements/${index}`)),
  ];
}

/** Returns the characters of every `text` in the blocks, at any depth. */
export function textLength(value: Json | undefined): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, each) => sum + textLength(each), 0);
  }
  if (!isJsonObject(value)) {
    return 0;
  }
  const { text, ...rest } = value;
  const own = typeof text === 'string' ? characterCount(text) : textLength(text);
  return Object.values(rest).reduce<number>((sum, each) => sum + textLength(each), own);
}

/** Whether a value is missing, null, an empty text or an empty list. */
export function isEmpty(value: unknown): boolean {
  const empty = value === '' || (Array.isArray(value) && value.length === 0);
  return empty || value === undefined || value === null;
}

function placed(element: Json | undefined, pointer: string): Placed[] {
  return isJsonObject(element) ? [{ element, pointer }] : [];
}
