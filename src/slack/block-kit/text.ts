import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import { clampText, limits } from './limits.ts';

/** A piece of Slack's markup that is safe to send: created by `mrkdwn` only, which escapes what is interpolated. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * A tagged template for Slack's markup. The template itself is markup; interpolated text is shown literally, so that a
 * user's `<!channel>` notifies no channel and a user's `*` makes nothing bold. Interpolated Markup is inserted as it is,
 * and a list is joined by line breaks.
 */
export function mrkdwn(strings: TemplateStringsArray, ...values: Piece[]): Markup {
  let source = '';
  for (const [index, part] of strings.entries()) {
    source += part;
    source += interpolate(values[index], {
      startsLine: source === '' || source.endsWith('\n'),
      inCode: source.split('`').length % 2 === 0,
    });
  }
  return new Markup(source);
}

type Piece = string | number | Markup | readonly (string | number | Markup)[] | undefined;

function interpolate(value: Piece, position: Parameters<typeof escapeText>[1]): string {
  if (value === undefined) {
    return '';
  }
  if (value instanceof Markup) {
    return value.source;
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return escapeText(String(value), position);
  }
  return value.map((piece) => interpolate(piece, { startsLine: true, inCode: false })).join('\n');
}

/** Text without line breaks in it: a phone number in two halves is misread. */
export function nonBreaking(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

/** Returns the text of a piece of markup, for a file: of a mention the id, of a date the fallback. */
export function stripMarkup({ source }: Markup): string {
  const unmarked = source
    .replace(/<[@#]([A-Z0-9]+)>/g, '$1')
    .replace(/<!date\^[^|<>]*\|([^<>]*)>/g, '$1')
    .replace(/\*([^*\n]+)\*/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1');
  return unescapeText(unmarked);
}

/** Returns the text of an element of a block, without markup. */
export function unmarked({ type, text }: MrkdwnElement | PlainTextElement): string {
  return type === 'mrkdwn' ? stripMarkup(new Markup(text)) : text;
}

export function userMention(userId: string): Markup {
  return /^[UW][A-Z0-9]+$/.test(userId) ? new Markup(`<@${userId}>`) : mrkdwn`${userId}`;
}

export function channelMention(channelId: string): Markup {
  return /^[CGD][A-Z0-9]+$/.test(channelId) ? new Markup(`<#${channelId}>`) : mrkdwn`${channelId}`;
}

/** A link to a page. A `|`, which an address may have, would end it. */
export function link({ href }: URL, text: string): Markup {
  const address = href.replaceAll('&', '&amp;').replaceAll('|', '%7C');
  return new Markup(`<${address}|${mrkdwn`${text}`.source}>`);
}

/** Joins pieces into one line, separated by ` · `. */
export function joinInline(parts: readonly Markup[]): Markup {
  return parts.reduce((all, part) => mrkdwn`${all} · ${part}`);
}

/** Joins pieces into a list, separated by commas unless another separator is given. */
export function joinWords(parts: readonly Markup[], separator = ', '): Markup {
  return parts.reduce((all, part) => mrkdwn`${all}${separator}${part}`);
}

/** A time that Slack shows in each reader's own time zone, with the time in UTC as the fallback. */
export function timeFor(at: Date): Markup {
  const fallback = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new Markup(`<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} {time}|${fallback}>`);
}

/** A time of day, in each reader's own time zone, to follow *at*. */
export function clockFor(at: Date): Markup {
  const fallback = `${at.toISOString().slice(11, 16)} UTC`;
  return new Markup(`<!date^${Math.floor(at.getTime() / 1000)}^{time}|${fallback}>`);
}

/** A day, in each reader's own time zone, with the day in UTC as the fallback. */
export function dayFor(at: Date): Markup {
  const fallback = at.toISOString().slice(0, 10);
  return new Markup(`<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty}|${fallback}>`);
}

export function plain(text: string, limit: number = limits.sectionText): PlainTextElement {
  return { type: 'plain_text', text: clampText(text, limit), emoji: false };
}

export function marked(markup: Markup, limit: number = limits.sectionText): MrkdwnElement {
  return { type: 'mrkdwn', text: clampMarkup(markup.source, limit) };
}

/** Shortens markup without splitting an entity, mention or date: `&lt;` cut to `&l` would be shown as it is. */
function clampMarkup(source: string, limit: number): string {
  const clamped = clampText(source, limit);
  return clamped === source ? source : clamped.replace(/(?:&[a-z]*|<[^<>]*)(?=… \(|…$)/, '');
}

/**
 * Escapes text so that Slack shows it as it is. Slack has escapes for `&`, `<` and `>` only (Slack: Formatting text for
 * app surfaces); the other marks are replaced by characters that look like them, since an invisible character does not
 * keep a mark from working. A mark within a word has no effect, so `price_list.csv`, numbers, ids and codes stay as they
 * are.
 */
function escapeText(text: string, position: { startsLine: boolean; inCode: boolean }): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // A line break would end the code, and marks after it would work.
  if (position.inCode) {
    return escaped.replace(/[`｀]/g, standIn).replace(/[\r\n]+/g, ' ');
  }
  return escaped
    .replace(marks, standIn)
    .replace(quoteMarks, (start) =>
      start === '\n' || position.startsLine ? `${start}${softHyphen}` : start,
    );
}

/** Returns the text that was escaped, if it had none of the stand-in characters itself. */
export function unescapeText(text: string): string {
  return text
    .replaceAll(softHyphen, '')
    .replace(/[∗ˍ∼ˋ∶]/g, (found) => standsFor.get(found) ?? found)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const standIns = new Map([
  ['*', '∗'],
  ['＊', '∗'],
  ['_', 'ˍ'],
  ['＿', 'ˍ'],
  ['~', '∼'],
  ['`', 'ˋ'],
  ['｀', 'ˋ'],
  [':', '∶'],
]);
const standsFor = new Map([...'*_~`:'].map((mark) => [standIn(mark), mark]));

function standIn(mark: string): string {
  return standIns.get(mark) ?? mark;
}

/** Invisible; before a `>` it keeps the line from being a quotation. */
const softHyphen = '\u00AD';
const quoteMarks = /(^|\n)(?=&gt;|＞)/g;

/** A mark at the edge of a word, a backtick anywhere, and a colon before an emoji's name. */
const marks = new RegExp(
  [
    /[`｀]/,
    /(?<![A-Za-z0-9])[*＊_＿~]/,
    /[*＊_＿~](?![A-Za-z0-9])/,
    // At the end of the text, the rest of the name may follow it. A time of day contains no emoji.
    /(?<!\d(?=:\d\d?(?::\d|$))):(?=[\p{L}\p{N}_+'-]+:|[\p{L}\p{N}_+'-]*$)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
