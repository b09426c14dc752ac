import { html, nothing, type TemplateResult } from 'lit';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { drawEmoji, splitAtEmoji } from '../art/emoji.ts';
import { flagAt } from '../json.ts';
import { channelName, type Directory, personName } from '../state/directory.ts';
import { formatDate, fullMoment } from './dates.ts';
import { type Flow, type Inline, readMrkdwn, readPlain } from './mrkdwn.ts';

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
      return html`<span class="mention">#${channelName(directory, node.id) ?? node.fallback ?? node.id}</span>`;
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
