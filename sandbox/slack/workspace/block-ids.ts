import { randomBytes } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, objectsIn, stringAt } from '../../lib/json.ts';

/** The types of elements that have an action_id. */
const INTERACTIVE = /button|select|picker|checkboxes|overflow|input/;

/** Returns the blocks with generated ids if they lack a block_id or action_id, as Slack does. */
export function withIds(blocks: Json | undefined): JsonObject[] {
  const named = (element: JsonObject): JsonObject =>
    typeof element.type === 'string' && element.action_id === undefined && INTERACTIVE.test(element.type)
      ? { ...element, action_id: shortId() }
      : element;
  return objectsIn(blocks).map((block) => ({
    ...block,
    block_id: stringAt(block, 'block_id') ?? shortId(),
    ...(isJsonObject(block.element) && { element: named(block.element) }),
    ...(isJsonObject(block.accessory) && { accessory: named(block.accessory) }),
    ...(block.type === 'actions' && { elements: objectsIn(block.elements).map(named) }),
  }));
}

function shortId(): string {
  return randomBytes(4).toString('base64url').slice(0, 5);
}
