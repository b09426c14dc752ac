import type { KnownBlock } from '@slack/types';
import { clampBlocks } from './build.ts';
import { clampText, limits } from './limits.ts';
import type { Markup } from './text.ts';

/** A message as it goes to Slack: blocks, and the text that notifications and screen readers get. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
}

export function message(fallback: Markup, blocks: readonly KnownBlock[]): Message {
  return {
    text: clampText(fallback.source, limits.messageText),
    blocks: clampBlocks(blocks, limits.blocksInMessage),
  };
}
