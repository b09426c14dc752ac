import { readEmoji } from './emoji.ts';
import { type Flow, type Inline, safeAddress } from './nodes.ts';

/** Reads the standard Markdown of a `markdown` block: the everyday part of it, line by line. */
export function readMarkdown(source: string): Flow[] {
  const flow: Flow[] = [];
  const lines = source.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence) {
      const close = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence));
      const end = close === -1 ? lines.length : close;
      flow.push({ kind: 'code', text: lines.slice(at + 1, end).join('\n') });
      at = end;
    } else {
      readLine(flow, line, (lines[at - 1] ?? '').trim() === '');
    }
  }
  return flow;
}

function readLine(flow: Flow[], line: string, afterBlank: boolean): void {
  if (line.trim() === '') {
    return;
  }
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  const item = /^(\s*)([-*+]|(\d{1,9})[.)])\s+(.*)$/.exec(line);
  const quote = /^>\s?(.*)$/.exec(line);
  const last = flow.at(-1);
  if (/^\s*([-*_])(?:\s*\1){2,}\s*$/.test(line)) {
    flow.push({ kind: 'rule' });
  } else if (heading) {
    flow.push({
      kind: 'heading',
      level: heading[1]?.length ?? 1,
      children: readMarkdownInline(heading[2] ?? ''),
    });
  } else if (item) {
    addItem(flow, item);
  } else if (quote) {
    const children = readMarkdown(quote[1] ?? '');
    if (last?.kind === 'quote') {
      last.children.push(...children);
    } else {
      flow.push({ kind: 'quote', children });
    }
  } else if (last?.kind === 'paragraph' && !afterBlank) {
    last.children.push({ kind: 'break' }, ...readMarkdownInline(line));
  } else {
    flow.push({ kind: 'paragraph', children: readMarkdownInline(line) });
  }
}

function addItem(flow: Flow[], item: RegExpExecArray): void {
  const indent = Math.floor((item[1] ?? '').length / 2);
  const ordered = item[3] !== undefined;
  const children = readMarkdownInline(item[4] ?? '');
  const last = flow.at(-1);
  if (last?.kind === 'list' && last.ordered === ordered && last.indent === indent) {
    last.items.push(children);
  } else {
    flow.push({ kind: 'list', ordered, start: Number(item[3] ?? 1), indent, items: [children] });
  }
}

const patterns: { form: RegExp; make: (match: RegExpExecArray) => Inline | undefined }[] = [
  { form: /^\\([\\`*_{}[\]()#+\-.!~<>|])/, make: (match) => ({ kind: 'text', text: match[1] ?? '' }) },
  { form: /^`([^`]+)`/, make: (match) => ({ kind: 'code', text: match[1] ?? '' }) },
  { form: /^(\*\*|__)(?=\S)(.+?\S|\S)\1/, make: (match) => styled('bold', match[2]) },
  { form: /^~~(?=\S)(.+?)~~/, make: (match) => styled('strike', match[1]) },
  { form: /^([*_])(?=\S)(.+?\S|\S)\1(?![\p{L}\p{N}])/u, make: (match) => styled('italic', match[2]) },
  { form: /^!?\[([^\]]*)\]\(([^\s)]+)(?:\s+"[^"]*")?\)/, make: (match) => link(match[2] ?? '', match[1]) },
  { form: /^<(https?:\/\/[^>\s]+)>/, make: (match) => link(match[1] ?? '', match[1]) },
  { form: /^https?:\/\/[^\s<>()]*[^\s<>().,;:!?]/, make: (match) => link(match[0], match[0]) },
];

function styled(kind: 'bold' | 'italic' | 'strike', inner: string | undefined): Inline {
  return { kind, children: readMarkdownInline(inner ?? '') };
}

function link(address: string, label: string | undefined): Inline | undefined {
  const url = safeAddress(address);
  return url ? { kind: 'link', url, children: [{ kind: 'text', text: label || url }] } : undefined;
}

function readMarkdownInline(line: string): Inline[] {
  const nodes: Inline[] = [];
  for (let at = 0; at < line.length; ) {
    const found = readSpan(line, at);
    const last = nodes.at(-1);
    const text = found?.node.kind === 'text' ? found.node.text : found ? undefined : (line[at] ?? '');
    if (text === undefined && found) {
      nodes.push(found.node);
    } else if (last?.kind === 'text') {
      last.text += text;
    } else {
      nodes.push({ kind: 'text', text: text ?? '' });
    }
    at = found?.end ?? at + 1;
  }
  return nodes;
}

function readSpan(line: string, at: number): { node: Inline; end: number } | undefined {
  const character = line[at] ?? '';
  if (character === ':') {
    return readEmoji(line, at);
  }
  if (!/[\\`*_~![<h]/.test(character)) {
    return undefined;
  }
  if ((character === '_' || character === 'h') && /[\p{L}\p{N}]/u.test(line[at - 1] ?? '')) {
    return undefined;
  }
  const rest = line.slice(at);
  for (const { form, make } of patterns) {
    const match = form.exec(rest);
    const node = match && make(match);
    if (match && node) {
      return { node, end: at + match[0].length };
    }
  }
  return undefined;
}
