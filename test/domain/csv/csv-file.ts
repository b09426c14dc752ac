import fc from 'fast-check';
import type { CsvRow } from '../../../src/domain/csv/read-csv.ts';

/** A table in a file as some program may write it, in chunks as a network may split it. */
export interface CsvFile {
  pieces: Uint8Array[];
  /** The rows that reading must return. */
  rows: CsvRow[];
}

const encodings = ['UTF-8', 'UTF-8 with a mark', 'UTF-16 LE', 'UTF-16 BE', 'Windows-1252'] as const;
type Encoding = (typeof encodings)[number];

const plain = ['a', 'B', '7', ' ', '.', ',', ';', '\t', '|', '"', '\n', '\r\n', '\r', 'é', 'ü'];

/** Generates cells for `csvFiles`: characters that programs quote, and letters whose encodings differ. */
export const cellText = fc
  .array(fc.constantFrom(...plain, '’', 'ọ', '😀'), { maxLength: 8 })
  .map((characters) => characters.join('').trim());

/** Generates files of the given rows, of which the first must be the longest. Empty rows become empty lines. */
export function csvFiles(tables: fc.Arbitrary<string[][]>): fc.Arbitrary<CsvFile> {
  return fc
    .record({
      table: tables,
      separator: fc.constantFrom(',', ';', '\t', '|'),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      endsWithLine: fc.boolean(),
      quotesAll: fc.boolean(),
      encoding: fc.constantFrom(...encodings),
      cuts: fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 200 })), {
        minLength: 1,
      }),
    })
    .map(({ table, separator, lineEnd, endsWithLine, quotesAll, encoding, cuts }) => {
      const written = encoding === 'Windows-1252' ? table.map((row) => row.map(withoutOthers)) : table;
      const quote = (cell: string) =>
        quotesAll || /[,;\t|"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
      const lines = written.map((row) => row.map(quote).join(separator));
      const text = lines.join(lineEnd) + (endsWithLine ? lineEnd : '');
      return { pieces: cut(encode(text, encoding), cuts), rows: rowsOf(written) };
    });
}

/** Replaces characters that Windows-1252 lacks, or that look like UTF-8 in it. */
function withoutOthers(cell: string): string {
  return cell.replace(/[’ọ😀]/gu, 'x');
}

function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'Windows-1252') {
    return Buffer.from(text, 'latin1');
  }
  if (encoding === 'UTF-8') {
    return Buffer.from(text);
  }
  const marked = `\uFEFF${text}`;
  if (encoding === 'UTF-8 with a mark') {
    return Buffer.from(marked);
  }
  const utf16 = Buffer.from(marked, 'utf16le');
  return encoding === 'UTF-16 LE' ? utf16 : utf16.swap16();
}

/** Cuts the content into pieces of these lengths, in rotation. */
function cut(content: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < content.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(content.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

function rowsOf(table: readonly string[][]): CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  for (const row of table) {
    const cells = row.map((cell) => cell.replace(/\r\n?/g, '\n'));
    if (cells.some((cell) => cell !== '')) {
      rows.push({ line, cells });
    }
    line += cells.join('').split('\n').length;
  }
  return rows;
}
