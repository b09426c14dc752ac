import { columnName } from './template.ts';

/**
 * A column as other tools write it: `{first_name}`, `[First name]`, `((name))`, `#name#`, `%name%`, `*|NAME|*`, `<<name>>`,
 * `«name»`, `__name__`, `$name`.
 */
const placeholders = new RegExp(
  [
    '\\{\\{([^{}\\n]{1,120})\\}\\}',
    '[$%]?\\{\\$?([^{}\\n]{1,120})\\}',
    '\\(\\(([^()\\n]{1,120})\\)\\)',
    '\\[\\[([^\\[\\]\\n]{1,120})\\]\\]',
    '\\[([^\\[\\]\\n]{1,120})\\]',
    '<<([^<>\\n]{1,120})>>',
    '<([^<>\\n]{1,120})>',
    '«([^«»\\n]{1,120})»',
    '\\*\\|([^|*\\n]{1,120})\\|\\*',
    // A percent sign or a hash stands alone in many texts, so the name begins and ends beside them.
    ...['%%?', '##?', '@@?'].map(
      (sign) => `${sign}(\\p{L}(?:[\\p{L}\\p{N}_. -]{0,80}[\\p{L}\\p{N}])?)${sign}`,
    ),
    '__(\\p{L}(?:(?!__)[\\p{L}\\p{N}_. -]){0,80})__',
    // Not a price, which begins with a digit.
    '(?<![\\p{L}\\p{N}$])\\$(\\p{L}[\\p{L}\\p{M}\\p{N}_]{0,80})',
  ].join('|'),
  'gu',
);

/** Filters of Liquid, Jinja and their like that change how a value is written. */
const filters = new Set(
  'capitalize upcase downcase upper lower title titlecase strip trim escape strip_html strip_tags truncate append prepend'.split(
    ' ',
  ),
);
const defaultName = '^(?:default|d|fallback|if_empty|default_if_none)\\s*';
const quotedDefault = new RegExp(`${defaultName}[:(=]?\\s*["'“”‘’](.*?)["'“”‘’](?:\\s*,.*)?\\s*\\)?$`, 's');
const plainDefault = new RegExp(`${defaultName}[:(=]\\s*([^"'“”‘’,)]*)(?:,.*)?\\)?$`, 's');

/**
 * Returns a text with the columns that other tools write in another way as they are written here, and which those are.
 * Only names of these columns, see `columnName`, are meant as one.
 */
export function convertPlaceholders(
  text: string,
  columns: readonly string[],
): { text: string; converted: { from: string; to: string }[] } {
  const byKey = new Map(
    [keyOf, String].flatMap((keyFor) => columns.map((column) => [keyFor(column), column])),
  );
  const found = Array.from(text.matchAll(placeholders), ([from, ...groups]) => {
    return [from, convert(from, groups.find((group) => group !== undefined) ?? '', byKey)] as const;
  });
  const byFrom = new Map(found);
  return {
    text: text.replace(placeholders, (from) => byFrom.get(from) ?? from),
    converted: [...byFrom].flatMap(([from, to]) => (to === undefined ? [] : [{ from, to }])),
  };
}

/** Returns how a placeholder is written here; undefined where it names no column, or is written so already. */
function convert(from: string, inside: string, byKey: ReadonlyMap<string, string>): string | undefined {
  const [name = '', ...others] = inside
    .replace(/(?:\|\||\?\?|\bor\b)(?=\s*["'“‘])/, '|default:')
    .split(/\||,(?=\s*(?:default|fallback)\b)/)
    .map((part) => part.trim());
  const column = [name, name.split('.').at(-1) ?? '']
    .flatMap((each) => [columnName(each), keyOf(columnName(each))])
    .map((key) => byKey.get(key) ?? byKey.get(shortKeys.get(key) ?? ''))
    .find((found) => found !== undefined);
  const defaults = others.map((part) => (quotedDefault.exec(part) ?? plainDefault.exec(part))?.[1]?.trim());
  const writtenDefault = defaults.find((value) => value !== undefined);
  const fallbacks = others.filter((part) => !filters.has(part.replace(/\s*[:(].*$/s, '')));
  const isWritten = from.startsWith('{{') && columnName(name) === column;
  const isOurs = isWritten && (others.length === 0 || (fallbacks.length > 0 && writtenDefault === undefined));
  if (column === undefined || isOurs) {
    return undefined;
  }
  const fallback = (writtenDefault ?? fallbacks.join('|')).replace(/[{}]/g, '');
  return fallback === '' ? `{{${column}}}` : `{{${column}|${fallback}}}`;
}

/** What Mailchimp and others shorten. */
const shortKeys = new Map([
  ['fname', 'firstname'],
  ['lname', 'lastname'],
]);

/** Some tools write `firstName` or `FIRSTNAME`. */
function keyOf(column: string): string {
  return column.replaceAll('_', '');
}
