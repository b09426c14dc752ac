/** The rows of a CSV file, with commas, semicolons or tabs between the cells, whichever its first line has. */
export function parseCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const separator = [',', ';', '\t'].find((mark) => plain.split(/\r?\n/, 1)[0]?.includes(mark)) ?? ',';
  // A cell, in quotes or not, and what ends it.
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|$)`, 'g');
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, written = '', end = ''] of plain.matchAll(cell)) {
    row.push(
      written
        .replace(/^"(.*)"$/s, '$1')
        .replaceAll('""', '"')
        .trim(),
    );
    if (end === separator) {
      continue;
    }
    if (row.some((value) => value !== '')) {
      rows.push(row);
    }
    row = [];
  }
  return rows;
}
