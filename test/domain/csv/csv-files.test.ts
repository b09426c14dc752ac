import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvFiles } from '../../../src/domain/csv/write-csv.ts';

const columns = [{ title: 'Value', cell: (value: number) => String(value) }];

async function* from(values: readonly number[]) {
  yield* values;
}

test('writes every row once, in order, into as few files as hold them, and one file for no rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.integer({ min: 1, max: 10 }),
      async (values, max) => {
        const full = { rows: max, bytes: 1_000 };
        const files = [];
        for await (const file of csvFiles({ name: 'list', columns, rows: from(values) }, full)) {
          files.push(file);
        }
        const rows = files.flatMap(({ content }) => content.toString().trimEnd().split('\r\n').slice(1));
        assert.deepEqual(rows, values.map(String));
        assert.equal(files.length, Math.max(1, Math.ceil(values.length / max)));
        assert.equal(
          files.reduce((sum, file) => sum + file.rows, 0),
          values.length,
        );
        const names = files.length === 1 ? ['list.csv'] : files.map((_, index) => `list-${index + 1}.csv`);
        assert.deepEqual(
          files.map(({ name }) => name),
          names,
        );
      },
    ),
  );
});

test('begins another file once one has as many bytes as are kept in memory, however long its rows are', async () => {
  const long = { title: 'Value', cell: (value: number) => String(value).repeat(100) };
  const table = { name: 'list', columns: [long], rows: from([1, 2, 3, 4, 5]) };
  const files = await Array.fromAsync(csvFiles(table, { rows: 100, bytes: 150 }));
  assert.deepEqual(
    files.map(({ rows }) => rows),
    [2, 2, 1],
  );
});
