import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from './json.ts';

/** The body of a response, by its actual format. */
export type ResponseBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** HTML: from a proxy or a wrong address rather than from the provider. */
  | { readonly kind: 'page'; readonly title?: string | undefined }
  | { readonly kind: 'text'; readonly text: string };

/** Detects the format from the text. The content type decides only where the text leaves it open. */
export function parseResponseBody(text: string, headers: IncomingHttpHeaders): ResponseBody {
  // Removes a byte order mark as well.
  const trimmed = text.trim();
  if (trimmed === '') {
    return { kind: 'empty' };
  }
  const json = parseJson(trimmed);
  if (json) {
    return { kind: 'json', value: json.value };
  }
  if (/\bhtml\b/i.test(headers['content-type'] ?? '') ? trimmed.includes('<') : trimmed.startsWith('<')) {
    const title = /<title[^<>]*>([^<]+)/i.exec(trimmed.slice(0, 4096))?.[1];
    return { kind: 'page', title: title && excerpt(title) };
  }
  return { kind: 'text', text: trimmed };
}

const excerptLength = 300;

/** One line of at most 300 characters, fit to be shown to a user. */
export function excerpt(text: string): string {
  const line = oneLine(text.slice(0, excerptLength * 4));
  if (line.length <= excerptLength) {
    return line;
  }
  // Never cuts a surrogate pair in two.
  return `${line.slice(0, excerptLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Replaces line breaks, other white space and invisible characters by single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
