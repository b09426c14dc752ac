import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContactRows } from '../../../src/domain/csv/contact-rows.ts';
import { fileBounds } from '../../../src/domain/csv/file-bounds.ts';
import { CsvFault, readCsv, refuseTooManyRows } from '../../../src/domain/csv/read-csv.ts';
import { openRecipients, readNumberRows } from '../../../src/domain/csv/recipient-rows.ts';
import { sampleOf } from '../../../src/domain/csv/table-reading.ts';
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
    assert.match(
      await reasonOf(`a\n${times(490, () => 'x'.repeat(250)).join(',')}\n`),
      /^Line 2 has more than 100,000 characters/,
    );
    assert.ok((await file(`a\n${times(500, () => 'x'.repeat(200)).join(',')}\n`)).ok);
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
      assert.ok(taken <= 35, `${taken} pieces of ${JSON.stringify(endless)}`);
    }
  });

  it('apply to line feeds in quotes, which end no row', async () => {
    const bounds = { ...fileBounds, cell: 200, row: 2_000 };
    const read = (text: string) => readCsvFile(bytes(text), { bounds });
    const cell = `"${'\n'.repeat(100)}"`;
    assert.ok((await read(`a,b\n${cell},${cell}\n`)).ok);
    assert.deepEqual(await read(`a,b\n1,2\n${cell},"${'\n'.repeat(101)}"\n`), {
      ok: false,
      reason: 'Line 3 has a cell of more than 100 characters. Shorten the cell, or remove its column.',
    });
    assert.deepEqual(await read(`a,b\n1,2\n${times(11, () => cell).join(',')}\n`), {
      ok: false,
      reason: 'Line 3 has more than 1,000 characters. Remove the columns you don’t need.',
    });
    let taken = 0;
    function* endless() {
      yield bytes('a,b\n1,2\n3,"');
      for (; taken < 1_000; taken += 1) {
        yield bytes('\n'.repeat(1_000));
      }
    }
    await assert.rejects(
      async () => void (await Array.fromAsync(readCsv(endless(), { bounds }))),
      (error) =>
        error instanceof CsvFault && /from line 3 on.* more than 1,000 characters/.test(error.reason),
    );
    assert.ok(taken < 10, `${taken} thousand line feeds`);
  });

  it('refuse what is not text, with its line, however far down', async () => {
    for (const before of [0, 10_000]) {
      const text = `a,b\n${'1,"2\n3"\n'.repeat(before)}4,\0\n`;
      assert.match(
        await reasonOf(text),
        new RegExp(`^This is not a text file: see line ${before * 2 + 2}\\.`),
      );
    }
  });

  it('apply to all that is kept of a file which is read to its end', async () => {
    const bounds = { ...fileBounds, kept: 10_000 };
    const contacts = (row: string) =>
      readContactRows(readCsv([bytes(`Phone,${times(20, () => 'Note').join(',')}\n${row}`)]), 'NG', {
        bounds,
      });
    const numbers = (rows: string) =>
      readNumberRows(readCsv([bytes(`Phone\n0803 123 4567\n${rows}`)]), {
        country: 'NG',
        severalPerCell: true,
        bounds,
      });
    const junk = '1\n'.repeat(200);
    const people = times(100, (index) => `080312345${String(index).padStart(2, '0')}\n`).join('');
    for (const read of [
      contacts(people),
      contacts(`0803 123 4567\n${junk}`),
      numbers(junk),
      numbers(people),
    ]) {
      const result = await read;
      assert.match(
        result.ok ? '' : result.reason,
        /^The file is too large: it exceeds the limit at line \d+\. Split the file\.$/,
      );
    }
    assert.ok((await contacts('08031234567,a\n08031234568,b\n')).ok);
    assert.ok((await numbers('08031234567\n08031234568\n')).ok);
  });

  it('apply to the numbers and contacts of a file, of which each counts once', async () => {
    const rows = ['Phone', '08031234560', '0803 123 4560', '08031234561', 'Ada'];
    const source = (...more: string[]) => readCsv([bytes([...rows, ...more].join('\n'))]);
    const numbers = (...more: string[]) => readNumberRows(source(...more), { country: 'NG', maxNumbers: 2 });
    const contacts = (...more: string[]) => readContactRows(source(...more), 'NG', { maxContacts: 2 });
    assert.ok((await numbers()).ok && (await contacts()).ok);
    const refusal = (of: string) => ({
      ok: false,
      reason: `The file has more than 2 ${of}: line 6 exceeds the limit. Split the file.`,
    });
    assert.deepEqual(await numbers('08031234562'), refusal('numbers'));
    assert.deepEqual(await contacts('08031234562'), refusal('contacts'));
  });

  it('apply to the number of rows, empty ones included', async () => {
    const maxRows = 1000;
    const refusal = (line: number) =>
      `The file has more than 1,000 rows, empty rows included: line ${line} exceeds the limit. Split the file.`;
    for (const row of ['\n', '\r\n', '\r', ',,\n', '0803,Ada\n', '"0803\n12","Ada"\n']) {
      const read = (count: number) => readCsvFile(bytes(`a,b\n${row.repeat(count)}`), { maxRows });
      assert.ok((await read(maxRows)).ok, row);
      // The parser holds back the last few characters, so it passes over a few more empty lines.
      const tooMany = maxRows + (row.trim() === '' ? 100 : 1);
      const line = row.startsWith('"') ? 2 * maxRows + 2 : maxRows + 2;
      assert.deepEqual(await read(tooMany), { ok: false, reason: refusal(line) }, row);
    }
    const withEmptyRows = `a,b\n${'0803,Ada\n'.repeat(990)}${'\n'.repeat(20)}${'0803,Ada\n'.repeat(5)}`;
    assert.deepEqual(await readCsvFile(bytes(withEmptyRows), { maxRows }), {
      ok: false,
      reason: refusal(maxRows + 2),
    });
  });

  it('are checked without an error for each row of another length than the first', async (test) => {
    // An error with its stack takes many times longer than a row.
    let stacks = 0;
    const capture = Error.captureStackTrace;
    test.mock.method(Error, 'captureStackTrace', (...given: Parameters<typeof capture>) => {
      stacks += 1;
      capture(...given);
    });
    for (const row of ['\n', 'x\n', 'x,y,z\n']) {
      const rows = await Array.fromAsync(readCsv([bytes(`Phone,Name\n${row.repeat(1_000)}`)]));
      assert.equal(rows.length, row === '\n' ? 1 : 1_001);
    }
    assert.equal(stacks, 0);
  });

  it('apply to the number of rows before any row is parsed', async () => {
    const maxRows = 1000;
    for (const row of ['\n', '\r\n', '0803,Ada\n', '"0803\n12","Ada ""A"""\n']) {
      const count = (rows: number) => refuseTooManyRows([bytes(`a,b\n${row.repeat(rows)}`)], { maxRows });
      await count(maxRows);
      const line = row.startsWith('"') ? 2 * maxRows + 2 : maxRows + 2;
      await assert.rejects(
        count(maxRows + 1),
        (error) => error instanceof CsvFault && error.reason.includes(`: line ${line} exceeds the limit.`),
      );
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
    await sampleOf(rows, 'NG', column.giveWay);
    assert.ok(column.turns() >= 9);

    const numbers = counted();
    await readNumberRows(streamed(rows), { country: 'NG', giveWay: numbers.giveWay });
    assert.ok(numbers.turns() >= 9 + 3);

    const contacts = counted();
    await readContactRows(streamed(rows), 'NG', { giveWay: contacts.giveWay });
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
