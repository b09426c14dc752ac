import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { rowProblemSchema } from '../../../../src/domain/csv/rejected-row.ts';
import type { CampaignCounts, ReadRow } from '../../../../src/store/campaigns/campaigns.ts';
import { rounds } from '../../../support/sizes.ts';
import { steppedTimers } from '../../../support/stepped-timers.ts';
import { forEachDatabase, onlyOn, testedDatabase } from '../../../support/store/databases.ts';
import { breakTable } from '../../../support/store/faults.ts';
import { sentTo } from '../../../support/store/sent-to.ts';
import { moveSeen, newCampaign, readyCampaign, recipient } from '../../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../../support/store/temporary-store.ts';

const store = await temporaryStore({ after });

const { campaigns } = store;

const numberOf = (index: number) => `+234803${String(index).padStart(7, '0')}`;

/** Index of a number on the do-not-contact list of each workspace below. */
const unwanted = 3;

let workspaces = 0;

function newWorkspace(): string {
  workspaces += 1;
  return `T-${workspaces}`;
}

const row: fc.Arbitrary<ReadRow> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .record({
        number: fc.nat({ max: 150 }).map(numberOf),
        pages: fc.integer({ min: 1, max: 4 }),
        quiet: fc.boolean(),
        text: fc.string(),
      })
      .map(({ number, ...rest }) => recipient(number, rest)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        line: fc.nat(),
        text: fc.string(),
        reason: fc.string(),
        problem: fc.constantFrom(...rowProblemSchema.options),
        missing: fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 2 }),
      })
      .map(({ missing, ...rejected }) => ({
        kind: 'invalid' as const,
        ...rejected,
        ...(rejected.problem === 'missing_value' && { missing }),
      })),
  },
);

/** The expected counts of rows before anything is sent. */
function countsOf(rows: readonly ReadRow[], personal: boolean): Partial<CampaignCounts> {
  const recipients = rows.filter((read) => read.kind === 'recipient');
  const wanted = recipients.filter(({ number }) => number !== numberOf(unwanted));
  const once = firstOfEach(wanted);
  const pages = once.map((each) => each.pages);
  return {
    recipients: once.length,
    duplicates: wanted.length - once.length,
    suppressed: recipients.length - wanted.length,
    invalid: rows.length - recipients.length,
    pages: pages.reduce((sum, each) => sum + each, 0),
    fewestPages: pages.length === 0 ? 0 : Math.min(...pages),
    mostPages: Math.max(0, ...pages),
    quiet: once.filter(({ quiet }) => quiet).length,
    chunks: Math.ceil(once.length / (personal ? 1 : 100)),
  };
}

function firstOfEach<Row extends { number: string }>(rows: readonly Row[]): Row[] {
  return rows.filter(({ number }, index) => rows.findIndex((earlier) => earlier.number === number) === index);
}

const limited = onlyOn('sqlite', 'its file can be limited');

forEachDatabase(() => {
  test('puts each number into one chunk, in the order of the list, and counts every row, in batches of any size', async () => {
    const lists = fc.array(fc.array(row, { maxLength: 120 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, fc.boolean(), async (additions, personal) => {
        const workspaceId = newWorkspace();
        await store.suppressionList.add(workspaceId, [numberOf(unwanted)], 'U1');
        const writer = await campaigns.begin(newCampaign({ workspaceId, personal }));
        assert.ok(writer);
        for (const rows of additions) {
          await writer.add(rows);
        }
        const { counts, invalidByProblem } = await writer.finish();

        const all = additions.flat();
        const expected = countsOf(all, personal);
        assert.deepEqual({ ...counts, ...expected }, counts);
        const chunks = await Array.fromAsync(campaigns.chunks(workspaceId, 'sale', ['waiting']));
        const read = all.filter((each) => each.kind === 'recipient');
        const once = firstOfEach(read.filter(({ number }) => number !== numberOf(unwanted)));
        assert.deepEqual(
          chunks.flatMap(({ to }) => to),
          once.map(({ number }) => number),
        );
        assert.ok(
          chunks.every(({ to }, index) => to.length === (personal ? 1 : 100) || index === chunks.length - 1),
        );
        assert.equal(
          chunks.reduce((sum, { pages }) => sum + pages, 0),
          counts.pages,
        );
        if (personal) {
          assert.deepEqual(
            chunks.map(({ text }) => text),
            once.map(({ text }) => text),
          );
        }
        const leftOut = await Array.fromAsync(campaigns.rejectedRows(workspaceId, 'sale'));
        const rejected = all.filter((row) => row.kind === 'invalid');
        assert.deepEqual(
          leftOut.map(({ line, text, reason }) => ({ line, text, reason })),
          rejected.map(({ line, text, reason }) => ({ line, text, reason })),
        );
        const counted = rejected.flatMap(({ problem, missing = [] }) => [
          problem,
          ...missing.map((column) => `missing_value ${column}`),
        ]);
        const byProblem = Object.groupBy(counted, (problem) => problem);
        assert.deepEqual(
          invalidByProblem,
          Object.fromEntries(Object.entries(byProblem).map(([problem, same]) => [problem, same?.length])),
        );
      }),
      { numRuns: rounds(60) },
    );
  });

  test('begins another chunk once one has as many bytes as are held at once, and still knows each number by its chunk', async () => {
    const workspaceId = newWorkspace();
    const writer = await campaigns.begin(newCampaign({ workspaceId }));
    assert.ok(writer);
    // Each takes 88 kB in memory, so the third row fills a chunk.
    const wide = (index: number) => recipient(numberOf(index), { cells: ['x'.repeat(44_000)] });
    await writer.add([0, 1, 2, 3].map(wide));
    await writer.add([4, 5, 6, 0, 3, 7, 8, 9, 10, 11, 12].map(wide));
    const { counts } = await writer.finish();
    assert.deepEqual([counts.recipients, counts.duplicates, counts.chunks], [13, 2, 5]);
    const chunks = await Array.fromAsync(campaigns.everyChunk(workspaceId, 'sale'));
    assert.deepEqual(
      chunks.map(({ number, to, cells }) => [number, to, cells?.length]),
      [
        [0, [0, 1, 2].map(numberOf), 3],
        [1, [3, 4, 5].map(numberOf), 3],
        [2, [6, 7, 8].map(numberOf), 3],
        [3, [9, 10, 11].map(numberOf), 3],
        [4, [12].map(numberOf), 1],
      ],
    );
    assert.deepEqual(
      (await campaigns.sizesOfChunks(workspaceId, 'sale')).map(({ recipients }) => recipients),
      [3, 3, 3, 3, 1],
    );
    // A page of long rows has three chunks. No more are read once the byte limit is reached.
    const some = campaigns.numbersIn(workspaceId, 'sale', { numbers: [3, 0, 2, 1], maxBytes: 1 });
    const read = (await Array.fromAsync(some)).map(({ number }) => number);
    assert.deepEqual(read.sort(), [0, 2, 3]);
  });

  test('finds duplicates and the chunk of a number among many rows', async () => {
    const workspaceId = newWorkspace();
    const many = 23_000;
    const writer = await campaigns.begin(newCampaign({ workspaceId }));
    assert.ok(writer);
    const add = (from: number, to: number) =>
      writer.add(Array.from({ length: to - from }, (_, index) => recipient(numberOf(from + index))));
    for (let start = 0; start < many; start += 500) {
      await add(start, start + 500);
    }
    const counts = await add(0, 500);
    assert.deepEqual([counts.recipients, counts.duplicates], [many, 500]);
    assert.equal((await add(many - 500, many)).duplicates, 1_000);
    await writer.finish();
    await moveSeen(campaigns, workspaceId, 'sale', ['ready'], 'running');
    for (const index of [0, 99, 100, 12_345, many - 1]) {
      const found = await sentTo(store, workspaceId, numberOf(index));
      assert.deepEqual(
        found.campaigns.map(({ chunk }) => chunk),
        [Math.floor(index / 100)],
      );
    }
    const { count } = await store.db
      .selectFrom('campaignNumber')
      .innerJoin('campaign', 'campaign.sequence', 'campaignNumber.campaign')
      .where('campaign.workspaceId', '=', workspaceId)
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow();
    assert.equal(count, many);
  });

  test('accepts rows again that a full disk refused', limited, async (t) => {
    const full = await temporaryStore(t);
    const writer = await full.campaigns.begin(newCampaign({ personal: true }));
    assert.ok(writer);
    const rows = Array.from({ length: 500 }, (_, index) =>
      recipient(numberOf(index), { text: 'Hello'.repeat(200) }),
    );
    await writer.add(rows.slice(0, 10));
    const { rows: pages } = await sql<{ pageCount: number }>`pragma page_count`.execute(full.db);
    await sql`pragma max_page_count = ${sql.raw(String((pages[0]?.pageCount ?? 0) + 20))}`.execute(full.db);
    await assert.rejects(writer.add(rows), { name: 'StoreError', fault: 'disk_full' });
    await assert.rejects(writer.add(rows), { name: 'StoreError', fault: 'disk_full' });
    assert.equal((await full.campaigns.find('T1', 'sale'))?.counts.recipients, 10);
    await sql`pragma max_page_count = 1000000`.execute(full.db);
    const counts = await writer.add(rows);
    assert.deepEqual([counts.recipients, counts.duplicates], [500, 10]);
    await writer.finish();
    const chunks = await Array.fromAsync(full.campaigns.chunks('T1', 'sale', ['waiting']));
    assert.deepEqual(
      chunks.map(({ number, to }) => [number, ...to]),
      rows.map((_, index) => [index, numberOf(index)]),
    );
  });

  test('hashes the same number differently in two workspaces', async () => {
    const [one, two] = [newWorkspace(), newWorkspace()];
    await store.suppressionList.add(one, [numberOf(1)], 'U1');
    await readyCampaign(store, [recipient(numberOf(2))], { workspaceId: one });
    const { counts } = await readyCampaign(store, [recipient(numberOf(1)), recipient(numberOf(2))], {
      workspaceId: two,
    });
    assert.deepEqual([counts.recipients, counts.suppressed, counts.duplicates], [2, 0, 0]);
    const hashes = await store.db.selectFrom('campaignNumber').select('hash').execute();
    assert.equal(new Set(hashes.map(({ hash }) => hash)).size, hashes.length, 'one number has two hashes');
  });

  test('of an import that failed nothing stays, also where the database could not take that at first', async (t) => {
    const timers = steppedTimers();
    const { db, campaigns } = await temporaryStore(t, { timers, connections: 1 });
    const writer = await campaigns.begin(newCampaign({ workspaceId: 'T1' }));
    const repair = await breakTable(db, 'campaign', 'update');
    await assert.rejects(writer?.abandon() ?? assert.fail(), /broken/);
    await repair();
    await timers.advance(1_000);
    const rows = await db.selectFrom('campaign').select('state').execute();
    assert.deepEqual(rows, [{ state: 'discarded' }]);
  });

  test('writes nothing more of a campaign whose workspace was deleted, at whatever moment', async () => {
    const rows = (from: number) =>
      Array.from({ length: 150 }, (_, index) => recipient(numberOf(from + index)));
    for (const isRead of [false, true]) {
      const workspaceId = newWorkspace();
      const writer = await campaigns.begin(newCampaign({ workspaceId }));
      assert.ok(writer);
      await writer.add(rows(1_000));
      const gone = { name: 'NoLongerDraftError' };
      // On PostgreSQL it may be before the deletion.
      const refused =
        isRead && testedDatabase === 'postgres'
          ? writer.finish().catch((error: Error) => assert.equal(error.name, gone.name))
          : isRead && assert.rejects(writer.finish(), gone);
      await store.forget(workspaceId);
      await (refused || assert.rejects(writer.add(rows(2_000)), gone));
      for (const table of ['campaignChunk', 'campaignNumber', 'campaignChunkContent'] as const) {
        const left = await store.db
          .selectFrom(table)
          .select('campaign')
          .where('campaign', 'not in', (eb) => eb.selectFrom('campaign').select('sequence'))
          .execute();
        assert.deepEqual(left, [], table);
      }
      const keys = await store.db
        .selectFrom('numberKey')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .execute();
      assert.deepEqual(keys, []);
    }
  });
});
