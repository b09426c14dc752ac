/** What Slack refuses as too long in a whole message or view. The limits of one text stand with its element or block. */

import type { JsonObject } from '../../lib/json.ts';
import { characterCount } from './rules.ts';
import { textLength } from './walk.ts';

/** Whether Slack refuses a message as `msg_too_long` for its plain text. */
export function textIsTooLong(text: string): boolean {
  return characterCount(text) > 40_000;
}

/**
 * Whether Slack refuses a message as `msg_blocks_too_long`. Slack does not document the limit over all blocks. Its
 * staff state 12,000 characters (bolt-js issue 2509).
 */
export function blocksAreTooLong(blocks: JsonObject[]): boolean {
  return textLength(blocks) > 12_000;
}

/** Whether Slack refuses a view as `view_too_large`: above 250 kB as JSON. */
export function viewIsTooLarge(view: unknown): boolean {
  return new TextEncoder().encode(JSON.stringify(view)).length > 250_000;
}
