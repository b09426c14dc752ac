/** Checks across the blocks of one surface, made when each block is valid. */

import type { JsonObject } from '../../lib/json.ts';
import type { BlockKitFault } from './rules.ts';
import { elementsOf, type Placed } from './walk.ts';

/** A `block_id` is unique in its surface, an `action_id` in its block. */
export function idsAreUnique(blocks: JsonObject[], pointer: string): BlockKitFault[] {
  const placed = blocks.map((element, index) => ({ element, pointer: `${pointer}/${index}` }));
  return [
    ...repeated('block_id', placed),
    ...placed.flatMap(({ element, pointer }) => repeated('action_id', elementsOf(element, pointer))),
  ];
}

/** Reports the input blocks of a modal without `submit`. */
export function inputsWithoutSubmit(blocks: JsonObject[], pointer: string): BlockKitFault[] {
  return blocks.flatMap((block, index) =>
    block.type === 'input'
      ? [{ message: 'must define `submit` to use `input` block', pointer: `${pointer}/${index}/input` }]
      : [],
  );
}

/** Only one element of a view can have the focus. The message is the sandbox's own: Slack's is not known. */
export function focusIsOnOne(blocks: JsonObject[], pointer: string): BlockKitFault[] {
  return blocks
    .flatMap((block, index) => elementsOf(block, `${pointer}/${index}`))
    .filter(({ element }) => element.focus_on_load === true)
    .slice(1)
    .map(({ pointer }) => ({
      message: 'only one element can set `focus_on_load` to true',
      pointer: `${pointer}/focus_on_load`,
    }));
}

function repeated(name: 'block_id' | 'action_id', placed: Placed[]): BlockKitFault[] {
  const seen = new Set<unknown>();
  return placed.flatMap(({ element, pointer }) => {
    const id = element[name];
    // An empty id counts as none: Slack generates one.
    if (id === undefined || id === '') {
      return [];
    }
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ message: `\`${name}\` "${id}" already exists`, pointer: `${pointer}/${name}` }];
  });
}
