import type { AnyBlock, ContextBlock, HomeView, ModalView } from '@slack/types';
import { limits } from './limits.ts';
import { pluralize } from './plural.ts';
import { marked, mrkdwn, renderFor } from './text.ts';

/** Keeps a view, which one person sees, within Slack's limits on its blocks and its size. */
export function clampView<View extends HomeView | ModalView>(content: View): View {
  const view = renderFor('person', content);
  const room = limits.viewBytes - bytesOf({ ...view, blocks: [] });
  return {
    ...view,
    blocks: clampBlocks(view.blocks, { blocks: limits.blocksInView, room, sizeOf: bytesOf }),
  };
}

function bytesOf(content: object): number {
  return Buffer.byteLength(JSON.stringify(content)) + 1;
}

/**
 * Drops the last blocks where there are too many, or they are too large together, for one line that tells how many were
 * dropped. Inputs stay, and so do rows of buttons; where not even these fit, the last row.
 */
export function clampBlocks<Shown extends AnyBlock>(
  blocks: readonly Shown[],
  limit: { blocks: number; room: number; sizeOf: (block: AnyBlock) => number },
): (Shown | ContextBlock)[] {
  const sizes = blocks.map(limit.sizeOf);
  const fit = (some: Iterable<number>, most: number, room: number) => {
    const indexes = [...some];
    return indexes.length <= most && indexes.reduce((sum, index) => sum + (sizes[index] ?? 0), 0) <= room;
  };
  if (fit(blocks.keys(), limit.blocks, limit.room)) {
    return [...blocks];
  }
  const room = limit.room - limit.sizeOf(notShown(blocks.length));
  const fitWithNote = (some: Iterable<number>) => fit(some, limit.blocks - 1, room);
  const all = (type: string) => [...blocks.keys()].filter((index) => blocks[index]?.type === type);

  const inputs = all('input');
  const rows = all('actions');
  const staying = new Set(inputs.concat(fitWithNote(inputs.concat(rows)) ? rows : rows.slice(-1)));
  const firstCut = [...blocks.keys()].findIndex((index) => {
    const before = [...blocks.keys()].slice(0, index + 1);
    return !fitWithNote(staying.union(new Set(before)));
  });
  const kept = blocks.filter((_, index) => index >= firstCut && staying.has(index));
  return [...blocks.slice(0, firstCut), notShown(blocks.length - firstCut - kept.length), ...kept];
}

function notShown(count: number): ContextBlock {
  const parts = pluralize(count, 'more part');
  return {
    type: 'context',
    elements: [marked(mrkdwn`_${parts} did not fit and ${count === 1 ? 'is' : 'are'} not shown._`)],
  };
}
