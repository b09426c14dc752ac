import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import { escapeText, unescapeText } from './escape.ts';
import { clampText, limits } from './limits.ts';

/** A piece of Slack's markup that is safe to send: made by `mrkdwn` only, which escapes all that it takes in. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * A tagged template for Slack's markup. What is written in the template is markup; whatever is put into it is text and
 * is shown literally, so that nobody's `<!channel>` rings a channel and nobody's `*` makes anything bold. Another piece of
 * Markup goes in as it is, a list of pieces is joined by line breaks.
 */
export function mrkdwn(strings: TemplateStringsArray, ...values: Piece[]): Markup {
  let source = '';
  for (const [index, part] of strings.entries()) {
    source += part;
    source += into(values[index], {
      startsLine: source === '' || source.endsWith('\n'),
      inCode: source.split('`').length % 2 === 0,
    });
  }
  return new Markup(source);
}

type Piece = string | number | Markup | readonly (string | number | Markup)[] | undefined;

function into(value: Piece, place: Parameters<typeof escapeText>[1]): string {
  if (value === undefined) {
    return '';
  }
  if (value instanceof Markup) {
    return value.source;
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return escapeText(String(value), place);
  }
  return value.map((piece) => into(piece, { startsLine: true, inCode: false })).join('\n');
}

/** Text that no line ends within: a phone number in two halves is misread. */
export function nonBreaking(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

/** What a piece of markup says, without its marks: for a file. Of a mention it is the id, of a date the fallback. */
export function stripMarkup({ source }: Markup): string {
  const unmarked = source
    .replace(/<[@#]([A-Z0-9]+)>/g, '$1')
    .replace(/<!date\^[^|<>]*\|([^<>]*)>/g, '$1')
    .replace(/\*([^*\n]+)\*/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1');
  return unescapeText(unmarked);
}

export function userMention(userId: string): Markup {
  return /^[UW][A-Z0-9]+$/.test(userId) ? new Markup(`<@${userId}>`) : mrkdwn`${userId}`;
}

export function channelMention(channelId: string): Markup {
  return /^[CGD][A-Z0-9]+$/.test(channelId) ? new Markup(`<#${channelId}>`) : mrkdwn`${channelId}`;
}

/** Pieces in one line, with points between them. */
export function joinInline(parts: readonly Markup[]): Markup {
  return parts.reduce((all, part) => mrkdwn`${all} · ${part}`);
}

/** A time that Slack shows in each reader's own zone, with the instant in UTC for where it cannot. */
export function timeFor(at: Date): Markup {
  const fallback = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new Markup(`<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} {time}|${fallback}>`);
}

export function plain(text: string, limit: number = limits.sectionText): PlainTextElement {
  return { type: 'plain_text', text: clampText(text, limit), emoji: false };
}

export function marked(markup: Markup, limit: number = limits.sectionText): MrkdwnElement {
  return { type: 'mrkdwn', text: clampMarkup(markup.source, limit) };
}

/** Cuts markup where no entity, mention or date is torn apart: `&lt;` cut to `&l` would be shown as it stands. */
function clampMarkup(source: string, limit: number): string {
  const clamped = clampText(source, limit);
  return clamped === source ? source : clamped.replace(/(?:&[a-z]*|<[^<>]*)(?=… \(|…$)/, '');
}
