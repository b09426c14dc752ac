import type { KnownBlock } from '@slack/types';
import { clampBlocks } from './clamp.ts';
import { limits } from './limits.ts';
import { type Markup, marked } from './text.ts';

/** A message to Slack: blocks, and the text for notifications and screen readers. */
export interface SlackMessage {
  text: string;
  blocks: KnownBlock[];
}

export function message(fallback: Markup, blocks: KnownBlock[]): SlackMessage {
  return clampMessage({ text: marked(fallback, limits.messageText).text, blocks });
}

/** Keeps the blocks of a message within Slack's limits on their number and text. */
export function clampMessage({ text, blocks }: SlackMessage): SlackMessage {
  const limit = {
    blocks: limits.blocksInMessage,
    room: limits.blocksTextInMessage,
    sizeOf: lengthOfTexts,
  };
  return { text, blocks: clampBlocks(blocks, limit) };
}

/** The characters of every `text`, at any depth. */
function lengthOfTexts(content: unknown): number {
  if (typeof content !== 'object' || content === null) {
    return 0;
  }
  return Object.entries(content).reduce(
    (sum, [key, value]) =>
      sum + (key === 'text' && typeof value === 'string' ? value.length : lengthOfTexts(value)),
    0,
  );
}
