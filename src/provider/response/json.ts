/** Deeper than any answer of the description by far, and shallow enough for every recursion over the value. */
const deepest = 64;

/**
 * Parses JSON without losing a digit: a number that JavaScript would not write back as it was written (an id of 25
 * digits, an amount of `30.00`) comes as the text it was. `undefined` for what is not JSON, or is nested absurdly.
 */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (nesting(text) > deepest) {
    return undefined;
  }
  try {
    // Most answers need no care, and then are read several times as fast.
    if (!needsCare.test(text)) {
      return { value: JSON.parse(text) };
    }
    const value: unknown = JSON.parse(text, (key, parsed: unknown, context?: { source?: string }) => {
      // Never a field of the provider's, and a trap for whoever copies objects.
      if (key === '__proto__') {
        return undefined;
      }
      const asWritten = context?.source;
      return typeof parsed === 'number' && asWritten !== String(parsed) ? asWritten : parsed;
    });
    return { value };
  } catch {
    return undefined;
  }
}

/**
 * What may need care, seen from afar: a name that may be `__proto__`, spelled out or escaped, and after whatever can
 * stand before a number one that is not short and plain. A text in quotes may look like one; that costs time alone.
 */
const needsCare =
  /__proto__|\\u|(?:^|[:[,\s])(?=[-\d])(?!(?:0|-?[1-9]\d{0,14}|-?\d{1,9}\.\d{0,4}[1-9])(?![\d.eE]))/;

/** How many brackets are open at once at most, brackets inside strings aside. One pass, whatever the text. */
function nesting(text: string): number {
  let depth = 0;
  let most = 0;
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
      most = Math.max(most, ++depth);
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return most;
}
