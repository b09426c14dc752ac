import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openNumberTable } from '../../../src/domain/csv/number-table.ts';
import type { CsvRow } from '../../../src/domain/csv/read-csv.ts';
import { readNumberRows } from '../../../src/domain/csv/recipient-rows.ts';
import { streamed } from '../../support/csv-rows.ts';

const table = (...rows: string[][]) => rows.map((cells, index) => ({ line: index + 1, cells }));

async function readingOf(...rows: string[][]) {
  const opened = await openNumberTable(streamed(table(...rows)), { country: 'NG' });
  assert.ok(opened.ok, opened.ok ? '' : opened.reason);
  return opened.table.reading;
}

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
    assert.deepEqual(await readingOf(...rows), { titleLine: undefined, column: 2 });
    assert.deepEqual(await readingOf(['Name', 'Age', 'Kontakt'], ...rows), { titleLine: 1, column: 2 });
  });

  it('is found further down if its first thousand rows are empty, and the rows are then read from the start', async () => {
    const rows = table(
      ['Name', 'Phone', 'Mobile'],
      ...Array.from({ length: 1_200 }, () => ['Ada', '0201 454 0001', '']),
      ...Array.from({ length: 300 }, () => ['Ben', '', '08031234567']),
    );
    let opened = 0;
    const reopen = () => {
      opened += 1;
      return streamed(rows);
    };
    const found = await openNumberTable(reopen(), { country: 'NG', reopen });
    assert.ok(found.ok);
    assert.deepEqual(found.table.reading, { titleLine: 1, column: 2 });
    const lines = await Array.fromAsync(found.table.rows, ({ line }) => line);
    assert.deepEqual(
      lines,
      rows.slice(1).map(({ line }) => line),
    );
    assert.equal(opened, 2);
  });

  it('is chosen by its title if other columns hold numbers too', async () => {
    const { column } = await readingOf(
      ['Account number', 'Next of kin', 'Mobile phone'],
      ['08031234567', '08051234567', '08021234567'],
      ['08031234568', '08051234568', '08021234568'],
    );
    assert.equal(column, 2);
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

  it('are rejected with their line where they stand in the titles', async () => {
    const read = await readOf(['Phone 08050000090', 'Name'], ['08050000010', 'Ada'], ['08050000020', 'Bola']);
    assert.deepEqual(read.rejected, [
      { line: 1, text: 'Phone 08050000090', reason: 'is in or above the header row' },
    ]);
    assert.equal(read.numbers.length, 2);
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
