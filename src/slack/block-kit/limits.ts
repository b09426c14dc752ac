import { PersonalText } from '../../domain/access/private-values.ts';
/** Slack's limits, as data. Source: Slack: Block Kit reference, views, and chat.postMessage. */
export const limits = {
  blocksInMessage: 50,
  blocksInView: 100,
  /** Of a view as JSON. Slack rejects one above 250 kB as `view_too_large`, and counts what it adds itself. */
  viewBytes: 200_000,
  titleText: 24,
  sectionText: 3000,
  fieldText: 2000,
  fields: 10,
  headerText: 150,
  contextElements: 10,
  /** Ours: of a name, or another text of the provider’s, in a list with many lines. */
  listText: 100,
  buttonText: 75,
  buttonValue: 2000,
  optionText: 75,
  optionValue: 150,
  options: 100,
  /** Of a data table, without its titles. */
  tableRows: 100,
  /** Ours: of a cell, so that a page of rows stays below Slack's 10,000 characters of a table. */
  cellText: 90,
  inputText: 3000,
  inputLabel: 2000,
  /** Beside a field. Slack documents no limit; nobody reads a longer one. */
  errorText: 1000,
  /** Of all texts in a message's blocks together (bolt-js issue 2509). */
  blocksTextInMessage: 12_000,
  /** Of a message's plain fallback text; Slack cuts off the rest. */
  messageText: 4000,
} as const;

/**
 * Shortens a text to `limit` characters (UTF-16 code units, as Slack counts) and states at its end how many were cut, so
 * that a part is never taken for the whole. A surrogate pair is never split.
 */
export function clampText(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  for (let length = limit; length > 0; length -= 1) {
    const note = `… (${text.length - length} more characters)`;
    if (length + note.length <= limit) {
      return `${wellFormedStart(text, length)}${note}`;
    }
  }
  return `${wellFormedStart(text, limit - 1)}…`;
}

/** The beginning of a text in one line, up to the end of a word where there is one nearby. */
export function beginningOf(text: string, limit: number): string {
  const line = text.trim().replace(/\s+/g, ' ');
  if (line.length <= limit) {
    return line;
  }
  const start = wellFormedStart(line, limit - 1);
  const lastSpace = start.lastIndexOf(' ');
  return `${lastSpace > limit / 2 ? start.slice(0, lastSpace) : start}…`;
}

/** A name in a line of a list, short enough that all the lines fit into one view. */
export function brief(text: string): PersonalText {
  return new PersonalText(clampText(text, limits.listText));
}

function wellFormedStart(text: string, length: number): string {
  const lastIsHalfAPair = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, lastIsHalfAPair ? length - 1 : length);
}

/** Keeps the first `limit` elements of a list; `cut` is the number of the others. */
export function clampList<T>(list: readonly T[], limit: number): { shown: T[]; cut: number } {
  return { shown: list.slice(0, limit), cut: Math.max(0, list.length - limit) };
}
