/**
 * Text that Slack shows as it is. Slack has escapes for `&`, `<` and `>` alone (Slack: Formatting text for app surfaces):
 * for the other marks stand characters that look like them. Characters that are not seen do not keep a mark from working.
 * Within a word a mark is none, so `price_list.csv` stays as it is, and so do numbers, ids and codes.
 */
export function escapeText(text: string, place: { startsLine: boolean; inCode: boolean }): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // A line break would end the code, and begin the marks.
  if (place.inCode) {
    return escaped.replace(/[`｀]/g, standIn).replace(/[\r\n]+/g, ' ');
  }
  return escaped
    .replace(marks, standIn)
    .replace(quoteMarks, (start) => (start === '\n' || place.startsLine ? `${start}${softHyphen}` : start));
}

/** What `literal` was made of, where that had none of the stand-ins. */
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

/** Before a `>` it keeps the line from being a quotation; it is not seen. */
const softHyphen = '\u00AD';
const quoteMarks = /(^|\n)(?=&gt;|＞)/g;

/** A mark at the edge of a word, a backtick anywhere, and a colon that an emoji's name follows. */
const marks = new RegExp(
  [
    /[`｀]/,
    /(?<![A-Za-z0-9])[*＊_＿~]/,
    /[*＊_＿~](?![A-Za-z0-9])/,
    // Where the text ends, what follows may have the rest of the name. A time of day has no emoji in it.
    /(?<!\d(?=:\d\d?(?::\d|$))):(?=[\p{L}\p{N}_+'-]+:|[\p{L}\p{N}_+'-]*$)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
