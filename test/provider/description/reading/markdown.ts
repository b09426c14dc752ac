/** Parsers for the parts of a Markdown page. */

/** The text under each numbered heading, by its number, such as `4.1`. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const parts = page.split(/^#{2,3} (\d+(?:\.\d+)?[a-z]?)\.? .*$/m).slice(1);
  return new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : [])));
}

/** The rows of the first table, as cells, without its head. */
export function tableOf(text: string): string[][] {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  if (first === -1) {
    return [];
  }
  const after = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(first + 2, after === -1 ? undefined : first + after);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The first sentence. A full stop inside brackets does not end it. */
export function firstSentence(text: string): string {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    depth += depthChange(text[index]);
    if (depth === 0 && /^\.(?:\s|$)|^\n/.test(text.slice(index, index + 2))) {
      return text.slice(0, index);
    }
  }
  return text;
}

/** Splits at commas and semicolons, and at "and" before a name in backticks, but not inside brackets. */
export function splitList(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const piece of text.split(/( and (?=`)|[,;(){}])/)) {
    depth += depthChange(piece);
    if (depth === 0 && /^(?:[,;]| and )$/.test(piece)) {
      items.push('');
    } else {
      items.push(`${items.pop() ?? ''}${piece}`);
    }
  }
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function depthChange(character: string | undefined): number {
  if (character === '(' || character === '{') {
    return 1;
  }
  return character === ')' || character === '}' ? -1 : 0;
}
