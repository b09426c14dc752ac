import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { catchCsvFault, readCsv } from '../../../src/domain/csv/read-csv.ts';
import { openRecipients } from '../../../src/domain/csv/recipient-rows.ts';

const folder = new URL('lists/', import.meta.url);

/** How a list has to be read. */
const expectedSchema = z.record(
  z.string(),
  z.union([
    /** The reason has these words. */
    z.strictObject({ refused: z.string() }),
    z.strictObject({
      /** The line of the titles. */
      titles: z.number().nullable(),
      /** From 0. Null for a plain list. */
      column: z.number().nullable(),
      recipients: z.number(),
      /** Lines of rows that are skipped. */
      skipped: z.array(z.number()).default([]),
      doubts: z.array(z.string()).default([]),
      /** Lines at or above the titles whose numbers are named. */
      named: z.array(z.number()).default([]),
    }),
  ]),
);

const expected = expectedSchema.parse(JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')));

function read(name: string) {
  return catchCsvFault(async () => {
    const opened = await openRecipients(readCsv([readFileSync(new URL(name, folder))]), { country: 'NG' });
    if (!opened.ok) {
      return opened;
    }
    const { review, rows } = opened.table;
    const all = await Array.fromAsync(rows);
    return {
      ok: true as const,
      titles: review?.reading.titleLine ?? null,
      column: review?.reading.column ?? null,
      recipients: all.filter(({ kind }) => kind === 'recipient').length,
      skipped: all.filter(({ kind }) => kind === 'invalid').map(({ line }) => line),
      doubts: review?.doubts,
      named: review?.titleNumbers.map(({ line }) => line),
    };
  });
}

describe('a list as programs and people write it', () => {
  it('has an expected reading', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
    assert.deepEqual(files.sort(), Object.keys(expected).sort());
    assert.ok(files.length >= 60);
  });

  for (const [name, wanted] of Object.entries(expected)) {
    it(`is read as expected: ${name}`, async () => {
      const found = await read(name);
      if ('refused' in wanted) {
        assert.ok(!found.ok && found.reason.includes(wanted.refused), JSON.stringify(found));
      } else {
        assert.deepEqual(found, { ok: true, ...wanted });
      }
    });
  }
});
