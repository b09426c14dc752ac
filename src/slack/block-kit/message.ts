import type { Block, ContextBlock, KnownBlock } from '@slack/types';
import { context, section } from './build.ts';
import { clampBlocks } from './clamp.ts';
import { clampText, limits } from './limits.ts';
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

interface ChartSegment {
  label: string;
  /** More than 0. */
  value: number;
}

/** A chart in a message. @slack/types has no type for it yet. Source: Slack: Block Kit reference, data visualization block. */
interface ChartBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: { type: 'pie'; segments: ChartSegment[] };
}

const others = 'Others';

/**
 * Shares of a whole, largest first; Slack takes the chart in messages alone. A share of 0 is left out, and the smallest are
 * put together where there are too many. Fewer than two shares make no chart.
 */
export function pieChart(title: string, shares: readonly ChartSegment[]): ChartBlock[] {
  const sorted = shares.filter(({ value }) => value > 0).sort((one, other) => other.value - one.value);
  if (sorted.length < 2) {
    return [];
  }
  const shown = sorted.length > limits.chartSegments ? sorted.slice(0, limits.chartSegments - 1) : sorted;
  const rest = sorted.slice(shown.length).reduce((sum, { value }) => sum + value, 0);
  const segments = [...shown, ...(rest > 0 ? [{ label: others, value: rest }] : [])];
  return [
    {
      type: 'data_visualization',
      title: clampText(title, limits.chartTitle),
      chart: {
        type: 'pie',
        segments: segments.map(({ label, value }) => ({ label: clampText(label, limits.chartLabel), value })),
      },
    },
  ];
}
