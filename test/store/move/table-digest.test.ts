import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import type { Cell, MovedTable } from '../../../src/store/move/cells.ts';
import { createTableReader, tablePages } from '../../../src/store/move/read-source.ts';
import { digestTable, encodeCells } from '../../../src/store/move/table-digest.ts';
import { addTargetRows, readTargetRows } from '../../../src/store/move/target-rows.ts';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import type { Schema } from '../../../src/store/schema.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';

const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const doubles = fc.double({ noNaN: true }).map((value) => value + 0);
/** What both databases can hold: no NUL, and whole characters. */
const texts = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed().replaceAll('\0', '0'));
const bytes = fc.uint8Array().map((value) => Buffer.from(value));
const cells: fc.Arbitrary<Cell> = fc.oneof(integers, doubles, texts, bytes, fc.constant(null));

describe('the encoding of rows', () => {
  it('is the same for the same cells, and for no others', () => {
    const rows = fc.array(cells, { maxLength: 4 });
    fc.assert(
      fc.property(rows, rows, (one, other) => {
        const isSame = encodeCells(one).equals(encodeCells(other));
        assert.equal(
          isSame,
          one.length === other.length && one.every((cell, at) => isSameCell(cell, other[at])),
        );
        assert.ok(encodeCells(one).equals(encodeCells([...one])));
      }),
      { numRuns: 2_000 },
    );
  });

  it('tells apart what is alike as text', () => {
    const alike: Cell[][] = [
      [1n],
      [1],
      ['1'],
      [Buffer.from('1')],
      ['1', ''],
      ['', '1'],
      [''],
      [null],
      [null, null],
      [],
    ];
    assert.equal(new Set(alike.map((row) => encodeCells(row).toString('hex'))).size, alike.length);
  });

  it('changes with the name, the columns, the order and the number of rows', () => {
    const columns = [{ name: 'a', kind: 'integer' }] as const;
    const digestOf = (
      rows: bigint[],
      table: Pick<MovedTable, 'name' | 'columns'> = { name: 't', columns },
    ) => {
      const digest = digestTable(table);
      digest.add(rows.map((row) => [row]));
      return digest.end().sha256;
    };
    const digests = [
      digestOf([1n, 2n]),
      digestOf([2n, 1n]),
      digestOf([1n]),
      digestOf([1n], { name: 'u', columns }),
      digestOf([1n], { name: 't', columns: [{ name: 'a', kind: 'text' }] }),
    ];
    assert.equal(new Set(digests).size, digests.length);
  });
});

function isSameCell(one: Cell | undefined, other: Cell | undefined): boolean {
  return one instanceof Uint8Array && other instanceof Uint8Array
    ? Buffer.from(one).equals(other)
    : Object.is(one, other);
}

const table: MovedTable = {
  name: 'sample',
  columns: [
    { name: 'id', kind: 'text' },
    { name: 'whole', kind: 'integer' },
    { name: 'part', kind: 'double' },
    { name: 'words', kind: 'text' },
    { name: 'raw', kind: 'bytes' },
  ],
  key: [0, 1],
};

it('any rows are the same in both databases, in the same order', async (test) => {
  const database = await createPostgresDatabase({ empty: true });
  const { db, close } = await openPostgres<Schema>(database, { timers: systemTimers });
  const sqlite = new Database(':memory:');
  test.after(async () => {
    sqlite.close();
    await close();
    await database.drop();
  });
  sqlite.exec(
    'create table sample (id text, whole integer, part real, words text, raw blob, primary key (id, whole))',
  );
  await sql`create table sample (id text collate "C", whole bigint, part double precision, words text collate "C",
    raw bytea, primary key (id, whole))`.execute(db);
  const orNull = (arbitrary: fc.Arbitrary<Cell>) => fc.option(arbitrary);
  const row = fc.tuple(texts, integers, orNull(doubles), orNull(texts), orNull(bytes));
  const rows = fc.uniqueArray(row, { maxLength: 30, selector: ([id, whole]) => `${whole} ${id}` });
  const insert = sqlite.prepare('insert into sample values (?, ?, ?, ?, ?)');

  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (written, pageRows) => {
      sqlite.exec('delete from sample');
      await sql`truncate sample`.execute(db);
      for (const each of written) {
        insert.run(...each);
      }
      const read = createTableReader(sqlite, table, { rows: pageRows, bytes: 100 });
      const pages = [...tablePages(table, read)];
      assert.equal(pages.flat().length, written.length);
      await db.transaction().execute(async (transaction) => {
        for (const page of pages) {
          await addTargetRows(transaction, table, page);
        }
      });
      const there = await readTargetRows(db, table, { after: undefined, limit: 100 });
      const digestOf = (content: readonly (readonly Cell[])[]) => {
        const digest = digestTable(table);
        digest.add(content);
        return digest.end();
      };
      assert.deepEqual(digestOf(there), digestOf(pages.flat()));
    }),
    { numRuns: 40 },
  );
});
