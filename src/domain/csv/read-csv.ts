import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { isShortened } from '../phone/read-number.ts';
import { bytesOf, charactersIn, type FileBounds, fileBounds } from './file-bounds.ts';
import { decodedText, type FileBytes, maxPiece, minEmpty } from './file-text.ts';

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
  /** Defaults to the bounds for all files. */
  bounds?: FileBounds | undefined;
  /** Called between pieces of the file. For long work on a row, the reader of the rows has to yield itself. */
  giveWay?: YieldToEventLoop | undefined;
}

/** More than in any export of contacts. */
const maxColumns = 500;
/** Bytes per character in UTF-8, as the parser stores it. An emoji takes four bytes for two characters. */
const bytesInUtf8 = 3;
/** Lines that are examined to find the separator of cells. */
const sampleLines = 20;

/**
 * Streams CSV rows as real programs write them: with or without a byte order mark, in UTF-8, UTF-16 or
 * Windows-1252, separated by commas, semicolons, tabs or bars, quoted or not, with rows of any length.
 * Buffers one row at most. All uploaded files are read by this function. Throws a `CsvFault` if the file is
 * malformed or exceeds a limit on rows, columns or bytes.
 */
export async function* readCsv(source: FileBytes, options: CsvOptions = {}): AsyncGenerator<CsvRow> {
  const { maxRows = Number.POSITIVE_INFINITY, bounds = fileBounds, giveWay = createYield() } = options;
  const texts = decodedText(source);
  // Up to the longest row: enough to detect its kind and separator.
  const beginning: string[] = [];
  for (let length = 0; length <= charactersIn(bounds.row); ) {
    const { done, value } = await texts.next();
    if (done) {
      break;
    }
    beginning.push(value);
    length += value.length;
  }
  const parsing = startParsing(beginning.join(''), { maxRows, bounds });
  for await (const text of followedBy(beginning, texts)) {
    await giveWay();
    // A loop, because `yield*` in an async generator allocates far more per row.
    for (const row of await parsing.write(text)) {
      yield row;
    }
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
  source: FileBytes,
  { maxRows, giveWay = createYield() }: CsvOptions & { maxRows: number },
): Promise<void> {
  /** All line breaks, and those that end a row. */
  let [lines, ends] = [0, 0];
  /** The line where the unfinished row begins. */
  let begunOn = 1;
  let quoted = false;
  for await (const text of decodedText(source)) {
    await giveWay();
    for (const [index, piece] of text.split('"').entries()) {
      if (index > 0) {
        quoted = !quoted;
      }
      const feeds = lineFeedsIn(piece);
      if (!quoted && feeds > 0) {
        const last = maxRows + 1 - ends;
        if (feeds > last) {
          throw tooManyRows(maxRows, last === 0 ? begunOn : lines + last + 1);
        }
        ends += feeds;
        begunOn = lines + feeds + 1;
      }
      lines += feeds;
    }
  }
}

/**
 * Called with the line number and texts of an entry that is kept. Throws a `CsvFault` if that exceeds the
 * bounds.
 */
export type Keep = (line: number, texts: readonly string[]) => void;

/** Overhead of an entry in a list of rows. */
const bytesOfEntry = 100;

/** Returns a function that adds up the bytes kept while a whole file is read. */
export function createKeep({ kept: most }: FileBounds): Keep {
  let kept = 0;
  return (line, texts) => {
    kept += bytesOf(texts) + bytesOfEntry;
    if (kept > most) {
      throw new CsvFault(`The file is too large: it exceeds the limit at line ${line}. Split the file.`);
    }
  };
}

/** Returns a parser for a file with this beginning. Each step resolves to the rows that it completes. */
function startParsing(beginning: string, { maxRows, bounds }: { maxRows: number; bounds: FileBounds }) {
  if (['PK\u0003\u0004', '\u00D0\u00CF\u0011\u00E0'].some((signature) => beginning.startsWith(signature))) {
    throw new CsvFault('This is a spreadsheet, not CSV. Save it as CSV and upload that file.');
  }
  const nul = beginning.startsWith('%PDF') ? 0 : beginning.indexOf('\0');
  if (nul >= 0) {
    // UTF-16 has many single empty bytes.
    const single = beginning.match(/(?<!\0)\0(?!\0)/g)?.length ?? 0;
    throw single >= minEmpty && single * 8 > beginning.length
      ? new CsvFault('This file seems to be UTF-16 text. Save the list as CSV in UTF-8 and upload that file.')
      : notText(lineFeedsIn(beginning.slice(0, nul)) + 1);
  }
  const { separator, announced, wrapped } = dialectOf(beginning);
  let complete: CsvRow[] = [];
  let records = 0;
  /** Lines up to the end of the last record, and how many of those were empty. */
  let lines = 0;
  let emptyLines = 0;
  /** Bytes parsed since the end of the last record or empty line, or of the chunk it ended in. */
  let unfinished = 0;
  const maxUnfinished = charactersIn(bounds.row) * bytesInUtf8 + maxPiece;
  const parser = parse({
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    // `on_record` still counts them.
    skip_empty_lines: true,
    on_record(found, context) {
      const cells = withoutExcess(wrapped === undefined ? found : unwrapped(found, wrapped));
      records += 1;
      // Each row counts as the first one: for a row of another length than the first, the parser creates an error with a
      // stack, which takes many times longer than the row itself.
      Object.assign(parser.info, { records: 0 });
      lines = context.lines;
      emptyLines = context.empty_lines;
      const line = lines - cells.reduce((count, cell) => count + lineFeedsIn(cell), 0);
      const excess = records + emptyLines - (maxRows + 1);
      if (excess > 0) {
        // The extra rows before this one are empty lines.
        throw tooManyRows(maxRows, line - excess + 1);
      }
      refuseExcess(cells, line, bounds);
      const isData = cells.some((cell) => cell !== '') && !(announced && line === 1);
      if (isData) {
        complete.push({ line, cells });
      }
      return undefined;
    },
  });
  const ended = () => records + parser.info.empty_lines;
  const nextLine = () => lines + 1 + parser.info.empty_lines - emptyLines;
  const step = (go: (done: (error?: Error | null) => void) => void) =>
    new Promise<CsvRow[]>((resolve, reject) => {
      go((error) => {
        if (error) {
          reject(error instanceof CsvError ? unreadableFrom(nextLine(), bounds) : error);
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
      const bytes = Buffer.from(text);
      const before = ended();
      const rows = await step((done) => parser.write(bytes, done));
      unfinished = ended() > before ? 0 : unfinished + bytes.length;
      if (unfinished > maxUnfinished) {
        throw unreadableFrom(nextLine(), bounds);
      }
      const excess = ended() - (maxRows + 1);
      if (excess > 0) {
        throw tooManyRows(maxRows, nextLine() - excess);
      }
      return rows;
    },
    end: () => step((done) => parser.end(done)),
  };
}

function lineFeedsIn(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}

/** Spreadsheets write empty columns beyond the data, and show none of them. */
function withoutExcess(cells: string[]): string[] {
  return cells.length <= maxColumns ? cells : cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}

/** Divides a line that is one quoted cell. */
function unwrapped(cells: string[], delimiter: string): string[] {
  const [line = '', ...others] = cells;
  if (!line.includes(delimiter) || others.some((cell) => cell !== '')) {
    return cells;
  }
  const [row = cells] = parseAtOnce(line, { delimiter, relax_quotes: true, trim: true });
  return row;
}

function refuseExcess(cells: readonly string[], line: number, bounds: FileBounds): void {
  if (cells.length > maxColumns) {
    throw new CsvFault(
      `Line ${line} has more than ${maxColumns} columns. Remove the columns you don’t need.`,
    );
  }
  const [maxCell, maxRow] = [charactersIn(bounds.cell), charactersIn(bounds.row)];
  if (cells.some((cell) => cell.length > maxCell)) {
    const most = maxCell.toLocaleString('en');
    throw new CsvFault(
      `Line ${line} has a cell of more than ${most} characters. Shorten the cell, or remove its column.`,
    );
  }
  if (cells.reduce((sum, cell) => sum + cell.length, 0) > maxRow) {
    const most = maxRow.toLocaleString('en');
    throw new CsvFault(`Line ${line} has more than ${most} characters. Remove the columns you don’t need.`);
  }
  if (cells.some((cell) => cell.includes('\0'))) {
    throw notText(line);
  }
}

/** Returns the fault of a file with more rows, or values in them, than a form can take. */
export function overLimit(most: number, of: string, line: number): CsvFault {
  return new CsvFault(
    `The file has more than ${most.toLocaleString('en')} ${of}: line ${line} exceeds the limit. Split the file.`,
  );
}

function tooManyRows(maxRows: number, line: number): CsvFault {
  return overLimit(maxRows, 'rows, empty rows included', line);
}

function unreadableFrom(line: number, { row }: FileBounds): CsvFault {
  const most = charactersIn(row).toLocaleString('en');
  return new CsvFault(
    `The file can’t be read from line ${line} on: a quotation mark may not be closed, or the line has more than ${most} characters.`,
  );
}

async function* followedBy(
  beginning: readonly string[],
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  yield* beginning;
  yield* rest;
}

function notText(line: number): CsvFault {
  return new CsvFault(
    `This is not a text file: see line ${line}. Save the list as CSV and upload that file.`,
  );
}

const separators = [',', ';', '\t', '|'];

/** How a file is written. `wrapped`: what separates the cells in lines that are one quoted cell each. */
interface Dialect {
  separator: string;
  announced: boolean;
  wrapped?: string | undefined;
}

/** A line in quotation marks, which are doubled inside. A spreadsheet may add empty cells. */
const wrappedLine = /^"((?:[^"]|"")*)"([,;\t|]?)[,;\t|]*$/;

/**
 * Detects how a file is written. A spreadsheet may announce the separator in a first line `sep=;`, which is not data, and
 * writes each line as one quoted cell where it separates by another character than the file.
 */
function dialectOf(beginning: string): Dialect {
  const [line = '', announced] = /^"?sep=([,;\t|])"?[,;|\s]*?\n/i.exec(beginning) ?? [];
  const text = beginning.slice(line.length);
  const lines = text
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .slice(0, sampleLines);
  const matches = lines.map((each) => wrappedLine.exec(each));
  // The titles may be written without quotation marks.
  const isBare = matches[0] === null && lines[0]?.includes('"') !== true;
  const isWrapped =
    lines.length >= (isBare ? 3 : 2) &&
    matches.every((match, index) => match !== null || (isBare && index === 0));
  const rows = matches.map((match, index) => match?.[1]?.replaceAll('""', '"') ?? lines[index] ?? '');
  const inner = isWrapped ? (announced ?? separatorOf(rows.join('\n'))) : undefined;
  const isRow = (row: string) => row.split(inner ?? '').filter((cell) => cell.trim() !== '').length > 1;
  const wrapped = rows.every((row) => isRow(row) && !isShortened(row)) ? inner : undefined;
  const outer = wrapped && (matches.at(-1)?.[2] || wrapped);
  const separator = announced ?? outer ?? separatorOf(text) ?? ',';
  return { separator, announced: announced !== undefined, wrapped };
}

/** Returns the separator that the first lines share; undefined if they share no separator. */
function separatorOf(text: string): string | undefined {
  const lines = text
    .replace(/"[^"]*"/g, '""')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines);
  const scores = separators.map((separator) => {
    const [first = 0, ...others] = lines.map((line) => line.split(separator).length - 1);
    return first === 0 ? 0 : 1 + others.filter((count) => count === first).length;
  });
  const best = Math.max(...scores);
  return best === 0 ? undefined : separators[scores.indexOf(best)];
}
