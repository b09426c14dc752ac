import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readNumberCell } from '../../../src/domain/csv/cell-kinds.ts';
import { readContactRows } from '../../../src/domain/csv/contact-rows.ts';
import type { CsvRow } from '../../../src/domain/csv/read-csv.ts';
import { openRecipients } from '../../../src/domain/csv/recipient-rows.ts';
import { toE164 } from '../../../src/domain/phone/phone-number.ts';
import { streamed } from '../../support/csv-rows.ts';
import { rounds } from '../../support/sizes.ts';

const mobile = fc.integer({ min: 0, max: 99 }).map((index) => `080355501${String(index).padStart(2, '0')}`);
const cell = fc.oneof(
  { weight: 4, arbitrary: mobile },
  mobile.map((number) => `Hotline ${number}`),
  fc.constantFrom('', '-', '()'),
  fc.constantFrom(
    '',
    '',
    '-',
    'Name',
    'Phone',
    'Town',
    'none',
    'Ada',
    'Lagos',
    '0123456789',
    '0803',
    '8.03E+09',
  ),
  fc.constantFrom('31/12/2025', 'ada@example.com', '0201 454 0001', '08035550101 / 08035550102', '*123#'),
);

/** Rows of any length, with empty lines between some of them. */
const tables: fc.Arbitrary<CsvRow[]> = fc
  .array(
    fc.record({
      cells: fc
        .array(cell, { minLength: 1, maxLength: 4 })
        .filter((cells) => cells.some((each) => each !== '')),
      gap: fc.constantFrom(0, 0, 0, 1),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) => {
    let line = 0;
    return rows.map(({ cells, gap }) => {
      line += 1 + gap;
      return { line, cells };
    });
  });

/** A table, and how a person has it read: in any way that the review offers, or in none. */
const read = tables.chain((rows) => {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const reading = fc.record({
    titleLine: fc.option(fc.constantFrom(...rows.map(({ line }) => line)), { nil: undefined }),
    column: fc.option(fc.integer({ min: 0, max: width - 1 }), { nil: undefined }),
  });
  return fc.record({ rows: fc.constant(rows), reading: fc.option(reading, { nil: undefined }) });
});

const numbersOf = (text: string): string[] => readNumberCell(text, 'NG').numbers.map(toE164);

describe('whatever the reading of a list', () => {
  it('a campaign goes to no number outside the chosen column, and each row below the titles is a recipient or skipped', async () => {
    await fc.assert(
      fc.asyncProperty(read, async ({ rows, reading }) => {
        const opened = await openRecipients(streamed(rows), { country: 'NG', reading });
        if (!opened.ok) {
          assert.ok(reading === undefined, opened.reason);
          return;
        }
        const { titleLine = 0, column } = opened.table.review?.reading ?? {};
        const below = new Map(
          rows.filter(({ line }) => line > titleLine).map((row) => [row.line, row.cells]),
        );
        const lines = new Set<number>();
        for await (const row of opened.table.rows) {
          const cells = below.get(row.line);
          assert.ok(cells !== undefined, `line ${row.line} is not below the titles`);
          assert.ok(column === undefined || !lines.has(row.line), `line ${row.line} is read twice`);
          lines.add(row.line);
          if (row.kind === 'recipient') {
            const chosen = column === undefined ? cells : [cells[column] ?? ''];
            assert.ok(chosen.flatMap(numbersOf).includes(toE164(row.number)), `line ${row.line}`);
          } else {
            assert.ok(row.reason.length > 0);
          }
        }
        assert.deepEqual([...lines], [...below.keys()]);
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('a phonebook gets no number outside the chosen column, and each row below the titles is a contact or skipped', async () => {
    await fc.assert(
      fc.asyncProperty(read, async ({ rows, reading }) => {
        const opened = await readContactRows(streamed(rows), 'NG', { reading });
        if (!opened.ok) {
          assert.ok(reading === undefined, opened.reason);
          return;
        }
        const { review, contacts, rejected } = opened.table;
        const { titleLine = 0, column = 0 } = review.reading;
        const below = rows.filter(({ line }) => line > titleLine);
        const allowed = new Set(below.flatMap(({ cells }) => numbersOf(cells[column] ?? '')));
        const uploaded = new Set<string>(contacts.map(({ number }) => toE164(number)));
        assert.deepEqual(uploaded, allowed);
        const skipped = new Set(rejected.map(({ line }) => line));
        for (const { line, cells } of below) {
          assert.ok(skipped.has(line) || numbersOf(cells[column] ?? '').length > 0, `line ${line}`);
        }
      }),
      { numRuns: rounds(1_000) },
    );
  });
});
