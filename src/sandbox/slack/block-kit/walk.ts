/** Ways through blocks that have passed the checks of their shape. */

import type { Json, JsonObject } from '../protocol.ts';
import { characters, isObject } from './engine.ts';

/** An element with its place. */
export interface Placed {
  element: JsonObject;
  pointer: string;
}

/** The elements of a block: its `accessory`, its `element`, or its `elements`. */
export function elementsOf(block: JsonObject, pointer: string): Placed[] {
  return [
    ...['accessory', 'element'].map((name) => ({ element: block[name], pointer: `${pointer}/${name}` })),
    ...itemsOf(block.elements).map((element, index) => ({
      element,
      pointer: `${pointer}/elements/${index}`,
    })),
  ].flatMap(({ element, pointer }) => (isObject(element) ? [{ element, pointer }] : []));
}

/** The objects in a list, such as the blocks of a view or the options of a menu. */
export function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** How many characters a person reads in the blocks: of every `text`, however deep. */
export function lengthOfTexts(value: Json | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + lengthOfTexts(each), 0);
  if (!isObject(value)) return 0;
  const { text, ...rest } = value;
  const own = typeof text === 'string' ? characters(text) : lengthOfTexts(text);
  return Object.values(rest).reduce<number>((sum, each) => sum + lengthOfTexts(each), own);
}

function itemsOf(list: Json | undefined): Json[] {
  return Array.isArray(list) ? list : [];
}
