import type {
  ActionsBlock,
  AnyBlock,
  Button,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  HomeView,
  InputBlock,
  KnownBlock,
  ModalView,
  PlainTextOption,
  RichTextBlock,
  SectionBlock,
} from '@slack/types';
import { clampText, limits } from './limits.ts';
import { type Markup, marked, mrkdwn, plain } from './text.ts';

/** Small builders of the blocks the app uses. Each clamps what it is given to Slack's limits. */

export function section(text: Markup): SectionBlock {
  return { type: 'section', text: marked(text) };
}

/** Facts side by side, each under its title, at most ten. */
export function facts(...pairs: readonly (readonly [title: string, text: Markup])[]): SectionBlock {
  return {
    type: 'section',
    fields: pairs
      .slice(0, limits.fields)
      .map(([title, text]) => marked(mrkdwn`*${title}*\n${text}`, limits.fieldText)),
  };
}

export function header(text: string): HeaderBlock {
  return { type: 'header', text: plain(text, limits.headerText) };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

export function context(...texts: Markup[]): ContextBlock {
  return { type: 'context', elements: texts.slice(0, limits.contextElements).map((text) => marked(text)) };
}

/** Text exactly as a person wrote it, set apart as a quotation: no markup in it is read. */
export function quotation(text: string): RichTextBlock {
  const shown = clampText(text, limits.sectionText);
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text: shown }] }],
  };
}

export function button(
  actionId: string,
  text: string,
  options: {
    value?: string;
    style?: 'primary' | 'danger';
    confirm?: Button['confirm'];
    /** What screen readers say, where the text alone leaves open what it is about. */
    label?: string;
  } = {},
): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plain(text, limits.buttonText),
    ...(options.value === undefined ? {} : { value: options.value }),
    ...(options.style === undefined ? {} : { style: options.style }),
    ...(options.confirm === undefined ? {} : { confirm: options.confirm }),
    ...(options.label === undefined
      ? {}
      : { accessibility_label: clampText(options.label, limits.buttonText) }),
  };
}

export function actions(blockId: string, ...elements: ActionsBlock['elements']): ActionsBlock {
  return { type: 'actions', block_id: blockId, elements };
}

export function input(
  blockId: string,
  label: string,
  element: InputBlock['element'],
  options: { hint?: string; optional?: boolean; dispatch?: boolean } = {},
): InputBlock {
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label, limits.inputLabel),
    element,
    ...(options.hint === undefined ? {} : { hint: plain(options.hint, limits.inputLabel) }),
    ...(options.optional ? { optional: true } : {}),
    ...(options.dispatch ? { dispatch_action: true } : {}),
  };
}

export function option(text: string, value: string, description?: string): PlainTextOption {
  return {
    text: plain(text, limits.optionText),
    value,
    ...(description === undefined ? {} : { description: plain(description, limits.optionText) }),
  };
}

/** An entry of a list: an emoji to find it by and what it is; below, indented by the emoji's width, what else is known. */
export function entry(mark: Markup, what: Markup, more: Markup): Markup {
  const below = more.source === '' ? [] : [mrkdwn`\u2003\u2002${more}`];
  return mrkdwn`${[mrkdwn`${mark} ${what}`, ...below]}`;
}

/** A list of lines as sections, as many lines in each as fit, none torn apart. */
export function lines(list: readonly Markup[]): SectionBlock[] {
  const groups: Markup[][] = [];
  let room = 0;
  for (const line of list) {
    const size = line.source.length + 1;
    const group = groups.at(-1);
    if (group === undefined || size > room) {
      groups.push([line]);
      room = limits.sectionText - size;
    } else {
      group.push(line);
      room -= size;
    }
  }
  return groups.map((group) => section(mrkdwn`${group}`));
}

export function modal(options: {
  callbackId: string;
  title: string;
  blocks: KnownBlock[];
  submit?: string;
  close?: string;
  /**
   * What the listener needs to know again, as JSON. It travels through the person's Slack: ids, and what the person
   * sees or has typed there.
   */
  metadata?: object;
  /** For a modal that is the last step: when it is closed, `listening.closed` ends what it would have done. */
  notifyOnClose?: boolean;
}): ModalView {
  return clampView({
    type: 'modal',
    callback_id: options.callbackId,
    title: plain(options.title, limits.titleText),
    close: plain(options.close ?? 'Close', limits.titleText),
    ...(options.submit === undefined ? {} : { submit: plain(options.submit, limits.titleText) }),
    ...(options.metadata === undefined ? {} : { private_metadata: JSON.stringify(options.metadata) }),
    ...(options.notifyOnClose ? { notify_on_close: true } : {}),
    blocks: options.blocks,
  });
}

/** A modal that says one thing: loading, an outcome, a fault. */
export function notice(title: string, ...blocks: KnownBlock[]): ModalView {
  return modal({ callbackId: 'notice', title, blocks });
}

/** Keeps a view within what Slack takes, in blocks and as a whole. */
export function clampView<View extends HomeView | ModalView>(view: View): View {
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
 * Where there are too many blocks, or they are too large together, the last of them give way to one line that says how
 * many. What can be filled in stays, and so do rows of buttons; where not even these fit, the last row.
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
  const parts = count === 1 ? '1 more part' : `${count} more parts`;
  return context(mrkdwn`_${parts} did not fit and ${count === 1 ? 'is' : 'are'} not shown._`);
}
