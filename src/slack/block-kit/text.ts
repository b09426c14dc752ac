import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import {
  PersonalText,
  type Readers,
  readPrivateValue,
  showNumber,
  showPersonal,
  showPrivateValue,
} from '../../domain/access/private-values.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { shownDay, shownTime } from '../../domain/time/shown-time.ts';
import { clampText, limits } from './limits.ts';

/** Slack markup that is safe to send. Only `mrkdwn` creates it, and escapes every interpolated value. */
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
 *
 * A phone number, an ICCID (also one in a string of its own) and a PersonalText stay values in the markup, until `renderFor`
 * writes them for its readers.
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

type Single = string | number | Markup | PhoneNumber | PersonalText;
type Piece = Single | readonly Single[] | undefined;

function interpolate(value: Piece, position: Parameters<typeof escapeText>[1]): string {
  if (value === undefined) {
    return '';
  }
  if (value instanceof Markup) {
    return value.source;
  }
  if (value instanceof PersonalText) {
    // Plain text is not escaped, and must not end its own mask.
    const text = value.text.replaceAll('<!personal', '<personal');
    return `<!personal^>${escapeText(text, position)}<!personal$>`;
  }
  if (isList(value)) {
    return value.map((piece) => interpolate(piece, { startsLine: true, inCode: false })).join('\n');
  }
  const text = String(value);
  const found = readPrivateValue(text);
  return found === undefined ? escapeText(text, position) : `<!${found}^${text}>`;
}

function isList(value: Single | readonly Single[]): value is readonly Single[] {
  return Array.isArray(value);
}

/** Private values as `mrkdwn` writes them. Escaped text has no `<`, so no user can write one. A cut text may end in one. */
const privateValues = /<!(phone|iccid)\^(\+?\d+[Ff]{0,2})>?|<!personal\^>(.*?)(?:<!personal\$>|$)/gs;

/**
 * Writes the private values in markup for its readers. For Slackbot, what a person or the provider wrote stands between
 * ⟦ and ⟧, and nothing else does.
 */
function renderText(text: string, readers: Readers): string {
  const plain = readers === 'tool' ? text.replace(/[⟦⟧]/g, '') : text;
  return plain.replace(
    privateValues,
    (_, kind: string | undefined, value = '', personal: string | undefined) =>
      // A phone number in two halves is misread.
      personal === undefined
        ? showPrivateValue({ kind, value }, readers).replaceAll(' ', '\u00A0')
        : readers === 'tool'
          ? `⟦${showPersonal(personal, readers)}⟧`
          : showPersonal(personal, readers),
  );
}

/** Returns markup without the numbers in its words, for Slackbot: an error may repeat the typed text. */
export function withoutNumbers({ source }: Markup): Markup {
  const parts = /<!personal\^>.*?<!personal\$>|<[^<>]*>|([^<>]+)/gs;
  return new Markup(
    source.replace(parts, (part, words?: string) =>
      words === undefined ? part : showPersonal(part, 'tool'),
    ),
  );
}

/** What Slack sends back as it is, and shows to nobody. */
const unshown = new Set([
  'value',
  'action_id',
  'block_id',
  'callback_id',
  'private_metadata',
  'initial_value',
]);

/**
 * Returns content for Slack, with its private values written for its readers: the last step before anything
 * leaves. Content that isn't for one person is written as for a channel.
 */
export function renderFor<Content extends object>(readers: Readers, content: Content): Content {
  const json = JSON.stringify(content);
  return readers === 'tool' ||
    json.includes('<!phone^') ||
    json.includes('<!iccid^') ||
    json.includes('<!personal^')
    ? JSON.parse(json, (key, part: unknown) =>
        typeof part === 'string' && !unshown.has(key) ? renderText(part, readers) : part,
      )
    : content;
}

/** Numbers as a person would type them into a form, one a line. */
export function typedNumbers(numbers: readonly PhoneNumber[]): string {
  return numbers.map((number) => showNumber(number, 'person')).join('\n');
}

/** Returns the text of a piece of markup, for a file: of a mention the id, of a date the fallback. */
export function stripMarkup({ source }: Markup): string {
  const unmarked = renderText(source, 'person')
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
export function joinWords(parts: readonly Single[], separator = ', '): Markup {
  return parts.reduce<Markup>(
    (all, part, index) => (index === 0 ? mrkdwn`${part}` : mrkdwn`${all}${separator}${part}`),
    mrkdwn``,
  );
}

/** A time that Slack shows in each reader's own time zone, with the time in UTC as the fallback. */
export function timeFor(at: Date): Markup {
  const fallback = `${shownDay(at)}, ${shownTime(at)} UTC`;
  return new Markup(`<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} at {time}|${fallback}>`);
}

/** A time of day, in each reader's own time zone, to follow *at*. */
export function clockFor(at: Date): Markup {
  const fallback = `${shownTime(at)} UTC`;
  return new Markup(`<!date^${Math.floor(at.getTime() / 1000)}^{time}|${fallback}>`);
}

/** A day, in each reader's own time zone, with the day in UTC as the fallback. */
export function dayFor(at: Date): Markup {
  const fallback = shownDay(at);
  return new Markup(`<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty}|${fallback}>`);
}

export function plain(text: string | Markup, limit: number = limits.sectionText): PlainTextElement {
  return { type: 'plain_text', text: clampPlain(text, limit), emoji: false };
}

/** As `inPlain`, at most so long. The marks around a private text don’t count, because nobody sees them. */
export function clampPlain(text: string | Markup, limit: number): string {
  const whole = inPlain(text);
  const shown = whole.replaceAll(/<!personal[\^$]>/g, '');
  return shown.length <= limit ? whole : clampText(whole, limit);
}

/** The text of an element without markup. Private values in it stay values. */
export function inPlain(text: string | Markup): string {
  return typeof text === 'string' ? text : unescapeText(text.source);
}

/** Without bold type, for a screen reader, which would read the asterisks out. */
export function withoutEmphasis({ source }: Markup): Markup {
  return new Markup(source.replace(/\*([^*\n]+)\*/g, '$1'));
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
