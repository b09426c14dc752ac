import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContactRows } from '../../../src/domain/csv/contact-rows.ts';
import { CsvFault, type CsvRow, readCsv } from '../../../src/domain/csv/read-csv.ts';
import { openRecipients, type RecipientTable } from '../../../src/domain/csv/recipient-rows.ts';
import type { ChosenReading } from '../../../src/domain/csv/table-reading.ts';
import { readTemplate, render } from '../../../src/domain/messages/template.ts';

const csv = (text: string) => readCsv([new TextEncoder().encode(text)]);

async function opened(rows: AsyncIterable<CsvRow>, reading?: ChosenReading): Promise<RecipientTable> {
  const result = await openRecipients(rows, {
    country: 'NG',
    reading,
  });
  assert.ok(result.ok, result.ok ? '' : result.reason);
  return result.table;
}

/** Line and number of each recipient; line, text and reason of each rejected row. */
async function readAll(table: RecipientTable): Promise<unknown[][]> {
  const all: unknown[][] = [];
  for await (const row of table.rows) {
    all.push(row.kind === 'recipient' ? [row.line, row.number] : [row.line, row.text, row.reason]);
  }
  return all;
}

async function textsFor(text: string, table: RecipientTable): Promise<string[]> {
  const read = readTemplate(text);
  assert.ok(read.ok);
  const texts: string[] = [];
  for await (const row of table.rows) {
    if (row.kind === 'invalid') {
      continue;
    }
    const rendered = render(read.template, row.value);
    texts.push(rendered.ok ? rendered.text : `lacks ${rendered.missing.join()}`);
  }
  return texts;
}

describe('the recipients of a table', () => {
  it('have numbered columns if there are no titles', async () => {
    const table = await opened(csv('Ada,08031234567\nBen,08051234567,VIP'));
    assert.deepEqual(table.columns.at(2), { name: 'column_3', title: 'Column 3' });
    assert.deepEqual(table.number, { index: 1, title: undefined });
    assert.equal(table.isList, false);
    assert.deepEqual(await textsFor('{{column_1}}{{column_3|}}', table), ['Ada', 'BenVIP']);
  });

  it('have the country code of a column of its own, so that nobody else gets their message', async () => {
    const rows = [
      'Name,Country code,Phone',
      'Ada,234,8031110001',
      'Ben,+44,07400 123 456',
      'Cyn,44,447400123457',
      'Dan,1,8031110002',
      'Eve,1,+2348031110003',
      'Fay,,08031110004',
      'Gus,NG,8031110005',
      'Hal,US,8032110006',
      'Ida,United States,(803) 211-0007',
      'Jon,United Kingdom,08031110008',
      'Kim,Atlantis,08031110009',
    ];
    assert.deepEqual(await readAll(await opened(csv(rows.join('\n')))), [
      [2, '+2348031110001'],
      [3, '+447400123456'],
      [4, '+447400123457'],
      [5, '+18031110002', 'isn’t a valid +1 number'],
      [6, '+2348031110003'],
      [7, '+2348031110004'],
      [8, '+2348031110005'],
      [9, '+18032110006'],
      [10, '+18032110007'],
      [11, '+2348031110008'],
      [12, '+2348031110009'],
    ]);
  });

  it('have distinct names for columns with the same title', async () => {
    const table = await opened(csv('Name,Phone,NAME,,Column 4\na,08031234567,b,c,d'));
    assert.deepEqual(
      table.columns.map(({ name }) => name),
      ['name', 'phone', 'name_2', 'column_4', 'column_4_2'],
    );
    assert.deepEqual(await textsFor('{{name}}{{name_2}}{{column_4}}{{column_4_2}}', table), ['abcd']);
  });

  it('have one number even if the cell contains more text', async () => {
    const table = await opened(csv('Phone\nAda: 08031234567 (home)\n08051234567 / 0805 123 4567'));
    assert.deepEqual(await readAll(table), [
      [2, '+2348031234567'],
      [3, '+2348051234567'],
    ]);
  });

  it('are all cells of a plain list', async () => {
    const table = await opened(csv('08031234567,08051234567\n08021234567 08091234567\n080312,'));
    assert.equal(table.isList, true);
    assert.deepEqual(await readAll(table), [
      [1, '+2348031234567'],
      [1, '+2348051234567'],
      [2, '+2348021234567'],
      [2, '+2348091234567'],
      [3, '080312', 'is too short for a number in Nigeria'],
    ]);
  });

  it('do not include the amounts and dates beside the numbers', async () => {
    const table = await opened(csv('08031234567,15000,2026-03-01\n08051234567,20000,2026-03-02'));
    assert.equal(table.isList, false);
    assert.equal((await readAll(table)).length, 2);
  });

  it('come from the column that the user chose', async () => {
    const text = 'Phone,Second phone\n08031234567,08051234567\n08021234567,';
    const table = await opened(csv(text), { titleLine: 1, column: 1 });
    assert.deepEqual(table.number, { index: 1, title: 'Second phone' });
    assert.deepEqual(await readAll(table), [
      [2, '+2348051234567'],
      [3, '', 'has no number'],
    ]);
    assert.equal((await readAll(await opened(csv('08031234567,08051234567'), { column: 0 }))).length, 1);
  });

  it('are skipped with the reason where commas split their numbers into cells, as contacts are', async () => {
    const text = 'Name,Phone\nAda,8,031,234,567\nBen,08051234567\nChi,08061234567';
    const reason = 'was shortened by Excel: format the column as text and export again';
    assert.deepEqual((await readAll(await opened(csv(text))))[0], [2, '8,031,234,567', reason]);
    const contacts = await readContactRows(csv(text), 'NG');
    assert.deepEqual(contacts.ok && contacts.table.rejected, [{ line: 2, text: '8,031,234,567', reason }]);
  });

  it('are refused with a reason: no numbers, no rows, no such column, not readable', async () => {
    const reasonFor = async (text: string, reading?: ChosenReading) => {
      const result = await openRecipients(csv(text), { country: 'NG', reading });
      return result.ok ? '' : result.reason;
    };
    assert.match(await reasonFor('Name,Town\nAda,Lagos'), /No column of phone numbers/);
    assert.match(await reasonFor('\n\n'), /empty/);
    assert.match(await reasonFor('Phone\n08031234567', { column: 1 }), /no column 2/);
    assert.match(await reasonFor('Phone\n08031234567', { titleLine: 7, column: 0 }), /no row 7/);
    assert.match(await reasonFor('Phone\n"08031234567'), /from line 2 on/);
  });
});

describe('a long table', () => {
  async function* rows(count: number, state: { read: number; ended: boolean }): AsyncGenerator<CsvRow> {
    try {
      for (let line = 1; line <= count; line += 1) {
        state.read = line;
        yield { line, cells: [`0803${String(line).padStart(7, '0')}`] };
      }
    } finally {
      state.ended = true;
    }
  }

  it('is recognised by its first rows, and read further only as its recipients are consumed', async () => {
    const state = { read: 0, ended: false };
    const table = await opened(rows(3_000, state));
    assert.equal(state.read, 1_000);
    let taken = 0;
    for await (const row of table.rows) {
      taken += 1;
      assert.equal(row.line, taken);
      assert.equal(state.read, Math.max(1_000, taken));
    }
    assert.equal(taken, 3_000);
  });

  it('is closed when its reader stops early, and when it holds no numbers', async () => {
    const state = { read: 0, ended: false };
    for await (const row of (await opened(rows(3_000, state))).rows) {
      if (row.line === 1_300) {
        break;
      }
    }
    assert.deepEqual(state, { read: 1_300, ended: true });

    const refused = { read: 0, ended: false };
    assert.equal(
      (await openRecipients(rows(1000, refused), { country: 'FR', reading: { column: 7 } })).ok,
      false,
    );
    assert.ok(refused.ended);
  });

  it('yields its recipients before it reports an error further down', async () => {
    const table = await opened(csv(`Phone\n${'08031234567\n'.repeat(1_300)}"0803`));
    let taken = 0;
    const reading = async () => {
      for await (const row of table.rows) {
        taken += row.kind === 'recipient' ? 1 : 0;
      }
    };
    await assert.rejects(reading, (error) => error instanceof CsvFault && /line 1302/.test(error.reason));
    assert.equal(taken, 1_300);
  });
});
