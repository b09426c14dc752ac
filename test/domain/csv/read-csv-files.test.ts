import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CsvRow, readCsv } from '../../../src/domain/csv/read-csv.ts';
import { rounds } from '../../support/sizes.ts';
import { cellText, csvFiles } from './csv-file.ts';

async function readPieces(pieces: Iterable<Uint8Array>): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of readCsv(pieces)) {
    rows.push(row);
  }
  return rows;
}

/** Rows as long as the first one or shorter. */
const tables = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc
    .tuple(
      fc.array(cellText, { minLength: width, maxLength: width }).map((cells) => ['a', ...cells.slice(1)]),
      fc.array(fc.array(cellText, { minLength: 1, maxLength: width }), { maxLength: 40 }),
    )
    .map(([first, others]) => [first, ...others]),
);

describe('a CSV file', () => {
  it('is read correctly in every encoding and dialect, wherever it is split', async () => {
    await fc.assert(
      fc.asyncProperty(csvFiles(tables), async ({ pieces, rows }) => {
        assert.deepEqual(await readPieces(pieces), rows);
      }),
      { numRuns: rounds(500) },
    );
  });
});
