import type { KnownBlock } from '@slack/types';
import { context, section } from './build.ts';
import { clampBlocks } from './clamp.ts';
import { limits } from './limits.ts';
import { type Markup, marked, mrkdwn, renderFor } from './text.ts';

/** A message to Slack: blocks, and the text for notifications and screen readers. */
export interface SlackMessage {
  text: string;
  blocks: KnownBlock[];
  /** Whether a channel sees phone numbers in full, because the sender chose that. */
  showsNumbers?: boolean;
}

/** The message as it is sent to one person, or to a channel. */
export function forReaders(
  readers: 'person' | 'channel',
  { text, blocks, showsNumbers = false }: SlackMessage,
): SlackMessage {
  return renderFor(showsNumbers ? 'person' : readers, { text, blocks });
}

/** @param blocks the fallback alone, unless given */
export function message(fallback: Markup, blocks: KnownBlock[] = [section(fallback)]): SlackMessage {
  return clampMessage({ text: marked(fallback, limits.messageText).text, blocks });
}

/** The help of a command: its purpose, its uses, one line each, and other facts. */
export function helpMessage(
  title: Markup,
  purpose: Markup,
  uses: readonly Markup[],
  notes: readonly Markup[],
): SlackMessage {
  return message(title, [
    section(purpose),
    ...(uses.length === 0 ? [] : [section(mrkdwn`${uses}`)]),
    ...notes.map((note) => context(note)),
  ]);
}

/** Keeps the blocks of a message within Slack's limits on their number and text. */
export function clampMessage(message: SlackMessage): SlackMessage {
  const limit = {
    blocks: limits.blocksInMessage,
    room: limits.blocksTextInMessage,
    sizeOf: lengthOfTexts,
  };
  return { ...message, blocks: clampBlocks(message.blocks, limit) };
}

/** Slack doesn’t know tables everywhere yet, so the text repeats what they show. Undefined if the message has no table. */
export function withoutTables({ text, blocks }: SlackMessage): SlackMessage | undefined {
  const known = blocks.filter(({ type }) => type !== 'data_table');
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
