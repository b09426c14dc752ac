/** Runs the checks on one block or element where Slack allows it. */

import type { Json, JsonObject } from '../../../lib/json.ts';
import { checkMessage, validateView } from '../../../slack/block-kit/surfaces.ts';
import { input, modal } from './examples.ts';

export function inModal(block: Json): string[] {
  return validateView(modal([block]));
}

export function inInput(element: JsonObject): string[] {
  return inModal(input(element));
}

export function inMessage(block: Json): string[] {
  return checkMessage({ blocks: [block] })?.messages ?? [];
}

/** Returns the messages without the `[ERROR]` prefix. */
export function words(messages: string[]): string[] {
  return messages.map((message) => message.replace('[ERROR] ', ''));
}

export function ofBlock(block: Json): string[] {
  return words(inModal(block));
}

export function ofElement(element: JsonObject): string[] {
  return words(inInput(element));
}

/** Returns a pointer into the block of `ofBlock` and `ofElement`. */
export function inBlock(pointer: string): string {
  return `[json-pointer:/view/blocks/0${pointer}]`;
}
