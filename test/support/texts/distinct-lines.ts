/** Leaves out lines that differ from an earlier one only in figures, dates, names and ids. */
export function distinctLines(lines: readonly string[]): string[] {
  const seen = new Set<string>();
  return lines.filter((line) => seen.size < seen.add(shapeOf(line)).size);
}

/** The same for lines that differ only in figures, dates, names and ids. */
export function shapeOf(line: string): string {
  return line
    .replace(/<[@#!][^>]*>|\b[CDSUW][A-Z0-9]+\b/g, '@')
    .replace(/\p{Nd}[\p{Nd}.,:/-]*/gu, '0')
    .replace(
      /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*/g,
      '0',
    )
    .replace(/0[0 •]*/g, '0');
}
