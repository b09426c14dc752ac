/** Returns the smallest value that at least this part of all values (0.99: 99 of 100) does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  return sorted(values)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}

/** Returns the middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const inOrder = sorted(values);
  const middle = (values.length - 1) / 2;
  const [below, above] = [inOrder[Math.floor(middle)], inOrder[Math.ceil(middle)]];
  return below === undefined || above === undefined ? Number.NaN : (below + above) / 2;
}

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

/** Returns rows as text in columns: the first aligned left, the others right. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = (column: number) => rows.map((row) => row[column]?.length ?? 0);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...cells(column)));
  const lines = rows.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  return lines.map((line) => line.join('   ').trimEnd()).join('\n');
}
