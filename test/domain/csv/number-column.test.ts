import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findNumberColumn } from '../../../src/domain/csv/number-table.ts';
import type { CsvRow } from '../../../src/domain/csv/read-csv.ts';
import { readNumberRows } from '../../../src/domain/csv/recipient-rows.ts';
import { streamed } from '../../support/csv-rows.ts';

const table = (...rows: string[][]) => rows.map((cells, index) => ({ line: index + 1, cells }));

const readAll = (rows: readonly CsvRow[]) =>
  readNumberRows(streamed(rows), { country: 'NG', severalPerCell: true });

async function readOf(...rows: string[][]) {
  const result = await readAll(table(...rows));
  assert.ok(result.ok, result.ok ? '' : result.reason);
  return result.read;
}

describe('the column of phone numbers', () => {
  it('is the one that holds them, with or without a row of titles', async () => {
    const rows = [
      ['Ada', '12', '0803 123 4567'],
      ['Ben', '13', '0805 123 4567'],
    ];
    assert.deepEqual(await findNumberColumn(table(...rows), 'NG'), { index: 2, header: undefined });
    const titles = ['Name', 'Age', 'Kontakt'];
    assert.deepEqual(await findNumberColumn(table(titles, ...rows), 'NG'), {
      index: 2,
      header: { line: 1, cells: titles },
    });
  });

  it('is chosen by its title if other columns hold numbers too', async () => {
    const rows = table(
      ['Account number', 'Next of kin', 'Mobile phone'],
      ['08031234567', '08051234567', '08021234567'],
      ['08031234568', '08051234568', '08021234568'],
    );
    assert.equal((await findNumberColumn(rows, 'NG'))?.index, 2);
  });
});

describe('the numbers of a file', () => {
  it('are read once each, in any spelling, from the named column', async () => {
    const read = await readOf(
      ['Name', 'Phone'],
      ['Ada', '0803 123 4567'],
      ['Ben', "'+2348051234567"],
      ['Ada again', '2348031234567'],
    );
    assert.deepEqual(read, {
      numbers: ['+2348031234567', '+2348051234567'],
      rejected: [],
      duplicates: 1,
      column: 'Phone',
    });
  });

  it('are rejected with line and reason: too short, ruined by a spreadsheet, empty', async () => {
    const { numbers, rejected } = await readOf(
      ['Phone', 'Name'],
      ['0803 123 4567'],
      ['080312'],
      ['8.03E+09'],
      ['', 'Ada'],
    );
    assert.equal(numbers.length, 1);
    assert.deepEqual(
      rejected.map(({ line, text }) => [line, text]),
      [
        [3, '080312'],
        [4, '8.03E+09'],
        [5, ''],
      ],
    );
    assert.match(rejected[1]?.reason ?? '', /Excel/);
    assert.equal(rejected[2]?.reason, 'has no number');
  });

  it('are rejected in the first row too: an invalid one is not taken for a title', async () => {
    assert.deepEqual(
      (await readOf(['080312'], ['08031234567'])).rejected.map(({ line }) => line),
      [1],
    );
  });

  it('are all read from a list without columns', async () => {
    const { numbers } = await readOf(['08031234567', '08051234567', ''], ['08021234567']);
    assert.deepEqual(numbers, ['+2348031234567', '+2348051234567', '+2348021234567']);
  });

  it('may be two in a cell', async () => {
    const { numbers } = await readOf(['Phone'], ['0803 123 4567 / 0805 123 4567']);
    assert.equal(numbers.length, 2);
  });

  it('are counted as duplicates within a cell too, of a column or of a list', async () => {
    const twice = '0803 123 4567 / 08031234567';
    assert.equal((await readOf(['Phone'], [twice])).duplicates, 1);
    assert.equal((await readOf([twice], ['08051234567'])).duplicates, 1);
  });
});
