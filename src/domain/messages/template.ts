/** A parsed text with placeholders for columns. */
export interface Template {
  /** Literal texts and columns. No text is empty, and no two texts are adjacent. */
  parts: readonly TemplatePart[];
}

export type TemplatePart = string | ColumnPart;

export interface ColumnPart {
  /** As `columnName` writes it. */
  column: string;
  /** Used if a recipient's value is empty; may be empty itself. */
  fallback?: string | undefined;
}

export type ReadTemplate = { ok: true; template: Template } | { ok: false; reason: string };

export type Rendered = { ok: true; text: string } | { ok: false; missing: string[] };

const opening = '{{';
const closing = '}}';
const placeholder = /\{\{([^{}]*)\}\}/g;

/**
 * Parses a text with columns: `Hi {{first_name}}`, or with a fallback `Hi {{first_name|there}}`. Spaces inside the braces
 * and capitals in a name are ignored; a single brace is text. The reason for a refusal is a sentence to show beside the
 * field.
 */
export function readTemplate(text: string): ReadTemplate {
  const parts: TemplatePart[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf(opening, at);
    const plain = text.slice(at, open < 0 ? undefined : open);
    if (plain !== '') {
      parts.push(plain);
    }
    if (open < 0) {
      break;
    }
    const close = text.indexOf(closing, open + opening.length);
    const inside = text.slice(open + opening.length, close < 0 ? undefined : close);
    if (inside.startsWith('{')) {
      return { ok: false, reason: 'Write a column with two braces on each side: {{first_name}}.' };
    }
    if (close < 0 || /[{}]/.test(inside)) {
      return { ok: false, reason: `“${excerpt(text.slice(open))}” is not closed: end each column with }}.` };
    }
    const part = readColumn(inside);
    if (part === undefined) {
      const written = excerpt(text.slice(open, close + closing.length));
      return { ok: false, reason: `“${written}” names no column: write one like {{first_name}}.` };
    }
    parts.push(part);
    at = close + closing.length;
  }
  return { ok: true, template: { parts } };
}

/** Whether recipients may get different texts. */
export function isPersonal(template: Template): boolean {
  return template.parts.some((part) => typeof part !== 'string');
}

/** Whether a text names a column. */
export function namesColumn({ parts }: Template, column: string): boolean {
  return parts.some((part) => typeof part !== 'string' && part.column === column);
}

/** Returns the name of a column in a text: `first_name` for the title `First Name`; empty if the title has no letters. */
export function columnName(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/** Returns the columns that a text names and a table does not have, without duplicates. */
export function unknownColumns(template: Template, columns: readonly string[]): string[] {
  const known = new Set(columns);
  const named = template.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.column]));
  return [...new Set(named)].filter((column) => !known.has(column));
}

/** Returns the columns that a recipient must have a value for, without duplicates. */
export function columnsWithoutFallback({ parts }: Template): string[] {
  const needed = parts.flatMap((part) =>
    typeof part === 'string' || part.fallback !== undefined ? [] : [part.column],
  );
  return [...new Set(needed)];
}

/**
 * Returns the text with every column empty: only fallbacks are filled in.
 *
 * @param known what columns hold that are the same for everybody
 */
export function withoutColumns({ parts }: Template, known: ReadonlyMap<string, string> = new Map()): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : (known.get(part.column) ?? part.fallback ?? '')))
    .join('');
}

/** Returns the columns in a text as they are written there, without duplicates. */
export function writtenColumns(text: string): string[] {
  const written = [...text.matchAll(placeholder)].filter(
    ([, inside = '']) => readColumn(inside) !== undefined,
  );
  return [...new Set(written.map(([column]) => column))];
}

/** Returns the text of a message that fills in no columns: with their fallbacks, where they have one. */
export function withFallbacks(text: string): string {
  return text.replace(placeholder, (written, inside: string) => readColumn(inside)?.fallback ?? written);
}

/** Returns the text for one recipient, or the columns that are empty and have no fallback, without duplicates. */
export function render(template: Template, value: (column: string) => string): Rendered {
  const missing = new Set<string>();
  let text = '';
  for (const part of template.parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const cell = value(part.column);
    const shown = cell.trim() === '' ? part.fallback : cell;
    if (shown === undefined) {
      missing.add(part.column);
    } else {
      text += shown;
    }
  }
  return missing.size === 0 ? { ok: true, text } : { ok: false, missing: [...missing] };
}

function readColumn(inside: string): ColumnPart | undefined {
  const bar = inside.indexOf('|');
  const column = columnName(bar < 0 ? inside : inside.slice(0, bar));
  if (column === '') {
    return undefined;
  }
  return bar < 0 ? { column } : { column, fallback: inside.slice(bar + 1).trim() };
}

/** Returns enough of a line to find it again. */
function excerpt(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > 30 ? `${line.slice(0, 30)}…` : line;
}
