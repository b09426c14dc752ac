import { readEmoji } from '../art/emoji.ts';
import type { Flow, Inline } from './inline.ts';

const safeProtocols = new Set(['http:', 'https:', 'mailto:', 'tel:', 'slack:']);

/** Returns the address if it is absolute and of a harmless protocol: not `javascript:`. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) {
    return undefined;
  }
  return safeProtocols.has(new URL(address).protocol) ? address : undefined;
}

const fence = /```([\s\S]+?)```/g;
const quoted = /^(?:>|&gt;) ?/;
const marks: Record<string, 'bold' | 'italic' | 'strike'> = { '*': 'bold', _: 'italic', '~': 'strike' };
const wordCharacter = /[\p{L}\p{N}]/u;
const bareAddress = /^https?:\/\/[^\s<>|*`"]*[^\s<>|*`".,;:!?)\]'_~]/;

/** Parses Slack's mrkdwn. Every input is valid: anything that is not formatting stays text. */
export function readMrkdwn(source: string): Flow[] {
  const flow: Flow[] = [];
  let end = 0;
  for (const match of source.matchAll(fence)) {
    flow.push(...readLines(trimOneBreak(source.slice(end, match.index))));
    flow.push({ kind: 'code', text: unescapeText(trimOneBreak(match[1] ?? '')) });
    end = match.index + match[0].length;
  }
  flow.push(...readLines(end > 0 ? trimOneBreak(source.slice(end)) : source));
  return flow;
}

/** Parses a `plain_text`: text and, with `emoji`, emoji. */
export function readPlain(source: string, emoji = true): Inline[] {
  const lines = source.split('\n').map((line) => (emoji ? readEmojiOnly(line) : [textNode(line)]));
  return lines.flatMap((line, at) => (at === 0 ? line : [{ kind: 'break' } as const, ...line]));
}

/** Unescapes `&amp;`, `&lt;` and `&gt;`, once each. */
function unescapeText(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'));
}

function readLines(source: string): Flow[] {
  if (source === '') {
    return [];
  }
  const flow: Flow[] = [];
  for (const line of source.split('\n')) {
    const isQuote = quoted.test(line);
    const children = readInline(line.replace(quoted, ''));
    const last = flow.at(-1);
    if (isQuote && last?.kind === 'quote') {
      const inner = last.children.at(-1);
      if (inner?.kind === 'paragraph') {
        inner.children.push({ kind: 'break' }, ...children);
      }
    } else if (isQuote) {
      flow.push({ kind: 'quote', children: [{ kind: 'paragraph', children }] });
    } else if (last?.kind === 'paragraph') {
      last.children.push({ kind: 'break' }, ...children);
    } else {
      flow.push({ kind: 'paragraph', children });
    }
  }
  return flow;
}

/** Parses one line. */
export function readInline(line: string): Inline[] {
  const nodes: Inline[] = [];
  let at = 0;
  while (at < line.length) {
    const found = readNode(line, at);
    if (found) {
      nodes.push(found.node);
      at = found.end;
    } else {
      appendText(nodes, line[at] ?? '');
      at += 1;
    }
  }
  return nodes;
}

type Found = { node: Inline; end: number } | undefined;

function readNode(line: string, at: number): Found {
  const character = line[at] ?? '';
  switch (character) {
    case '`':
      return readCode(line, at);
    case '<':
      return readAngle(line, at);
    case '&':
      return readEscape(line, at);
    case ':':
      return readEmoji(line, at);
    case 'h':
      return readBareAddress(line, at);
    default:
      return marks[character] ? readMarked(line, at) : undefined;
  }
}

function readCode(line: string, at: number): Found {
  const close = line.indexOf('`', at + 1);
  if (close <= at + 1) {
    return undefined;
  }
  return { node: { kind: 'code', text: unescapeText(line.slice(at + 1, close)) }, end: close + 1 };
}

function readEscape(line: string, at: number): Found {
  const escaped = /^&(?:amp|lt|gt);/.exec(line.slice(at, at + 5))?.[0];
  return escaped ? { node: textNode(unescapeText(escaped)), end: at + escaped.length } : undefined;
}

function readBareAddress(line: string, at: number): Found {
  if (wordCharacter.test(line[at - 1] ?? '')) {
    return undefined;
  }
  const address = bareAddress.exec(line.slice(at))?.[0];
  const url = address && safeAddress(unescapeText(address));
  return url
    ? { node: { kind: 'link', url, children: [textNode(url)] }, end: at + address.length }
    : undefined;
}

/** Parses `*bold*`, `_italic_` and `~strike~`. The marks stand at word boundaries, without inner spaces, on one line. */
function readMarked(line: string, at: number): Found {
  const mark = line[at] ?? '';
  const kind = marks[mark];
  if (!kind || wordCharacter.test(line[at - 1] ?? '') || !isAdjacent(line[at + 1], mark)) {
    return undefined;
  }
  for (let close = at + 2; close < line.length; close += 1) {
    close = skipOpaque(line, close);
    if (line[close] !== mark || !isAdjacent(line[close - 1], mark)) {
      continue;
    }
    if (wordCharacter.test(line[close + 1] ?? '')) {
      continue;
    }
    return { node: { kind, children: readInline(line.slice(at + 1, close)) }, end: close + 1 };
  }
  return undefined;
}

function isAdjacent(neighbour: string | undefined, mark: string): boolean {
  return neighbour !== undefined && neighbour !== mark && !/\s/.test(neighbour);
}

/** Skips `code` and `<…>`, which contain no formatting. */
function skipOpaque(line: string, at: number): number {
  const closer = line[at] === '`' ? '`' : line[at] === '<' ? '>' : undefined;
  if (!closer) {
    return at;
  }
  const close = line.indexOf(closer, at + 1);
  return close === -1 ? at : close;
}

/** Parses `<…>`: a link, a mention or a date. Anything else stays text. */
function readAngle(line: string, at: number): Found {
  const close = line.indexOf('>', at + 1);
  const node = close === -1 ? undefined : readReference(line.slice(at + 1, close));
  return node ? { node, end: close + 1 } : undefined;
}

function readReference(inner: string): Inline | undefined {
  const bar = inner.indexOf('|');
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? undefined : unescapeText(inner.slice(bar + 1));
  const fallback = label ? { fallback: label } : {};
  const id = target.slice(1);
  if (/^@[UW][A-Z0-9]+$/.test(target)) {
    return { kind: 'person', id, ...fallback };
  }
  if (/^#[CGD][A-Z0-9]+$/.test(target)) {
    return { kind: 'channel', id, ...fallback };
  }
  if (target.startsWith('!')) {
    return readCommand(target.slice(1), label);
  }
  const url = safeAddress(unescapeText(target));
  return url ? { kind: 'link', url, children: [textNode(label || url)] } : undefined;
}

function readCommand(command: string, label: string | undefined): Inline | undefined {
  if (/^(here|channel|everyone)$/.test(command)) {
    return { kind: 'mention', text: `@${command}` };
  }
  if (command.startsWith('subteam^')) {
    return { kind: 'mention', text: label ?? `@${command.slice(8)}` };
  }
  const date = /^date\^(-?\d{1,12})\^([^^]+)(?:\^(.+))?$/.exec(command);
  if (!date) {
    return undefined;
  }
  const url = date[3] && safeAddress(unescapeText(date[3]));
  return {
    kind: 'date',
    seconds: Number(date[1]),
    format: unescapeText(date[2] ?? ''),
    ...(url ? { url } : {}),
    fallback: label ?? '',
  };
}

function readEmojiOnly(line: string): Inline[] {
  const nodes: Inline[] = [];
  for (let at = 0; at < line.length; ) {
    const found = line[at] === ':' ? readEmoji(line, at) : undefined;
    if (found) {
      nodes.push(found.node);
    } else {
      appendText(nodes, line[at] ?? '');
    }
    at = found?.end ?? at + 1;
  }
  return nodes;
}

function textNode(text: string): Inline {
  return { kind: 'text', text };
}

function appendText(nodes: Inline[], text: string): void {
  const last = nodes.at(-1);
  if (last?.kind === 'text') {
    last.text += text;
  } else {
    nodes.push(textNode(text));
  }
}

function trimOneBreak(text: string): string {
  return text.replace(/^\n/, '').replace(/\n$/, '');
}

/** Returns the text without its formatting. */
export function plainWords(nodes: Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case 'text':
        case 'code':
        case 'mention':
          return node.text;
        case 'break':
          return '\n';
        case 'emoji':
          return `:${node.name}:`;
        case 'date':
          return node.fallback;
        case 'person':
          return `@${node.fallback ?? node.id}`;
        case 'channel':
          return `#${node.fallback ?? node.id}`;
        default:
          return plainWords(node.children);
      }
    })
    .join('');
}
