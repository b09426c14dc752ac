/** Ways through blocks that have passed the checks of their shape. */

import type { Json, JsonObject } from '../../lib/json.ts';
import { isJsonObject } from '../../lib/json.ts';
import { characterCount } from './rules.ts';

/** An element with its place. */
export interface Placed {
  element: JsonObject;
  pointer: string;
}

/** The elements of a block: its `accessory`, its `element`, or its `elements`. */
export function elementsOf(block: JsonObject, pointer: string): Placed[] {
  const { accessory, element, elements } = block;
  const several = Array.isArray(elements) ? elements : [];
  return [
    ...placed(accessory, `${pointer}/accessory`),
    ...placed(element, `${pointer}/element`),
    ...several.flatMap((each, index) => placed(each, `${pointer}/elements/${index}`)),
  ];
}

/** How many characters a person reads in the blocks: of every `text`, however deep. */
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

/** Nothing sent, or nothing entered. */
export function isEmpty(value: unknown): boolean {
  const empty = value === '' || (Array.isArray(value) && value.length === 0);
  return empty || value === undefined || value === null;
}

function placed(element: Json | undefined, pointer: string): Placed[] {
  return isJsonObject(element) ? [{ element, pointer }] : [];
}
