import { html, nothing, type TemplateResult } from 'lit';
import { flagAt, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../../lib/json.ts';
import { drawEmoji, emojiCharacter, splitAtEmoji } from '../art/emoji.ts';
import { channelLabel, type Directory, personName } from '../state/directory.ts';
import type { Flow, Inline } from './inline.ts';
import { plainWords, readMrkdwn, readPlain, safeAddress } from './mrkdwn.ts';

/** Draws a text object: `plain_text` as text and emoji, `mrkdwn` with its formatting. */
export function drawText(
  text: JsonObject | undefined,
  directory: Directory,
): TemplateResult | typeof nothing {
  const content = stringAt(text, 'text');
  if (content === undefined) {
    return nothing;
  }
  if (stringAt(text, 'type') === 'mrkdwn') {
    return drawFlow(readMrkdwn(content), directory);
  }
  return drawInline(readPlain(content, text?.emoji !== false || flagAt(text, 'emoji')), directory);
}

export function drawFlow(flow: Flow[], directory: Directory): TemplateResult {
  return html`${flow.map((node) => drawNode(node, directory))}`;
}

function drawNode(node: Flow, directory: Directory): TemplateResult {
  switch (node.kind) {
    case 'paragraph':
      return html`<p>${drawInline(node.children, directory)}</p>`;
    case 'quote':
      return html`<blockquote>${drawFlow(node.children, directory)}</blockquote>`;
    case 'code':
      return html`<pre tabindex="0"><code>${node.text}</code></pre>`;
    case 'list': {
      const items = node.items.map((item) => html`<li>${drawInline(item, directory)}</li>`);
      const style = `--indent: ${Math.min(node.indent, 8)}`;
      return node.ordered
        ? html`<ol start=${node.start} style=${style} data-indent=${node.indent}>${items}</ol>`
        : html`<ul style=${style} data-indent=${node.indent}>${items}</ul>`;
    }
  }
}

function drawInline(nodes: Inline[], directory: Directory): TemplateResult {
  return html`${nodes.map((node) => drawPiece(node, directory))}`;
}

function drawPiece(node: Inline, directory: Directory): unknown {
  switch (node.kind) {
    case 'text':
      return splitAtEmoji(node.text);
    case 'break':
      return html`<br />`;
    case 'bold':
      return html`<strong>${drawInline(node.children, directory)}</strong>`;
    case 'italic':
      return html`<em>${drawInline(node.children, directory)}</em>`;
    case 'strike':
      return html`<s>${drawInline(node.children, directory)}</s>`;
    case 'underline':
      return html`<u>${drawInline(node.children, directory)}</u>`;
    case 'code':
      return html`<code>${node.text}</code>`;
    case 'link':
      return html`<a href=${node.url} target="_blank" rel="noopener noreferrer">${drawInline(node.children, directory)}</a>`;
    case 'person':
      return html`<span class="mention ${node.id === directory.me ? 'of-me' : ''}"
        >@${personName(directory, node.id) ?? node.fallback ?? directory.appName}</span
      >`;
    case 'channel':
      return html`<span class="mention">${channelLabel(directory, node.id, node.fallback)}</span>`;
    case 'mention':
      return html`<span class="mention of-me">${node.text}</span>`;
    case 'emoji':
      return drawEmoji(node.character, `:${node.name}:`);
    case 'date':
      return drawDate(node, directory);
  }
}

function drawDate(node: Extract<Inline, { kind: 'date' }>, directory: Directory): TemplateResult {
  const content = formatDate(node.format, node.seconds, directory.zone, directory.now());
  const time = html`<time
    datetime=${new Date(node.seconds * 1000).toISOString()}
    title=${fullMoment(node.seconds, directory.zone)}
    >${content}</time
  >`;
  return node.url ? html`<a href=${node.url} target="_blank" rel="noopener noreferrer">${time}</a>` : time;
}

/** Dates and times in a person's zone, worded as Slack does. Seconds are Unix seconds. */

const dayParts = (seconds: number, zone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options }).format(new Date(seconds * 1000));

export const timeOf = (seconds: number, zone: string): string =>
  dayParts(seconds, zone, { hour: 'numeric', minute: '2-digit' });

/** Formats the calendar day in the zone as `2025-04-30`. */
export const dayOf = (seconds: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(seconds * 1000));

export const fullMoment = (seconds: number, zone: string): string =>
  dayParts(seconds, zone, { dateStyle: 'full', timeStyle: 'medium' });

function ordinal(day: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' } as const;
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(day);
  return `${day}${rule === 'one' || rule === 'two' || rule === 'few' ? ending[rule] : 'th'}`;
}

function longDate(seconds: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    ...options,
  })
    .formatToParts(new Date(seconds * 1000))
    .map((part) => (part.type === 'day' ? ordinal(Number(part.value)) : part.value))
    .join('');
}

/** Returns "Today", "Yesterday", "Tomorrow", or undefined. */
function nearDay(seconds: number, zone: string, now: number): string | undefined {
  const day = dayOf(seconds, zone);
  if (day === dayOf(now, zone)) {
    return 'Today';
  }
  if (day === dayOf(now - 86_400, zone)) {
    return 'Yesterday';
  }
  return day === dayOf(now + 86_400, zone) ? 'Tomorrow' : undefined;
}

/** Returns the text of the line between two days of messages. The year only when it is not this one. */
export function dayHeading(seconds: number, zone: string, now: number): string {
  const sameYear = dayOf(seconds, zone).slice(0, 4) === dayOf(now, zone).slice(0, 4);
  return nearDay(seconds, zone, now) ?? longDay(seconds, zone, sameYear);
}

function longDay(seconds: number, zone: string, sameYear: boolean): string {
  const text = longDate(seconds, zone, { weekday: 'long' });
  return sameYear ? text.replace(/, \d{4}$/, '') : text;
}

function ago(seconds: number, now: number): string {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const past = seconds - now;
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  const unit = units.find(([, length]) => Math.abs(past) >= length);
  return unit
    ? relative.format(Math.round(past / unit[1]), unit[0])
    : relative.format(Math.round(past), 'second');
}

const tokens: Record<string, (seconds: number, zone: string) => string> = {
  date_num: (seconds, zone) => dayOf(seconds, zone),
  date_slash: (seconds, zone) =>
    dayParts(seconds, zone, { year: 'numeric', month: '2-digit', day: '2-digit' }),
  date: (seconds, zone) => longDate(seconds, zone, {}),
  date_short: (seconds, zone) => dayParts(seconds, zone, { month: 'short', day: 'numeric', year: 'numeric' }),
  date_long: (seconds, zone) => longDate(seconds, zone, { weekday: 'long' }),
  time: timeOf,
  time_secs: (seconds, zone) =>
    dayParts(seconds, zone, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
};

/** Fills the tokens of `<!date^…>`: `{date_short_pretty} at {time}` → "yesterday at 6:39 AM". */
export function formatDate(format: string, seconds: number, zone: string, now: number): string {
  return format.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'ago') {
      return ago(seconds, now);
    }
    const pretty = name.endsWith('_pretty');
    const near = pretty ? nearDay(seconds, zone, now)?.toLowerCase() : undefined;
    const plainName = pretty ? name.slice(0, -'_pretty'.length) : name;
    return (
      near ?? (Object.hasOwn(tokens, plainName) ? tokens[plainName]?.(seconds, zone) : undefined) ?? whole
    );
  });
}

/** Parses the elements of a `rich_text` block. */
export function readRichText(block: JsonObject): Flow[] {
  return objectsAt(block, 'elements').flatMap(readRichElement);
}

function readRichElement(element: JsonObject): Flow[] {
  const children = readPieces(objectsAt(element, 'elements'));
  switch (stringAt(element, 'type')) {
    case 'rich_text_section':
      return [{ kind: 'paragraph', children }];
    case 'rich_text_quote':
      return [{ kind: 'quote', children: [{ kind: 'paragraph', children }] }];
    case 'rich_text_preformatted':
      return [{ kind: 'code', text: plainWords(children) }];
    case 'rich_text_list':
      return [
        {
          kind: 'list',
          ordered: stringAt(element, 'style') === 'ordered',
          start: (numberAt(element, 'offset') ?? 0) + 1,
          indent: numberAt(element, 'indent') ?? 0,
          items: objectsAt(element, 'elements').map((item) => readPieces(objectsAt(item, 'elements'))),
        },
      ];
    default:
      return [];
  }
}

function readPieces(pieces: JsonObject[]): Inline[] {
  return pieces.flatMap((piece) => applyStyle(readPiece(piece), objectAt(piece, 'style')));
}

function readPiece(piece: JsonObject): Inline[] {
  const text = stringAt(piece, 'text') ?? '';
  switch (stringAt(piece, 'type')) {
    case 'text':
      return text.split('\n').flatMap((line, at): Inline[] => {
        const node: Inline = { kind: 'text', text: line };
        return at === 0 ? [node] : [{ kind: 'break' }, node];
      });
    case 'link': {
      const url = safeAddress(stringAt(piece, 'url') ?? '');
      const label: Inline[] = [{ kind: 'text', text: text || (url ?? stringAt(piece, 'url') ?? '') }];
      return url ? [{ kind: 'link', url, children: label }] : label;
    }
    case 'user':
      return [{ kind: 'person', id: stringAt(piece, 'user_id') ?? '' }];
    case 'channel':
      return [{ kind: 'channel', id: stringAt(piece, 'channel_id') ?? '' }];
    case 'broadcast':
      return [{ kind: 'mention', text: `@${stringAt(piece, 'range') ?? 'here'}` }];
    case 'usergroup':
      return [{ kind: 'mention', text: `@${stringAt(piece, 'usergroup_id') ?? ''}` }];
    case 'color':
      return [{ kind: 'code', text: stringAt(piece, 'value') ?? '' }];
    case 'emoji':
      return [readRichEmoji(piece)];
    case 'date':
      return [readRichDate(piece)];
    default:
      return [];
  }
}

function readRichEmoji(piece: JsonObject): Inline {
  const name = stringAt(piece, 'name') ?? '';
  const points = (stringAt(piece, 'unicode') ?? '').split('-').map((point) => Number.parseInt(point, 16));
  const given = points.every((point) => point >= 0 && point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : undefined;
  const character = emojiCharacter(name) ?? given;
  return character ? { kind: 'emoji', name, character } : { kind: 'text', text: `:${name}:` };
}

function readRichDate(piece: JsonObject): Inline {
  const url = safeAddress(stringAt(piece, 'url') ?? '');
  return {
    kind: 'date',
    seconds: numberAt(piece, 'timestamp') ?? 0,
    format: stringAt(piece, 'format') ?? '{date}',
    ...(url ? { url } : {}),
    fallback: stringAt(piece, 'fallback') ?? '',
  };
}

function applyStyle(nodes: Inline[], style: JsonObject | undefined): Inline[] {
  if (!style) {
    return nodes;
  }
  const coded = flagAt(style, 'code') ? [{ kind: 'code', text: plainWords(nodes) } as const] : nodes;
  const kinds = ['bold', 'italic', 'strike', 'underline'] as const;
  return kinds.reduce<Inline[]>(
    (inner, kind) => (flagAt(style, kind) ? [{ kind, children: inner }] : inner),
    coded,
  );
}
