/**
 * What a file may hold in memory while it is read, in bytes: however it is made, the program takes at most 100 MB more than
 * when it is idle. Rows alone bound nothing, as one may be as long as the file.
 */
export interface FileBounds {
  /** Of a cell: 2,000 characters. That is more than any message has; a cell of a spreadsheet may have 32,767. */
  cell: number;
  /** Of the cells of a row: 100,000 characters. A longer row usually has an unclosed quotation mark. */
  row: number;
  /** Of rows that are read and not yet written. As many again are written meanwhile. */
  batch: number;
  /** Of the recipients of a request to the provider with their rows, which are stored and read as one. */
  chunk: number;
  /** Of all that is kept of a file which is read to its end before anything is done with it. */
  kept: number;
}

export const fileBounds: FileBounds = {
  cell: 4_000,
  row: 200_000,
  // Less than a row may have: the longest rows are written one by one.
  batch: 180_000,
  chunk: 180_000,
  kept: 30_000_000,
};

/** A character of a text takes one byte, or two in a text with any letter beyond Latin-1. */
const bytesOfCharacter = 2;
/** Of a text beside its characters. */
const bytesOfText = 16;
const bytesOfReference = 8;

/** Returns how many characters fit. */
export function charactersIn(bytes: number): number {
  return bytes / bytesOfCharacter;
}

/** Returns the most that a list of texts takes in memory. All empty texts are one. */
export function bytesOf(texts: readonly string[]): number {
  let bytes = texts.length * bytesOfReference;
  for (const { length } of texts) {
    bytes += length === 0 ? 0 : length * bytesOfCharacter + bytesOfText;
  }
  return bytes;
}
