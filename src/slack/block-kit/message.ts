import type { ContextBlock, KnownBlock } from '@slack/types';
import { context, section } from './build.ts';
import type { ChartBlock } from './chart.ts';
import { clampBlocks } from './clamp.ts';
import { limits } from './limits.ts';
import { type Markup, marked, mrkdwn } from './text.ts';

/** What a message in a conversation may have; a modal has no charts. */
export type MessageBlock = KnownBlock | ChartBlock;

/** A message to Slack: blocks, and the text for notifications and screen readers. */
export interface SlackMessage<Shown extends MessageBlock = KnownBlock> {
  text: string;
  blocks: Shown[];
}

export function message<Shown extends MessageBlock>(
  fallback: Markup,
  blocks: Shown[],
): SlackMessage<Shown | ContextBlock> {
  return clampMessage({ text: marked(fallback, limits.messageText).text, blocks });
}

/** The help of a command: what it is for, how it is used, one line each, and what to know. */
export function helpMessage(
  title: Markup,
  purpose: Markup,
  uses: readonly Markup[],
  note?: Markup,
): SlackMessage {
  return message(title, [
    section(purpose),
    section(mrkdwn`${uses}`),
    ...(note === undefined ? [] : [context(note)]),
  ]);
}

/** Keeps the blocks of a message within Slack's limits on their number and text. */
export function clampMessage<Shown extends MessageBlock>({
  text,
  blocks,
}: SlackMessage<Shown>): SlackMessage<Shown | ContextBlock> {
  const limit = {
    blocks: limits.blocksInMessage,
    room: limits.blocksTextInMessage,
    sizeOf: lengthOfTexts,
  };
  return { text, blocks: clampBlocks(blocks, limit) };
}

/** Blocks that Slack has not everywhere yet. What they show, a message says in words too. */
const newBlocks = new Set<string>(['data_table', 'data_visualization']);

/** The message without the blocks that Slack may not know yet; undefined where it has none. */
export function withoutNewBlocks({
  text,
  blocks,
}: SlackMessage<MessageBlock>): SlackMessage<MessageBlock> | undefined {
  const known = blocks.filter(({ type }) => !newBlocks.has(type));
  return known.length === blocks.length ? undefined : { text, blocks: known };
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
