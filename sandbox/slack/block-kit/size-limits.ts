/** What Slack refuses as too long in a whole message or view. The limits of one text stand with its element or block. */

import type { JsonObject } from '../protocol.ts';
import { characters } from './engine.ts';
import { lengthOfTexts } from './walk.ts';

/** Whether Slack refuses a message as `msg_too_long` for its plain text. */
export function textIsTooLong(text: string): boolean {
  return characters(text) > 40_000;
}

/**
 * Whether Slack refuses a message as `msg_blocks_too_long`. The limit over all blocks is in no reference; Slack's people
 * put it at 12,000 characters (bolt-js issue 2509).
 */
export function blocksAreTooLong(blocks: JsonObject[]): boolean {
  return lengthOfTexts(blocks) > 12_000;
}

/** Whether Slack refuses a view as `view_too_large`: above 250 kB as JSON. */
export function viewIsTooLarge(view: unknown): boolean {
  return new TextEncoder().encode(JSON.stringify(view)).length > 250_000;
}
