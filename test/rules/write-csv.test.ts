import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCsvFile } from '../../src/rules/read-csv.ts';
import { writeCsv } from '../../src/rules/write-csv.ts';

const columns = [
  { title: 'Phone number', cell: (row: string[]) => row[0] ?? '', phoneNumbers: true },
  { title: 'Note', cell: (row: string[]) => row[1] ?? '' },
];

describe('writing CSV', () => {
  it('lets a spreadsheet run nothing: what begins as a formula gets an apostrophe', () => {
    const [, ...lines] = writeCsv(
      columns,
      ['=1+1', '+1', '-1', '@A1', '\tx', '\rx'].map((note) => ['', note]),
    );
    for (const line of lines) assert.match(line, /^,"?'/);
  });

  it('leaves phone numbers as they are, and nothing else in their column', () => {
    const [, ...lines] = writeCsv(columns, [['+2348031234567'], ['+234803•••4567'], ['+cmd|x']]);
    assert.deepEqual(lines, ['+2348031234567,\r\n', '+234803•••4567,\r\n', `"'+cmd|x",\r\n`]);
  });

  it('begins with a byte order mark and the titles', () => {
    assert.deepEqual([...writeCsv(columns, [])], ['\uFEFFPhone number,Note\r\n']);
  });

  it('is read back as it was written, but for the apostrophes', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\n', '=', '+', '\t', '|', 'ש', '😀'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(cell.map((text) => text.trim())), async (notes) => {
        const written = [
          ...writeCsv(
            columns,
            notes.map((note) => ['x', note]),
          ),
        ].join('');
        const file = await readCsvFile(new TextEncoder().encode(written));
        const rows = file.ok ? file.rows : [];
        assert.deepEqual(
          rows.slice(1).map(({ cells }) => cells[1]),
          notes.map((note) => (/^[=+]/.test(note) ? `'${note}` : note)),
        );
      }),
    );
  });
});
