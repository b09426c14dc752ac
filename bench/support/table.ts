import { databaseLabel } from './databases.ts';
import type { Row } from './rows.ts';

const titles = ['measure', 'database', 'ours', 'rival', 'ratio', 'target', 'reached'];

/** Returns the rows as a table in Markdown, its columns aligned. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ measure, database, ours, rival, ratio, target, reached }) => [
    measure,
    databaseLabel(database),
    ours,
    rival,
    ratio?.toFixed(2) ?? '–',
    target,
    reached === undefined ? 'not measured' : reached ? 'yes' : '**no**',
  ]);
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [lineOf(titles), rule, ...lines.map(lineOf)].join('\n');
}
