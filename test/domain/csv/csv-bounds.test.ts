import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContactRows } from '../../../src/domain/csv/contact-rows.ts';
import { findNumberColumn } from '../../../src/domain/csv/number-table.ts';
import { CsvFault, readCsv, refuseTooManyRows } from '../../../src/domain/csv/read-csv.ts';
import { openRecipients, readNumberRows } from '../../../src/domain/csv/recipient-rows.ts';
import { readCsvFile, streamed } from '../../support/csv-rows.ts';

const bytes = (text: string) => Buffer.from(text);
const file = (text: string) => readCsvFile(bytes(text));
const times = <T>(count: number, made: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => made(index));

async function reasonOf(text: string): Promise<string> {
  const read = await file(text);
  return read.ok ? '' : read.reason;
}

describe('the limits of a CSV file', () => {
  it('accept a file that just meets them, and name the line that exceeds them', async () => {
    assert.ok((await file(`a,b\n\n1,${'x'.repeat(2000)}\n`)).ok);
    assert.match(await reasonOf(`a,b\n\n1,${'x'.repeat(2001)}\n`), /^Line 3 has a cell of more than 2,000/);
    assert.match(await reasonOf(`a,b\n"x\n\n${'y'.repeat(2000)}",2\n`), /^Line 2 has a cell/);
    assert.ok((await file(`${times(500, String).join(',')}\n`)).ok);
    assert.match(
      await reasonOf(`a,b\n${times(501, String).join(',')}\n`),
      /^Line 2 has more than 500 columns/,
    );
    assert.ok((await file(`${times(490, () => 'x'.repeat(200)).join(',')}\n`)).ok);
    assert.match(await reasonOf(`a\n${times(490, () => 'x'.repeat(250)).join(',')}\n`), /from line 2 on/);
  });

  it('apply to a row before its end is read', async () => {
    for (const endless of [',', ' ', '"', '""', '" ', 'x,"']) {
      let taken = 0;
      function* source() {
        yield bytes('Phone,Name\n08031234567,"Ada"\n');
        for (; taken < 5_000; taken += 1) {
          yield bytes(endless.repeat(10_000));
        }
      }
      await assert.rejects(async () => {
        for await (const row of readCsv(source())) {
          assert.ok(row.line <= 2);
        }
      }, CsvFault);
      assert.ok(taken <= 25, `${taken} pieces of ${JSON.stringify(endless)}`);
    }
  });

  it('apply to the number of rows, empty ones included', async () => {
    const maxRows = 1000;
    const refusal = 'The file has more than 1,000 rows, empty rows included. Split the file.';
    for (const row of ['\n', '\r\n', '\r', ',,\n', '0803,Ada\n', '"0803\n12","Ada"\n']) {
      const read = (count: number) => readCsvFile(bytes(`a,b\n${row.repeat(count)}`), { maxRows });
      assert.ok((await read(maxRows)).ok, row);
      // The parser holds back the last few characters, so it passes over a few more empty lines.
      const tooMany = maxRows + (row.trim() === '' ? 100 : 1);
      assert.deepEqual(await read(tooMany), { ok: false, reason: refusal }, row);
    }
  });

  it('are checked as fast for rows of other lengths than the first', async () => {
    const rows = (row: string) => bytes(`Phone,Name\n${row.repeat(20_000)}`);
    async function timeOf(content: Uint8Array): Promise<number> {
      const begin = process.cpuUsage();
      for await (const row of readCsv([content])) {
        assert.ok(row);
      }
      const { user, system } = process.cpuUsage(begin);
      return user + system;
    }
    const [alike, empty, longer] = [rows('x,y\n'), rows('\n'), rows('x,y,z\n')];
    // Other work in the process only adds time, so the minimum is the most accurate.
    const leastOf = async (content: Uint8Array) =>
      Math.min(await timeOf(content), await timeOf(content), await timeOf(content));
    const least = await leastOf(alike);
    for (const content of [empty, longer]) {
      assert.ok((await leastOf(content)) < 4 * least);
    }
  });

  it('apply to the number of rows before any row is parsed', async () => {
    const maxRows = 1000;
    for (const row of ['\n', '\r\n', '0803,Ada\n', '"0803\n12","Ada ""A"""\n']) {
      const count = (rows: number) => refuseTooManyRows([bytes(`a,b\n${row.repeat(rows)}`)], { maxRows });
      await count(maxRows);
      await assert.rejects(count(maxRows + 1), CsvFault);
    }
  });

  it('reject a cell that is too long for a number, whatever it contains', async () => {
    const long = '0803 123 4567 '.repeat(20).trim();
    const rows = times(3, (index) => ({ line: index + 2, cells: [`0803123456${index}`, 'Ada'] }));
    const bad = { line: 9, cells: [long, 'Ben'] };
    const opened = await openRecipients(
      (async function* () {
        yield* [...rows, bad];
      })(),
      { country: 'NG' },
    );
    assert.ok(opened.ok);
    const recipients = await Array.fromAsync(opened.table.rows);
    assert.deepEqual(recipients.at(-1), {
      kind: 'invalid',
      line: 9,
      text: `${long.slice(0, 99)}…`,
      reason: 'is too long for one number: if these are several, put each on its own line',
      problem: 'too_long',
      cells: bad.cells,
    });
    const all = [...rows, bad];
    const numbers = await readNumberRows(streamed(all), { country: 'NG', severalPerCell: true });
    const contacts = await readContactRows(streamed(all), 'NG');
    assert.ok(numbers.ok && contacts.ok);
    for (const rejected of [numbers.read.rejected, contacts.table.rejected]) {
      assert.deepEqual(
        rejected.map(({ line, text }) => [line, text.length]),
        [[9, 100]],
      );
    }
  });
});

describe('reading a file that is slow to parse', () => {
  /** The 100 characters that take longest to read as a number. */
  const evil = '0 '.repeat(50).trim();

  /** Counts the calls that let other work run. */
  function counted() {
    let turns = 0;
    const giveWay = () => {
      turns += 1;
      return undefined;
    };
    return { giveWay, turns: () => turns };
  }

  it('yields at every cell of the first rows, and at every row after them', async () => {
    const rows = times(3, (index) => ({ line: index + 1, cells: [evil, evil, '08031234567'] }));
    const column = counted();
    await findNumberColumn(rows, 'NG', column.giveWay);
    assert.ok(column.turns() >= 9);

    const numbers = counted();
    await readNumberRows(streamed(rows), { country: 'NG', giveWay: numbers.giveWay });
    assert.ok(numbers.turns() >= 9 + 3);

    const contacts = counted();
    await readContactRows(streamed(rows), 'NG', contacts.giveWay);
    assert.ok(contacts.turns() >= 9 + 3);

    const recipients = counted();
    const source = readCsv([bytes(`${evil},${evil},08031234567\n`.repeat(3))]);
    const opened = await openRecipients(source, { country: 'NG', giveWay: recipients.giveWay });
    assert.ok(opened.ok);
    for await (const row of opened.table.rows) {
      assert.ok(row);
    }
    assert.ok(recipients.turns() >= 9 + 3);
  });

  it('yields while all rows are empty, and while rows are counted', async () => {
    const source = [bytes('a\n'), bytes('\n'.repeat(100_000))];
    const reading = counted();
    for await (const row of readCsv(source, { giveWay: reading.giveWay })) {
      assert.ok(row);
    }
    assert.ok(reading.turns() >= 24);
    const counting = counted();
    await refuseTooManyRows(source, { maxRows: 1_000_000, giveWay: counting.giveWay });
    assert.ok(counting.turns() >= 24);
  });
});
