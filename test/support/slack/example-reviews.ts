import fc from 'fast-check';
import type { ReadingReview } from '../../../src/domain/csv/number-table.ts';
import { readingDoubts } from '../../../src/domain/csv/table-reading.ts';

/** How a list was read, with any words in it. */
export function reviewsOf(any: fc.Arbitrary<string>): fc.Arbitrary<ReadingReview> {
  const cells = fc.array(any, { maxLength: 20 });
  const line = fc.integer({ min: 1, max: 1_000_000 });
  return fc.record({
    reading: fc.record({ titleLine: line, column: fc.integer({ min: 0, max: 499 }) }, { requiredKeys: [] }),
    doubts: fc.subarray([...readingDoubts]),
    unsettled: fc.subarray([...readingDoubts]),
    rows: fc.uniqueArray(fc.record({ line, cells }), { maxLength: 20, selector: (row) => row.line }),
    columns: fc
      .array(any, { minLength: 1, maxLength: 300 })
      .map((titles) => titles.map((title, index) => ({ index, title: title.trim() || 'Column' }))),
    isPlain: fc.boolean(),
    examples: fc.array(fc.record({ line, number: any, others: cells }), { maxLength: 3 }),
    titleNumbers: fc.array(fc.record({ line, text: any }), { maxLength: 3 }),
  });
}

export const someReview: ReadingReview = {
  reading: { titleLine: 1, column: 1 },
  doubts: [],
  unsettled: [],
  rows: [{ line: 1, cells: ['Name', 'Phone'] }],
  columns: [
    { index: 0, title: 'Name' },
    { index: 1, title: 'Phone' },
  ],
  isPlain: false,
  examples: [{ line: 2, number: '08031234567', others: ['Ada'] }],
  titleNumbers: [],
};
