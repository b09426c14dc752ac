/**
 * Limits, in bytes, on what a file may hold in memory while it is read, so that any file adds at most 100 MB.
 * A limit on rows isn't enough, because one row may be as long as the file.
 */
export interface FileBounds {
  /** One cell: 2,000 characters, more than any message has. Spreadsheet cells may have 32,767. */
  cell: number;
  /** The cells of one row: 100,000 characters. A longer row usually has an unclosed quotation mark. */
  row: number;
  /** Rows that were read but not yet written. The same amount is being written meanwhile. */
  batch: number;
  /** The recipients of one request with their rows, stored and read together. */
  chunk: number;
  /** Everything kept from a file that has to be read completely before it is used. */
  kept: number;
}

export const fileBounds: FileBounds = {
  cell: 4_000,
  row: 200_000,
  // Less than the limit of a row: the longest rows are written one at a time.
  batch: 180_000,
  chunk: 180_000,
  kept: 30_000_000,
};

/** JavaScript stores a text with one byte per character, or two if any character is beyond Latin-1. */
const bytesOfCharacter = 2;
/** Overhead of a string. */
const bytesOfText = 16;
const bytesOfReference = 8;

/** Returns how many characters fit. */
export function charactersIn(bytes: number): number {
  return bytes / bytesOfCharacter;
}

/** Returns the maximum memory for a list of strings. Empty strings share one value. */
export function bytesOf(texts: readonly string[]): number {
  let bytes = texts.length * bytesOfReference;
  for (const { length } of texts) {
    bytes += length === 0 ? 0 : length * bytesOfCharacter + bytesOfText;
  }
  return bytes;
}
