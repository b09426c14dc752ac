import type { KnownBlock } from '@slack/types';
import { clampBlocks, context } from './build.ts';
import { clampText, limits } from './limits.ts';
import { type Markup, mrkdwn } from './text.ts';

/** A message as it goes to Slack: blocks, and the text that notifications and screen readers get. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
}

export function message(fallback: Markup, blocks: readonly KnownBlock[]): Message {
  return {
    text: clampText(fallback.source, limits.messageText),
    blocks: clampTexts(clampBlocks(blocks, limits.blocksInMessage), limits.blocksTextInMessage),
  };
}

/** Where the texts of all blocks together are too long, the last of them give way to a line that says so; buttons stay. */
function clampTexts(blocks: KnownBlock[], limit: number): KnownBlock[] {
  if (lengthOfTexts(blocks) <= limit) {
    return blocks;
  }
  const note = context(mrkdwn`_The rest did not fit and is not shown._`);
  let room = limit - lengthOfTexts(note) - lengthOfTexts(blocks.filter(({ type }) => type === 'actions'));
  let full = false;
  const kept: KnownBlock[] = [];
  for (const block of blocks) {
    const isText = block.type !== 'actions';
    const size = isText ? lengthOfTexts(block) : 0;
    if (isText && !full && size > room) {
      full = true;
      kept.push(note);
    }
    if (!isText || !full) {
      kept.push(block);
      room -= size;
    }
  }
  return kept;
}

/** The characters of every `text`, however deep. */
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
