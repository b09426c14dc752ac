/** A row of a file or of pasted text that cannot be used. */
export interface RejectedRow {
  /** In the file, from 1. */
  line: number;
  /** What was found where a number should be, cut off where it is long; may be empty. */
  text: string;
  /** Why it was rejected, as the end of a sentence: line 7 *has no number*. */
  reason: string;
}

/** The same of text that has no lines of its own, where `line` is undefined. */
export type RejectedEntry = Omit<RejectedRow, 'line'> & { line?: number | undefined };
