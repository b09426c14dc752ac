import type {
  ActionsBlock,
  Button,
  ContextBlock,
  DataTableBlock,
  DividerBlock,
  HeaderBlock,
  InputBlock,
  KnownBlock,
  ModalView,
  Overflow,
  PlainTextOption,
  RichTextBlock,
  SectionBlock,
} from '@slack/types';
import { PersonalText } from '../../domain/access/private-values.ts';
import { clampView } from './clamp.ts';
import { clampText, limits } from './limits.ts';
import { formatCount } from './plural.ts';
import { stateIcons } from './state-icons.ts';
import { clampPlain, inPlain, Markup, marked, mrkdwn, plain, withoutEmphasis } from './text.ts';

/** Builders of the blocks the app uses. Each clamps its arguments to Slack's limits. */

/** Returns the items that are there, so that a list can be written with conditions in it. */
export function present<T>(...items: readonly (T | false | undefined)[]): T[] {
  return items.filter((item): item is T => item !== false && item !== undefined);
}

/** `accessory` is shown beside the text. */
export function section(text: Markup, accessory?: SectionBlock['accessory']): SectionBlock {
  return { type: 'section', text: marked(text), ...(accessory && { accessory }) };
}

/** The block in which a form shows a message of its own. */
export const bannerBlock = 'banner';

/** What was just done, or what to know first, at the top of a form. It goes with the next submission, see `onSubmission`. */
export function banner(text: Markup | undefined): SectionBlock[] {
  return text === undefined ? [] : [{ ...section(text), block_id: bannerBlock }];
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

export function header(text: string | Markup): HeaderBlock {
  return { type: 'header', text: plain(text, limits.headerText) };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

export function context(...texts: Markup[]): ContextBlock {
  return { type: 'context', elements: texts.slice(0, limits.contextElements).map((text) => marked(text)) };
}

/** Text exactly as a user wrote it, as a quotation: markup in it has no effect. */
export function quotation(text: string | PersonalText): RichTextBlock {
  const shown = clampText(text instanceof PersonalText ? inPlain(mrkdwn`${text}`) : text, limits.sectionText);
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
    /** The text for screen readers, where the button's own is ambiguous. */
    label?: string | Markup;
  } = {},
): Button {
  const { label } = options;
  const spoken = label instanceof Markup ? withoutEmphasis(label) : label;
  return {
    type: 'button',
    action_id: actionId,
    text: plain(text, limits.buttonText),
    ...(options.value === undefined ? {} : { value: options.value }),
    ...(options.style === undefined ? {} : { style: options.style }),
    ...(options.confirm === undefined ? {} : { confirm: options.confirm }),
    ...(spoken === undefined ? {} : { accessibility_label: clampPlain(spoken, limits.buttonText) }),
  };
}

/** A menu of at most five options (Slack: overflow). Each acts like its button, without a confirmation. */
export function menu(actionId: string, ...buttons: Button[]): Overflow {
  const options = buttons.map(({ action_id, text, value = '' }) =>
    option(text.text, `${action_id} ${value}`),
  );
  return { type: 'overflow', action_id: actionId, options };
}

/** Returns the button that a chosen option of a `menu` stands for. */
export function readMenuOption(option: string): { actionId: string; value: string } {
  const end = option.indexOf(' ');
  return { actionId: option.slice(0, end), value: option.slice(end + 1) };
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

/** An entry of a list: an icon and a title; below, indented by the icon's width, more details. */
export function entry(icon: Markup, title: Markup, details: Markup): Markup {
  const below = details.source === '' ? [] : [mrkdwn`\u2003\u2002${details}`];
  return mrkdwn`${[mrkdwn`${icon} ${title}`, ...below]}`;
}

/** A list of lines as sections, each with as many whole lines as fit. */
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
  /** Sent back with each request from the view, as JSON. It passes through the user's Slack: only ids, and values they see. */
  metadata?: object;
  /** For a modal that confirms an action: when it is closed, `router.closed` cancels the action. */
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

/** A cell of a table: a text by a user, or a user, whom Slack shows by name. */
type TableCell = DataTableBlock['rows'][number][number];

export function textCell(text: string | Markup): TableCell {
  const shown = inPlain(text);
  return { type: 'raw_text', text: clampText(shown === '' ? '–' : shown, limits.cellText) };
}

/** A cell that a table sorts by its value. */
export function countCell(count: number): TableCell {
  return { type: 'raw_number', value: count, text: formatCount(count) };
}

/**
 * Cells that a table sorts by their value: the shares of counts in their sum, as whole percentages that add up to 100 by the
 * largest remainder. A share of more than nothing is at least 1%.
 */
export function shareCells(counts: readonly number[]): TableCell[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = counts.map((count) => ({
    share: count / total,
    percent: Math.max(1, Math.floor((100 * count) / total)),
  }));
  let left = 100 - shares.reduce((sum, { percent }) => sum + percent, 0);
  for (const step = Math.sign(left); left !== 0; left -= step) {
    const [next] = shares
      .filter(({ percent }) => percent + step > 0)
      .sort((one, other) => step * (100 * (other.share - one.share) - other.percent + one.percent));
    if (next !== undefined) {
      next.percent += step;
    }
  }
  return shares.map(({ share, percent }) => ({ type: 'raw_number', value: share, text: `${percent}%` }));
}

/**
 * A table with a row of titles, in a message or the Home; Slack takes none in a modal, and none without rows. Rows past
 * Slack's limit are left out, so the caller pages them. All rows are shown at once.
 */
export function dataTable(
  caption: string,
  titles: readonly string[],
  rows: readonly TableCell[][],
): DataTableBlock {
  const shown = rows.slice(0, limits.tableRows);
  return {
    type: 'data_table',
    caption,
    rows: [titles.map(textCell), ...shown],
    page_size: Math.max(1, shown.length),
  };
}

/** A modal with one message: loading, an outcome, an error. */
export function notice(title: string, ...blocks: KnownBlock[]): ModalView {
  return modal({ callbackId: 'notice', title, blocks });
}

/** The yes/no dialog that Slack shows before it sends a click. With `danger` its *yes* is red. */
export function confirmDialog(texts: {
  title: string;
  text: string | Markup;
  yes: string;
  no: string;
  danger?: boolean;
}): NonNullable<Button['confirm']> {
  const plainText = (text: string | Markup) => ({ type: 'plain_text' as const, text: inPlain(text) });
  return {
    title: plainText(texts.title),
    text: plainText(texts.text),
    confirm: plainText(texts.yes),
    deny: plainText(texts.no),
    ...(texts.danger ? { style: 'danger' as const } : {}),
  };
}

/** The content of a modal while something slow is awaited. */
export function loadingView(title: string, text: string, ...blocks: KnownBlock[]): ModalView {
  return notice(title, loadingSection(text), ...blocks);
}

/**
 * The content of a modal while something is performed whose outcome comes as a message. The instance that took the click may
 * be killed before it writes that down: then nobody is left who could tell.
 *
 * @param done the participle for a request that is missing from the history: *sent*
 */
export function performingView(title: string, doing: string, done: string): ModalView {
  const text = `${doing} You can close this. You’ll get the outcome as a message. If none comes, look in the history. If it isn’t there, nothing was ${done}.`;
  return modal({ callbackId: performingCallback, title, blocks: [loadingSection(text)] });
}

export const performingCallback = 'performing';

export function loadingSection(text: string): KnownBlock {
  return section(mrkdwn`${stateIcons.underway} ${text}`);
}
