import { z } from 'zod';

/** A row of a file or of pasted text that cannot be used. */
export interface RejectedRow {
  /** In the file, from 1. */
  line: number;
  /** What was found where a number should be, cut off where it is long; may be empty. */
  text: string;
  /** Why it was rejected, as the end of a sentence: line 7 *has no number*. */
  reason: string;
  /** The whole row as it is in the file, where it has columns. */
  cells?: readonly string[] | undefined;
  /** Of a campaign's list. */
  problem?: RowProblem | undefined;
  /** Of `missing_value`: the columns that are empty, by their positions in `columnsWithoutFallback`. */
  missing?: readonly number[] | undefined;
}

/** The same of text that has no lines of its own, where `line` is undefined. */
export type RejectedEntry = Omit<RejectedRow, 'line'> & { line?: number | undefined };
/**
 * What is wrong with a row; rows with the same problem have the same remedy.
 *
 * - `no_number`: the cell for the number is empty;
 * - `shortened`, `too_short`, `too_long`, `not_a_number`: its number, as `NumberProblem`;
 * - `several_numbers`: the cell has several;
 * - `missing_value`: a column that the text uses is empty in this row, and has no fallback;
 * - `replaceable_characters`: its text has characters that cannot be sent, and all of them have a plain twin;
 * - `accented_letters`: the same once accents are removed too;
 * - `unsendable_characters`: its text has characters that cannot be sent;
 * - `text_too_long`, `text_empty`: its text, once the columns are filled in.
 */
export const rowProblemSchema = z.enum([
  'no_number',
  'shortened',
  'too_short',
  'too_long',
  'not_a_number',
  'several_numbers',
  'missing_value',
  'replaceable_characters',
  'accented_letters',
  'unsendable_characters',
  'text_too_long',
  'text_empty',
]);
export type RowProblem = z.infer<typeof rowProblemSchema>;

/** How many rows have each problem, and how many lack each column, by `missing`. */
export const problemCountsSchema = z.partialRecord(
  z.union([rowProblemSchema, z.templateLiteral(['missing_value ', z.number()])]),
  z.number(),
);
export type ProblemCounts = z.infer<typeof problemCountsSchema>;

/** Returns the problems of a rejected row, for counting. */
export function countedProblems(row: Pick<RejectedRow, 'missing'> & { problem: RowProblem }) {
  const { problem, missing = [] } = row;
  return [problem, ...missing.map((position) => `missing_value ${position}` as const)];
}
