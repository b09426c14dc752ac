import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDigits, withoutCells } from '../../../src/store/campaigns/chunk-content.ts';
import {
  readRecipients,
  readRejectedRows,
  writeRecipients,
  writeRejectedRows,
} from '../../../src/store/campaigns/row-mapping.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';

const digits = fc.integer({ min: 2_340_000_000_000, max: 2_349_999_999_999 }).map(String);
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('a\tb', 'a\nb', '', '\t', '\n', '"'),
);
const someCells = fc.array(anyText, { maxLength: 4 });
const recipients = fc.array(fc.record({ digits, cells: someCells }), { minLength: 1, maxLength: 5 });

test('reads the recipients of a chunk as they were written, with the rows of their file', () => {
  fc.assert(
    fc.property(recipients, fc.option(anyText, { nil: undefined }), (list, text) => {
      const to = list.map((each) => `+${each.digits}`);
      const cells = list.map((each) => each.cells);
      const content = writeRecipients({ to, text, cells });
      const hasRows = cells.some((row) => row.length > 0);
      const known = cells.map((row) => row.map((cell) => cell.toWellFormed()));
      assert.deepEqual(readRecipients(content), { to, text, ...(hasRows && { cells: known }) });
      const expected = { digits: list.map((each) => each.digits), text };
      assert.deepEqual(readDigits(content), expected);
      assert.deepEqual(readDigits(withoutCells(content)), expected);
      assert.equal(withoutCells(content), writeRecipients({ to, text }));
    }),
  );
});

test('reads rejected rows as they were written, with the whole row or without', () => {
  const row = fc.record(
    { line: fc.nat(), text: anyText, reason: anyText, cells: someCells },
    { requiredKeys: ['line', 'text', 'reason'] },
  );
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const known = rows.map(({ line, text, reason, cells }) => ({
        line,
        text: text.toWellFormed(),
        reason: reason.toWellFormed(),
        ...(cells && { cells: cells.map((cell) => cell.toWellFormed()) }),
      }));
      assert.deepEqual(readRejectedRows(writeRejectedRows(rows)), known);
    }),
  );
});
