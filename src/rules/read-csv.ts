import { CsvError, parse } from 'csv-parse';
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

/** A longer row than this has a quotation mark that is not closed, rather than so much in it. */
const longestRow = 100_000;
/** So many tell what stands between cells. */
const consideredLines = 20;

/**
 * Reads CSV row by row as real programs write it: with or without a byte order mark, in UTF-8, UTF-16 or Windows-1252,
 * separated by commas, semicolons, tabs or bars, quoted or not. Rows may differ in length. Only what is being read is
 * held, so the source may be a stream of any size. Throws a `CsvFault`.
 */
export async function* readCsv(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<CsvRow> {
  let parsing: { write(text: string): Promise<CsvRow[]>; end(): Promise<CsvRow[]> } | undefined;
  for await (const text of longEnough(textOf(source))) {
    parsing ??= startParsing(text);
    for (const row of await parsing.write(text)) yield row;
  }
  for (const row of (await parsing?.end()) ?? []) yield row;
}

/** A parser for what begins so; each step gives the rows that it completes. */
function startParsing(beginning: string) {
  refuseOtherKinds(beginning);
  const { separator, announced } = separatorOf(beginning);
  let complete: CsvRow[] = [];
  let lines = 0;
  const parser = parse({
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    max_record_size: longestRow,
    on_record(cells, context) {
      const breaks = cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
      const line = context.lines - breaks;
      lines = context.lines;
      const isData = cells.some((cell) => cell !== '') && !(announced && line === 1);
      if (isData) complete.push({ line, cells });
      return undefined;
    },
  });
  const step = (go: (done: (error?: Error | null) => void) => void) =>
    new Promise<CsvRow[]>((resolve, reject) => {
      go((error) => {
        if (error) {
          reject(error instanceof CsvError ? faultAt(lines + 1) : error);
          return;
        }
        resolve(complete);
        complete = [];
      });
    });
  // Each step hears of its own error; the event needs a listener all the same.
  parser.on('error', () => {});
  return {
    write: (text: string) => step((done) => parser.write(text, done)),
    end: () => step((done) => parser.end(done)),
  };
}

/** Reads a whole file that is held already. */
export async function readCsvFile(
  content: Uint8Array,
): Promise<{ ok: true; rows: CsvRow[] } | { ok: false; reason: string }> {
  try {
    const rows: CsvRow[] = [];
    for await (const row of readCsv([content])) rows.push(row);
    return rows.length === 0 ? { ok: false, reason: 'The file is empty.' } : { ok: true, rows };
  } catch (error) {
    if (error instanceof CsvFault) return { ok: false, reason: error.reason };
    throw error;
  }
}

function faultAt(line: number): CsvFault {
  return new CsvFault(
    `The file cannot be read from line ${line} on: a quotation mark there may not be closed.`,
  );
}

/** The text of a file, its lines all ended alike. */
async function* textOf(source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held = '';
  for await (const decoded of decodeText(source)) {
    const text = held + decoded;
    // What follows tells whether this is the end of a line, or half of one.
    held = text.endsWith('\r') ? '\r' : '';
    yield withPlainLines(text.slice(0, text.length - held.length));
  }
  yield withPlainLines(held);
}

/** The same text, the first piece of it long enough to be judged by. */
async function* longEnough(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let beginning = '';
  let judged = false;
  for await (const text of texts) {
    beginning = judged ? text : beginning + text;
    judged ||= beginning.length > longestRow || countLines(beginning) >= consideredLines;
    if (judged) yield beginning;
  }
  if (!judged) yield beginning;
}

/** The lines that are whole and not empty, outside of quotation marks. */
function countLines(beginning: string): number {
  const lines = beginning.replace(/"[^"]*(?:"|$)/g, '""').split('\n');
  return lines.slice(0, -1).filter((line) => line.trim() !== '').length;
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
  if (announced !== undefined) return { separator: announced, announced: true };
  const lines = beginning
    .slice(0, longestRow)
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
