/** Parses a CSV file. The first line decides between comma, semicolon and tab. */
export function parseCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const separator = [',', ';', '\t'].find((mark) => plain.split(/\r?\n/, 1)[0]?.includes(mark)) ?? ',';
  // A cell, quoted or not, and its separator or line end.
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
