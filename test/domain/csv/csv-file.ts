import fc from 'fast-check';
import type { CsvRow } from '../../../src/domain/csv/read-csv.ts';

/** A file as some program may have written a table, in pieces as some network may have cut it. */
export interface CsvFile {
  pieces: Uint8Array[];
  /** What reading has to give. */
  rows: CsvRow[];
}

const encodings = ['UTF-8', 'UTF-8 with a mark', 'UTF-16 LE', 'UTF-16 BE', 'Windows-1252'] as const;
type Encoding = (typeof encodings)[number];

const plain = ['a', 'B', '7', ' ', '.', ',', ';', '\t', '|', '"', '\n', '\r\n', '\r', 'é', 'ü'];

/** Cells of a table for `csvFiles`: what programs have to quote, and letters that each encoding writes differently. */
export const cellText = fc
  .array(fc.constantFrom(...plain, '’', 'ọ', '😀'), { maxLength: 8 })
  .map((characters) => characters.join('').trim());

/** Files of the rows that are given; their first row has to be the longest. Empty rows become empty lines. */
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

/** Without what Windows-1252 cannot write, or what only looks like UTF-8 in it. */
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

/** Pieces of these lengths, over and over. */
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
