import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCsv } from '../../../src/domain/csv/read-csv.ts';
import { openRecipients } from '../../../src/domain/csv/recipient-rows.ts';
import { toE164 } from '../../../src/domain/phone/phone-number.ts';
import { rounds } from '../../support/sizes.ts';
import { spelled } from '../phone/spelling.ts';
import { cellText, csvFiles } from './csv-file.ts';

/** A cell of the number column, and the expected result: a number, or a reason. */
interface NumberCell {
  text: string;
  expected: string | RegExp;
}

const readable: fc.Arbitrary<NumberCell> = spelled.map(({ text, number }) => ({
  // Windows-1252 lacks this dash.
  text: text.replaceAll('\u2011', '-'),
  expected: toE164(number),
}));

const unreadable: fc.Arbitrary<NumberCell> = fc.constantFrom(
  { text: '', expected: /^has no number$/ },
  { text: '8.03E+09', expected: /shortened by Excel/ },
  { text: '8,031,234,567', expected: /shortened by Excel/ },
  { text: '080312', expected: /too short for a number in Nigeria/ },
  { text: 'none', expected: /not a number/ },
  { text: '08031234567 / 08051234567', expected: /several numbers/ },
);

const words = cellText.map((text) => text.replaceAll('7', 'x').trim());

interface Person {
  name: string;
  number: NumberCell;
  /** `undefined`: the row ends before it. */
  note: string | undefined;
}

const person: fc.Arbitrary<Person> = fc.record({
  name: words,
  number: fc.oneof({ weight: 3, arbitrary: readable }, unreadable),
  note: fc.option(words, { nil: undefined }),
});

/** A row by which the columns are recognised if there are no titles. */
const firstPerson: fc.Arbitrary<Person> = fc.record({
  name: words.map((text) => `a${text}`),
  number: readable,
  note: words.map((text) => `a${text}`),
});

const files = fc
  .record({
    people: fc
      .tuple(firstPerson, fc.array(person, { maxLength: 40 }))
      .map(([first, others]) => [first, ...others]),
    titled: fc.boolean(),
  })
  .chain(({ people, titled }) => {
    const rows = people.map(({ name, number, note }) => [
      name,
      number.text,
      ...(note === undefined ? [] : [note]),
    ]);
    const table = titled ? [['Name', 'Phone', 'Note'], ...rows] : rows;
    return fc.record({
      file: csvFiles(fc.constant(table)),
      titled: fc.constant(titled),
      expected: fc.constant(
        people
          .filter(({ name, number, note = '' }) => `${name}${number.text}${note}` !== '')
          .map(({ number }) => number.expected),
      ),
    });
  });

describe('a file of recipients', () => {
  it('yields a recipient or a reason for each row, in every encoding and wherever it is split', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ file, titled, expected }) => {
        const opened = await openRecipients(readCsv(file.pieces), { country: 'NG' });
        assert.ok(opened.ok);
        assert.equal(opened.table.number.index, 1);
        const [name = '', number = '', note = ''] = opened.table.columns.map((column) => column.name);
        assert.equal(name, titled ? 'name' : 'column_1');

        const given = file.rows.slice(titled ? 1 : 0);
        let at = 0;
        for await (const row of opened.table.rows) {
          const { line, cells } = given[at] ?? { line: 0, cells: [] };
          const wanted = expected[at] ?? '';
          assert.equal(row.line, line);
          if (row.kind === 'recipient') {
            assert.equal(row.number, wanted);
            assert.deepEqual([name, number, note].map(row.value), [cells[0], cells[1], cells[2] ?? '']);
          } else {
            assert.equal(row.text, cells[1]);
            assert.ok(wanted instanceof RegExp && wanted.test(row.reason), row.reason);
          }
          at += 1;
        }
        assert.equal(at, given.length);
        assert.equal(at, expected.length);
      }),
      { numRuns: rounds(300) },
    );
  });
});
