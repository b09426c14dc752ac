/**
 * Escapes text so that Slack shows it as it is. Slack has escapes for `&`, `<` and `>` only (Slack: Formatting text for
 * app surfaces); the other marks are replaced by characters that look like them, since an invisible character does not
 * keep a mark from working. A mark within a word has no effect, so `price_list.csv`, numbers, ids and codes stay as they
 * are.
 */
export function escapeText(text: string, position: { startsLine: boolean; inCode: boolean }): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // A line break would end the code, and marks after it would work.
  if (position.inCode) {
    return escaped.replace(/[`｀]/g, standIn).replace(/[\r\n]+/g, ' ');
  }
  return escaped
    .replace(marks, standIn)
    .replace(quoteMarks, (start) =>
      start === '\n' || position.startsLine ? `${start}${softHyphen}` : start,
    );
}

/** Returns the text that was escaped, if it had none of the stand-in characters itself. */
export function unescapeText(text: string): string {
  return text
    .replaceAll(softHyphen, '')
    .replace(/[∗ˍ∼ˋ∶]/g, (found) => standsFor.get(found) ?? found)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const standIns = new Map([
  ['*', '∗'],
  ['＊', '∗'],
  ['_', 'ˍ'],
  ['＿', 'ˍ'],
  ['~', '∼'],
  ['`', 'ˋ'],
  ['｀', 'ˋ'],
  [':', '∶'],
]);
const standsFor = new Map([...'*_~`:'].map((mark) => [standIn(mark), mark]));

function standIn(mark: string): string {
  return standIns.get(mark) ?? mark;
}

/** Invisible; before a `>` it keeps the line from being a quotation. */
const softHyphen = '\u00AD';
const quoteMarks = /(^|\n)(?=&gt;|＞)/g;

/** A mark at the edge of a word, a backtick anywhere, and a colon before an emoji's name. */
const marks = new RegExp(
  [
    /[`｀]/,
    /(?<![A-Za-z0-9])[*＊_＿~]/,
    /[*＊_＿~](?![A-Za-z0-9])/,
    // At the end of the text, the rest of the name may follow it. A time of day contains no emoji.
    /(?<!\d(?=:\d\d?(?::\d|$))):(?=[\p{L}\p{N}_+'-]+:|[\p{L}\p{N}_+'-]*$)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
