import type { NumberProblem } from '../phone/read-number.ts';

/** A row of a file or of pasted text that cannot be used. */
export interface RejectedRow {
  /** In the file, from 1. */
  line: number;
  /** What was found where a number should be, cut off where it is long; may be empty. */
  text: string;
  /** Why it was rejected, as the end of a sentence: line 7 *has no number*. */
  reason: string;
}

/** What is wrong with a row. Rows with the same problem have the same remedy. */
export type RowProblem =
  | NumberProblem
  /** Its cell for the number is empty. */
  | 'no_number'
  /** Its cell has several numbers. */
  | 'several_numbers'
  /** A column that the text uses is empty in it, and has no fallback. */
  | 'missing_value'
  /** Its text would have characters that cannot be sent. */
  | 'unsendable_characters'
  | 'text_too_long'
  | 'text_empty';

/** How many rows have each problem. */
export type ProblemCounts = Partial<Record<RowProblem, number>>;
