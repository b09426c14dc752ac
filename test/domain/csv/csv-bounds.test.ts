import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContactRows } from '../../../src/domain/csv/contact-rows.ts';
import { findNumberColumn } from '../../../src/domain/csv/number-column.ts';
import { readNumberRows } from '../../../src/domain/csv/number-rows.ts';
import { CsvFault, readCsv, refuseTooManyRows } from '../../../src/domain/csv/read-csv.ts';
import { openRecipients } from '../../../src/domain/csv/recipient-rows.ts';
import { readCsvFile, streamed } from '../../support/csv-rows.ts';

const bytes = (text: string) => Buffer.from(text);
const file = (text: string) => readCsvFile(bytes(text));
const times = <T>(count: number, made: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => made(index));

async function reasonOf(text: string): Promise<string> {
  const read = await file(text);
  return read.ok ? '' : read.reason;
}

describe('the bounds of a CSV file', () => {
  it('take what is at them, and refuse by line what is beyond', async () => {
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

  it('hold for a row that does not end before all of it is there', async () => {
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

  it('hold for rows, empty ones too', async () => {
    const maxRows = 1000;
    const refusal = 'The file has more than 1,000 rows, empty ones included: divide it.';
    for (const row of ['\n', '\r\n', '\r', ',,\n', '0803,Ada\n', '"0803\n12","Ada"\n']) {
      const read = (count: number) => readCsvFile(bytes(`a,b\n${row.repeat(count)}`), { maxRows });
      assert.ok((await read(maxRows)).ok, row);
      // The parser holds the last few characters back, so that a few empty lines more are passed over.
      const tooMany = maxRows + (row.trim() === '' ? 100 : 1);
      assert.deepEqual(await read(tooMany), { ok: false, reason: refusal }, row);
    }
  });

  it('are met as fast by rows of other lengths than the first as by its like', async () => {
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
    // What else happens in the process only adds to a time: the least of some is nearest to the truth.
    const leastOf = async (content: Uint8Array) =>
      Math.min(await timeOf(content), await timeOf(content), await timeOf(content));
    const least = await leastOf(alike);
    for (const content of [empty, longer]) {
      assert.ok((await leastOf(content)) < 4 * least);
    }
  });

  it('hold for rows before any of them is read', async () => {
    const maxRows = 1000;
    for (const row of ['\n', '\r\n', '0803,Ada\n', '"0803\n12","Ada ""A"""\n']) {
      const count = (rows: number) => refuseTooManyRows([bytes(`a,b\n${row.repeat(rows)}`)], { maxRows });
      await count(maxRows);
      await assert.rejects(count(maxRows + 1), CsvFault);
    }
  });

  it('leave a cell that is too long for a number out, whatever is in it', async () => {
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

describe('reading a file that takes long', () => {
  /** What takes longest of 100 characters. */
  const evil = '0 '.repeat(50).trim();

  /** Counts how often others could run, by a clock on which each look takes a millisecond. */
  function counted() {
    let turns = 0;
    const giveWay = () => {
      turns += 1;
      return undefined;
    };
    return { giveWay, turns: () => turns };
  }

  it('gives way to others with every cell of its first rows, and with every row after', async () => {
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

  it('gives way to others while nothing but empty rows come, and while rows are counted', async () => {
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
