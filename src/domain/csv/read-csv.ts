import { isAscii } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';

/** A row of a CSV file that is not empty. */
export interface CsvRow {
  /** The line it begins on, from 1: what an editor shows. */
  line: number;
  /** Trimmed. Rows may differ in length. */
  cells: string[];
}

/** Why a file cannot be read as CSV. The reason is a sentence to show beside the file's field. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  readonly reason: string;

  constructor(reason: string) {
    super('not readable as CSV');
    this.reason = reason;
  }
}

export interface CsvOptions {
  /** Rows below the first one, which may be titles. Empty rows count. */
  maxRows?: number | undefined;
  /** Called between pieces of the file. For long work on a row, the reader of the rows has to yield itself. */
  giveWay?: YieldToEventLoop | undefined;
}

type Source = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** In characters: longer than any message. A cell of a spreadsheet may have 32,767. */
const maxCell = 2000;
/** More than in any export of contacts. */
const maxColumns = 500;
/** In characters. A longer row usually has an unclosed quotation mark. */
const maxRow = 100_000;
/** In bytes: parsed without a pause, which takes at most a millisecond. */
const maxPiece = 2048;
/** Lines that are examined to find the separator of cells. */
const sampleLines = 20;

/**
 * Reads CSV row by row as real programs write it: with or without a byte order mark, in UTF-8, UTF-16 or Windows-1252,
 * separated by commas, semicolons, tabs or bars, quoted or not. Rows may differ in length. Buffers only the current piece,
 * so the source may be a stream of any size. Throws a `CsvFault` if it is malformed, or exceeds the limit of rows, of
 * columns of a row or of characters of a cell.
 */
export async function* readCsv(source: Source, options: CsvOptions = {}): AsyncGenerator<CsvRow> {
  const { maxRows = Number.POSITIVE_INFINITY, giveWay = createYield() } = options;
  const texts = textOf(source);
  const beginning = await beginningOf(texts);
  const parsing = startParsing(beginning.join(''), maxRows);
  for await (const text of followedBy(beginning, texts)) {
    await giveWay();
    yield* await parsing.write(text);
  }
  yield* await parsing.end();
}

/** Returns what `read` resolves to, or the reason of the `CsvFault` that it throws. */
export async function catchCsvFault<T>(read: () => Promise<T>): Promise<T | { ok: false; reason: string }> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CsvFault) {
      return { ok: false, reason: error.reason };
    }
    throw error;
  }
}

/**
 * Throws a `CsvFault` if a file has too many rows. Only counts line ends outside of quotation marks, which is many times
 * faster than reading rows: a list that is too long is refused before its beginning is processed.
 */
export async function refuseTooManyRows(
  source: Source,
  { maxRows, giveWay = createYield() }: CsvOptions & { maxRows: number },
): Promise<void> {
  let ends = 0;
  let quoted = false;
  for await (const text of textOf(source)) {
    await giveWay();
    for (const [index, piece] of text.split('"').entries()) {
      if (index > 0) {
        quoted = !quoted;
      }
      if (!quoted) {
        ends += piece.split('\n').length - 1;
      }
    }
    if (ends > maxRows + 1) {
      throw tooManyRows(maxRows);
    }
  }
}

/** Returns a parser for a file with this beginning. Each step resolves to the rows that it completes. */
function startParsing(beginning: string, maxRows: number) {
  refuseOtherKinds(beginning);
  const { separator, announced } = separatorOf(beginning);
  let complete: CsvRow[] = [];
  let records = 0;
  /** Lines up to the end of the last record, and how many of those were empty. */
  let lines = 0;
  let emptyLines = 0;
  /** Characters since the end of the last record, or of the piece that it ended in. */
  let unfinished = 0;
  const parser = parse({
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    // `on_record` still counts them.
    skip_empty_lines: true,
    on_record(cells, context) {
      records += 1;
      unfinished = 0;
      // Each row counts as the first one: for a row of another length than the first, the parser creates an error with a
      // stack, which takes many times longer than the row itself.
      Object.assign(parser.info, { records: 0 });
      lines = context.lines;
      emptyLines = context.empty_lines;
      if (records + emptyLines > maxRows + 1) {
        throw tooManyRows(maxRows);
      }
      const breaks = cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
      const line = lines - breaks;
      refuseExcess(cells, line);
      const isData = cells.some((cell) => cell !== '') && !(announced && line === 1);
      if (isData) {
        complete.push({ line, cells });
      }
      return undefined;
    },
  });
  const nextLine = () => lines + 1 + parser.info.empty_lines - emptyLines;
  const step = (go: (done: (error?: Error | null) => void) => void) =>
    new Promise<CsvRow[]>((resolve, reject) => {
      go((error) => {
        if (error) {
          reject(error instanceof CsvError ? faultAt(nextLine()) : error);
          return;
        }
        resolve(complete);
        complete = [];
      });
    });
  // Each step gets its own error, but an error event without a listener would throw.
  parser.on('error', () => {});
  return {
    async write(text: string): Promise<CsvRow[]> {
      unfinished += text.replaceAll('\n', '').length;
      if (unfinished > maxRow + maxPiece) {
        throw faultAt(nextLine());
      }
      const rows = await step((done) => parser.write(text, done));
      if (records + parser.info.empty_lines > maxRows + 1) {
        throw tooManyRows(maxRows);
      }
      return rows;
    },
    end: () => step((done) => parser.end(done)),
  };
}

function refuseExcess(cells: readonly string[], line: number): void {
  if (cells.length > maxColumns) {
    throw new CsvFault(
      `Line ${line} has more than ${maxColumns} columns. Remove the columns you don’t need.`,
    );
  }
  if (cells.some((cell) => cell.length > maxCell)) {
    const most = maxCell.toLocaleString('en');
    throw new CsvFault(
      `Line ${line} has a cell of more than ${most} characters. Shorten the cell, or remove its column.`,
    );
  }
}

function tooManyRows(maxRows: number): CsvFault {
  return new CsvFault(
    `The file has more than ${maxRows.toLocaleString('en')} rows, empty rows included. Split the file.`,
  );
}

function faultAt(line: number): CsvFault {
  const most = maxRow.toLocaleString('en');
  return new CsvFault(
    `The file can’t be read from line ${line} on: a quotation mark may not be closed, or the line has more than ${most} characters.`,
  );
}

/** Divides a source into small pieces. Of bytes, not of text: decoding puts characters together again. */
async function* piecesOf(source: Source): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at += maxPiece) {
      yield bytes.subarray(at, at + maxPiece);
    }
  }
}

/** Decodes a file, with uniform line ends. */
async function* textOf(source: Source): AsyncGenerator<string> {
  let pending = '';
  for await (const decoded of decodeText(piecesOf(source))) {
    const text = pending + decoded;
    // Held back, as the next piece may begin with the other half of this line end.
    pending = text.endsWith('\r') ? '\r' : '';
    yield withPlainLines(text.slice(0, text.length - pending.length));
  }
  yield withPlainLines(pending);
}

/** Reads the first pieces of a text: enough to detect its kind and separator. */
async function beginningOf(texts: AsyncIterator<string>): Promise<string[]> {
  const beginning: string[] = [];
  for (let length = 0; length <= maxRow; ) {
    const { done, value } = await texts.next();
    if (done) {
      break;
    }
    beginning.push(value);
    length += value.length;
  }
  return beginning;
}

async function* followedBy(
  beginning: readonly string[],
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  yield* beginning;
  yield* rest;
}

function withPlainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function refuseOtherKinds(beginning: string): void {
  if (['PK\u0003\u0004', '\u00D0\u00CF\u0011\u00E0'].some((signature) => beginning.startsWith(signature))) {
    throw new CsvFault('This is a spreadsheet, not CSV. Save it as CSV and upload that file.');
  }
  if (beginning.startsWith('%PDF') || beginning.includes('\0')) {
    throw new CsvFault('This is not a text file. Save the list as CSV and upload that file.');
  }
}

const separators = [',', ';', '\t', '|'];

/** Detects the separator of cells. A spreadsheet may announce it in a first line `sep=;`, which is not data. */
function separatorOf(beginning: string): { separator: string; announced: boolean } {
  const [, announced] = /^sep=([,;\t|])[^\S\n]*\n/i.exec(beginning) ?? [];
  if (announced !== undefined) {
    return { separator: announced, announced: true };
  }
  const lines = beginning
    .slice(0, maxRow)
    .replace(/"[^"]*"/g, '""')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines);
  const scores = separators.map((separator) => {
    const [first = 0, ...others] = lines.map((line) => line.split(separator).length - 1);
    return first === 0 ? 0 : 1 + others.filter((count) => count === first).length;
  });
  const best = Math.max(...scores);
  return { separator: separators[best === 0 ? 0 : scores.indexOf(best)] ?? ',', announced: false };
}

/** This many bytes are enough to recognise a letter of UTF-8, or a byte order mark. */
const enoughBytes = 4;

/**
 * Decodes a file, however its bytes are divided: as UTF-8 or UTF-16 by a byte order mark; without one, as UTF-8 if its
 * first letter beyond ASCII is valid UTF-8, otherwise as Windows-1252, which old spreadsheets write.
 */
async function* decodeText(source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let begun = false;
  // The first letter beyond ASCII may come late; only bytes that could be part of it are held back.
  let pending = Buffer.alloc(0);
  for await (const bytes of source) {
    if (decoder) {
      yield decoder.decode(bytes, { stream: true });
      continue;
    }
    pending = Buffer.concat([pending, bytes]);
    if (pending.length < enoughBytes) {
      continue;
    }
    const encoding = (begun ? undefined : encodingByMark(pending)) ?? encodingByLetter(pending);
    begun = true;
    if (encoding === undefined) {
      const ascii = lengthOfAscii(pending);
      yield pending.toString('latin1', 0, ascii);
      pending = pending.subarray(ascii);
    } else {
      decoder = new TextDecoder(encoding);
      yield decoder.decode(pending, { stream: true });
    }
  }
  if (decoder) {
    yield decoder.decode();
  } else {
    const ended = Buffer.concat([pending, Buffer.alloc(enoughBytes, '\n')]);
    const encoding = (begun ? undefined : encodingByMark(ended)) ?? encodingByLetter(ended);
    yield new TextDecoder(encoding).decode(pending);
  }
}

function encodingByMark(beginning: Uint8Array): string | undefined {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) {
    return 'utf-16le';
  }
  if (beginning[0] === 0xfe && beginning[1] === 0xff) {
    return 'utf-16be';
  }
  return undefined;
}

/** Decides by the first letter that is not ASCII; undefined until enough bytes of one are there. */
function encodingByLetter(bytes: Uint8Array): string | undefined {
  const letter = lengthOfAscii(bytes);
  if (bytes.length - letter < enoughBytes) {
    return undefined;
  }
  try {
    // As a stream, so that a letter that is cut off at the end is no error.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(letter, letter + enoughBytes), {
      stream: true,
    });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function lengthOfAscii(bytes: Uint8Array): number {
  return isAscii(bytes) ? bytes.length : bytes.findIndex((byte) => byte >= 0x80);
}
