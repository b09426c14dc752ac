import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContactRows } from '../../../src/domain/csv/contact-rows.ts';
import { readCsv } from '../../../src/domain/csv/read-csv.ts';
import { streamed } from '../../support/csv-rows.ts';

const rowsOf = (...rows: string[][]) => streamed(rows.map((cells, index) => ({ line: index + 1, cells })));

describe('reading contacts from a table', () => {
  it('returns the numbers of one column in one format, with the other titled columns', async () => {
    const read = await readContactRows(
      rowsOf(
        ['Name', 'Mobile', '', 'Town'],
        ['Ada', '0803 111 0001', 'x', 'Lagos'],
        ['Ben', '+2348031110002'],
      ),
      'NG',
    );
    assert.ok(read.ok);
    const { review, ...table } = read.table;
    assert.deepEqual(review.reading, { titleLine: 1, column: 1 });
    assert.deepEqual(table, {
      numberTitle: 'Mobile',
      titles: ['Name', 'Town'],
      contacts: [
        { number: '+2348031110001', details: ['Ada', 'Lagos'] },
        { number: '+2348031110002', details: ['Ben', ''] },
      ],
      rejected: [],
      duplicates: 0,
    });
  });

  it('cannot be read from an empty file, or one that is malformed further down', async () => {
    const read = (text: string) => readContactRows(readCsv([Buffer.from(text)]), 'NG');
    for (const empty of ['', '\n\n , \n']) {
      assert.deepEqual(await read(empty), { ok: false, reason: 'The file is empty.' });
    }
    const rows = '08031110001\n'.repeat(1_000);
    assert.match(
      JSON.stringify(await read(`${rows}${'x'.repeat(2_001)}\n`)),
      /"ok":false.*Line 1001 has a cell/,
    );
  });

  it('rejects a row without a number or with one of another country, with line and reason', async () => {
    const read = await readContactRows(
      rowsOf(
        ['Phone', 'Name'],
        ['08031110001', 'Ada'],
        ['', 'Ben'],
        ['0803', 'Cy'],
        ['+447400123456', 'Dee'],
      ),
      'NG',
    );
    assert.ok(read.ok);
    assert.deepEqual(
      read.table.rejected.map(({ line, reason }) => [line, reason]),
      [
        [3, 'has no number'],
        [4, 'is too short for a number in Nigeria'],
        [5, 'is a number of United Kingdom: a file can only have numbers of one country'],
      ],
    );
  });

  it('takes the country code of a number from a column of its own', async () => {
    const read = await readContactRows(
      rowsOf(['Phone', 'Dial code'], ['8031110001', '234'], ['7400123456', '44'], ['8031110002', '234']),
      'NG',
    );
    assert.ok(read.ok);
    assert.deepEqual(
      [read.table.contacts.length, read.table.rejected],
      [
        2,
        [
          {
            line: 3,
            text: '+447400123456',
            reason: 'is a number of United Kingdom: a file can only have numbers of one country',
          },
        ],
      ],
    );
  });

  it('accepts two countries that share a calling code', async () => {
    const read = await readContactRows(rowsOf(['+12025550123'], ['+14165550123']), 'US');
    assert.ok(read.ok);
    assert.equal(read.table.contacts.length, 2);
  });
});
