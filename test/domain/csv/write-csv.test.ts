import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { restored, writeCsv } from '../../../src/domain/csv/write-csv.ts';
import { readCsvFile } from '../../support/csv-rows.ts';
import { rounds } from '../../support/sizes.ts';

const columns = [
  { title: 'Phone number', cell: (row: string[]) => row[0] ?? '', phoneNumbers: true },
  { title: 'Note', cell: (row: string[]) => row[1] ?? '' },
];

describe('writing CSV', () => {
  it('puts an apostrophe before whatever a spreadsheet would run as a formula', () => {
    const formulas = ['=1+1', '+1', '-1', '@A1', '\tx', '\rx', '\nx', '\n=1', ' =1', '\u00A0+1'];
    const fullWidth = ['＝1', '＋1', '－1', '＠A1', ' ＝1', '\uFEFF=1'];
    const [, ...lines] = writeCsv(
      columns,
      [...formulas, ...fullWidth].map((note) => ['', note]),
    );
    for (const line of lines) {
      assert.match(line, /^,"?'/, JSON.stringify(line));
    }
  });

  it('is read again as what it was, unless that began with an apostrophe before a formula', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('=', '+', '-', "'", ' ', 'a', '1') })
      .map((text) => text.trim());
    fc.assert(
      fc.property(cell, (note) => {
        const [, written = ''] = writeCsv([{ title: 'Note', cell: (text: string) => text }], [note]);
        const expected = restored(note);
        assert.ok(expected === note || note === `'${expected}`);
        assert.equal(restored(written.trimEnd()), written.startsWith("'") ? expected : note);
      }),
    );
    assert.equal(restored("'-Bola"), '-Bola');
    assert.equal(restored("'ola"), "'ola");
  });

  it('puts an apostrophe before every formula, and changes no other cell', () => {
    const unit = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＋',
      '－',
      '＠',
      '\t',
      '\r',
      '\n',
      ' ',
      '\u3000',
      'a',
      '1',
      '"',
      ',',
    );
    fc.assert(
      fc.property(fc.array(fc.string({ unit })), fc.boolean(), (notes, inNumbers) => {
        const [, ...lines] = writeCsv(
          columns,
          notes.map((note) => (inNumbers ? [note, 'x'] : ['x', note])),
        );
        const written = parse(lines.join(''), { record_delimiter: '\r\n' });
        notes.forEach((note, index) => {
          const cell = written[index]?.[inNumbers ? 0 : 1];
          const isFormula = /^[\t\r\n]/.test(note) || /^[=+\-@＝＋－＠]/.test(note.trim());
          const isNumber = inNumbers && /^\+1+$/.test(note);
          assert.equal(cell, isFormula && !isNumber ? `'${note}` : note);
        });
      }),
      { numRuns: rounds(300) },
    );
  });

  it('leaves phone numbers unchanged, and nothing else in their column', () => {
    const [, ...lines] = writeCsv(columns, [['+2348031234567'], ['+234803•••4567'], ['+cmd|x']]);
    assert.deepEqual(lines, ['+2348031234567,\r\n', '+234803•••4567,\r\n', `"'+cmd|x",\r\n`]);
  });

  it('begins with a byte order mark and the titles', () => {
    assert.deepEqual([...writeCsv(columns, [])], ['\uFEFFPhone number,Note\r\n']);
  });

  it('writes what is read back the same, except the apostrophes', async () => {
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
