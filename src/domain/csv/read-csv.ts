import { CsvError, parse } from 'csv-parse';
import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { decodeText } from './decode-text.ts';

/** A row of a CSV file that is not empty. */
export interface CsvRow {
  /** The line it begins on, from 1: what an editor shows. */
  line: number;
  /** As many as the row has, without the spaces around them. */
  cells: string[];
}

/** Why a file cannot be read as CSV. The reason is a sentence to show beside the field that it was dropped in. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  readonly reason: string;

  constructor(reason: string) {
    super('not readable as CSV');
    this.reason = reason;
  }
}

export interface CsvOptions {
  /** Of rows below the first one, which may be titles; empty ones count. */
  maxRows?: number;
  /** Called between pieces of the file. What takes long with each row is for who reads them. */
  giveWay?: YieldToEventLoop;
}

type Source = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** In characters. More than fits into any message; a cell of a spreadsheet may have 32,767. */
const maxCell = 2000;
/** More than any export of contacts has. */
const maxColumns = 500;
/** In characters. A longer row mostly has a quotation mark that is not closed, rather than so much in it. */
const maxRow = 100_000;
/** Of bytes that are parsed at a stretch, which takes a millisecond at most. */
const maxPiece = 2048;
/** The most lines that are looked at to find what stands between cells. */
const consideredLines = 20;

/**
 * Reads CSV row by row as real programs write it: with or without a byte order mark, in UTF-8, UTF-16 or Windows-1252,
 * separated by commas, semicolons, tabs or bars, quoted or not. Rows may differ in length. Only what is being read is
 * held, so the source may be a stream of any size. Throws a `CsvFault`, also where it has more rows, a row more columns
 * or a cell more characters than may be.
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

/** Reads a whole file that is held already. */
export async function readCsvFile(
  content: Uint8Array,
  options: CsvOptions = {},
): Promise<{ ok: true; rows: CsvRow[] } | { ok: false; reason: string }> {
  try {
    const rows: CsvRow[] = [];
    for await (const row of readCsv([content], options)) {
      rows.push(row);
    }
    return rows.length === 0 ? { ok: false, reason: 'The file is empty.' } : { ok: true, rows };
  } catch (error) {
    if (error instanceof CsvFault) {
      return { ok: false, reason: error.reason };
    }
    throw error;
  }
}

/**
 * Throws a `CsvFault` where a file has too many rows. It only counts the ends of lines outside of quotation marks, many
 * times faster than rows are read: a list that is too long is refused before anything is done with its beginning.
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

/** A parser for what begins so; each step gives the rows that it completes. */
function startParsing(beginning: string, maxRows: number) {
  refuseOtherKinds(beginning);
  const { separator, announced } = separatorOf(beginning);
  let complete: CsvRow[] = [];
  let records = 0;
  /** To the end of the last record, and how many of them were empty. */
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
    // They are counted all the same.
    skip_empty_lines: true,
    on_record(cells, context) {
      records += 1;
      unfinished = 0;
      // So that each row counts as the first one: for one of another length than that the parser makes an error with its
      // stack, many times as slow as the row itself, though rows may differ in length.
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
  // Each step hears of its own error; the event needs a listener all the same.
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
      `Line ${line} has more than ${maxColumns} columns: leave out those that are not needed.`,
    );
  }
  if (cells.some((cell) => cell.length > maxCell)) {
    const most = maxCell.toLocaleString('en');
    throw new CsvFault(
      `Line ${line} has a cell of more than ${most} characters: shorten it, or leave its column out.`,
    );
  }
}

function tooManyRows(maxRows: number): CsvFault {
  return new CsvFault(
    `The file has more than ${maxRows.toLocaleString('en')} rows, empty ones included: divide it.`,
  );
}

function faultAt(line: number): CsvFault {
  const most = maxRow.toLocaleString('en');
  return new CsvFault(
    `The file cannot be read from line ${line} on: a quotation mark there may not be closed, or the line has more than ${most} characters.`,
  );
}

/** Cut into pieces of bytes rather than of text: no character ends between two of them. */
async function* piecesOf(source: Source): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at += maxPiece) {
      yield bytes.subarray(at, at + maxPiece);
    }
  }
}

/** The text of a file, its lines all ended alike. */
async function* textOf(source: Source): AsyncGenerator<string> {
  let held = '';
  for await (const decoded of decodeText(piecesOf(source))) {
    const text = held + decoded;
    // What follows tells whether this is the end of a line, or half of one.
    held = text.endsWith('\r') ? '\r' : '';
    yield withPlainLines(text.slice(0, text.length - held.length));
  }
  yield withPlainLines(held);
}

/** The first pieces of a text: as much as it is judged by. */
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
    throw new CsvFault(
      'This is a spreadsheet, not CSV. Save it as CSV in the spreadsheet and drop that file.',
    );
  }
  if (beginning.startsWith('%PDF') || beginning.includes('\0')) {
    throw new CsvFault('This is not a text file. Save the list as CSV and drop that file.');
  }
}

const separators = [',', ';', '\t', '|'];

/** What stands between cells. A spreadsheet may announce it, in a first line `sep=;` that is not data. */
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
    .slice(0, consideredLines);
  const scores = separators.map((separator) => {
    const [first = 0, ...others] = lines.map((line) => line.split(separator).length - 1);
    return first === 0 ? 0 : 1 + others.filter((count) => count === first).length;
  });
  const best = Math.max(...scores);
  return { separator: separators[best === 0 ? 0 : scores.indexOf(best)] ?? ',', announced: false };
}
