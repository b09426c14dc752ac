import type { ExpectedOutcome } from './expected-outcome.ts';

/** How every operation ended: by fault, then by operation. */
export type Cells = Map<string, Map<string, ExpectedOutcome>>;

/** The matrix in Markdown: a row for each fault, a column for all operations with the same outcomes. */
export function tableOf(cells: Cells): string {
  const columns = new Map<string, { operations: string[]; ends: string[] }>();
  const [firstRow] = cells.values();
  for (const operation of firstRow?.keys() ?? []) {
    const ends = [...cells.values()].map((row) => textOf(row.get(operation)));
    const column = columns.get(ends.join()) ?? { operations: [], ends };
    column.operations.push(`\`${operation}\``);
    columns.set(ends.join(), column);
  }
  const all = [...columns.values()];
  const lines = [
    ['', ...all.map(({ operations }) => operations.join('<br>'))],
    ['---', ...all.map(() => '---')],
    ...[...cells.keys()].map((fault, row) => [fault, ...all.map(({ ends }) => ends[row] ?? '')]),
  ];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function textOf(end: ExpectedOutcome | undefined): string {
  if (end === undefined) {
    return 'missing';
  }
  return `${end.kind.replace('_', ' ')}, ${end.arrivals}`;
}

const [start, finish] = ['<!-- the matrix, written by its test -->', '<!-- end of the matrix -->'];

/** Replaces the table of a page. */
export function replaceTable(page: string, table: string): string {
  const [before, rest = ''] = page.split(start);
  const [, after] = rest.split(finish);
  if (before === undefined || after === undefined) {
    throw new Error(`The page has no place between ${start} and ${finish}`);
  }
  return `${before}${start}\n\n${table}\n\n${finish}${after}`;
}
