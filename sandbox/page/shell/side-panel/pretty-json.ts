import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../lib/json.ts';

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** Draws JSON indented and coloured, each token as a text node. A string is shown as text. */
export function drawJson(value: Json): TemplateResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  if (typeof value === 'string') {
    return html`<pre class="json" tabindex="0">${text || '(empty)'}</pre>`;
  }
  const parts: unknown[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon, word] = match;
    parts.push(text.slice(end, match.index));
    if (quoted) {
      parts.push(html`<span class=${colon ? 'json-key' : 'json-string'}>${quoted}</span>`, colon ?? nothing);
    } else {
      parts.push(html`<span class=${word ? 'json-word' : 'json-number'}>${whole}</span>`);
    }
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return html`<pre class="json" tabindex="0">${parts}</pre>`;
}
