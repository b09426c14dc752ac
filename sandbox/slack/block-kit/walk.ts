/** Traversal of blocks with a valid shape. */

import type { Json, JsonObject } from '../../lib/json.ts';
import { isJsonObject } from '../../lib/json.ts';
import { characterCount } from './rules.ts';

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
