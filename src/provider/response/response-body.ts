import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from './json.ts';

/** An answer's body, by what it turned out to be. */
export type ResponseBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** HTML: from a proxy or a wrong address, hardly from the provider. */
  | { readonly kind: 'page'; readonly title?: string }
  | { readonly kind: 'text'; readonly text: string };

/** Reads a body for what it is; the content type is believed only where the text itself leaves it open. */
export function parseResponseBody(text: string, headers: IncomingHttpHeaders): ResponseBody {
  // Takes away a byte order mark as well.
  const trimmed = text.trim();
  if (trimmed === '') {
    return { kind: 'empty' };
  }
  const json = parseJson(trimmed);
  if (json) {
    return { kind: 'json', value: json.value };
  }
  if (trimmed.startsWith('<') || /\bhtml\b/i.test(headers['content-type'] ?? '')) {
    const title = /<title[^<>]*>([^<]+)/i.exec(trimmed.slice(0, 4096))?.[1];
    return { kind: 'page', ...(title && { title: excerpt(title) }) };
  }
  return { kind: 'text', text: trimmed };
}

const excerptLength = 300;

/** One line of bounded length out of whatever the provider wrote, fit to be shown to a person. */
export function excerpt(text: string): string {
  const line = oneLine(text.slice(0, excerptLength * 4));
  if (line.length <= excerptLength) {
    return line;
  }
  // Cut between characters, never inside one that takes two places.
  return `${line.slice(0, excerptLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A text without line breaks, and without signs that do not show. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
