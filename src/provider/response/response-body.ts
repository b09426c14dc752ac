import type { IncomingHttpHeaders } from 'node:http';

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

/** Far deeper than any documented response, and shallow enough for every recursion over the value. */
const maxDepth = 64;

/**
 * Parses JSON without losing a digit: a number that JavaScript would write differently (an id of 25 digits, an amount of
 * `30.00`) stays the text it was. Returns `undefined` for invalid JSON and for more than 64 levels of nesting.
 */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (depthOf(text) > maxDepth) {
    return undefined;
  }
  try {
    // The fast path skips the reviver, which takes several times as long. Most responses take it.
    if (!needsReviver.test(text)) {
      return { value: JSON.parse(text) };
    }
    const value: unknown = JSON.parse(text, (key, parsed: unknown, context?: { source?: string }) => {
      // Never a field of the provider's; copying it would change an object's prototype.
      if (key === '__proto__') {
        return undefined;
      }
      const source = context?.source;
      return typeof parsed === 'number' && source !== String(parsed) ? source : parsed;
    });
    return { value };
  } catch {
    return undefined;
  }
}

/**
 * Finds a name that may be `__proto__`, escaped or not, and a number that is not short and plain, where a value begins. A
 * quoted text may match as well, which costs only time; a time such as 10:05 does not.
 */
const needsReviver =
  /__proto__|\\u|(?:^|"\s*:|[[,])\s*(?=[-\d])(?!(?:0|-?[1-9]\d{0,14}|-?\d{1,9}\.\d{0,4}[1-9])(?![\d.eE]))/;

/** The maximum number of brackets open at once, except inside strings. One pass, linear in the length. */
function depthOf(text: string): number {
  let depth = 0;
  let max = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') {
        index += 1;
      } else if (character === '"') {
        quoted = false;
      }
    } else if (character === '"') {
      quoted = true;
    } else if (character === '[' || character === '{') {
      max = Math.max(max, ++depth);
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return max;
}
