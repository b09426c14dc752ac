import type { Row } from './rows.ts';

export interface MeasureOptions {
  /** A folder for CPU profiles of all that is measured. */
  profile?: string | undefined;
}

/** Measures one subject, on each database where that matters. What is not in the rows is printed to stderr. */
export type Measure = (options: MeasureOptions) => Promise<Row[]>;

/** Returns a ratio against a rival, and whether it is at least so much. */
export function atLeast(least: number, ratio: number): Pick<Row, 'ratio' | 'target' | 'reached'> {
  return { ratio, target: `≥ ${least}`, reached: ratio >= least };
}

/** Returns a ratio against a rival, and whether it is at most so much. */
export function atMost(most: number, ratio: number): Pick<Row, 'ratio' | 'target' | 'reached'> {
  return { ratio, target: `≤ ${most}`, reached: ratio <= most };
}

/** Returns by how much a figure exceeds the rival's, and whether that is at most so much. */
export function atMostMore(
  most: number,
  more: number,
  unit: string,
): Pick<Row, 'ratio' | 'target' | 'reached'> {
  return { ratio: undefined, target: `≤ ${most} ${unit} more`, reached: more <= most };
}

/** Returns a figure with separators. */
export function grouped(figure: number, digits = 0): string {
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
