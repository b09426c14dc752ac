import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { StoreError } from '../../../src/store/errors.ts';
import {
  by,
  type CampaignBench,
  campaignBench,
  createdBy,
  startOf,
  workspaceId,
} from '../../support/campaign-bench.ts';
import { heldAnswers } from '../../support/provider/held-responses.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const day = 24 * 60 * 60_000;
const isDone = ({ state }: Campaign) => state === 'done';
const isFault = (fault: StoreError['fault']) => (error: unknown) =>
  error instanceof StoreError && error.fault === fault;

/** Faults that keep the program from writing. `begin` returns a function that ends the fault. */
const troubles = {
  disk_full: { name: 'a full disk', begin: fillDisk },
  locked: { name: 'a locked database', begin: lockDatabase },
} as const;

describe('a campaign', { concurrency: true }, () => {
  for (const [fault, { name, begin }] of [
    ['disk_full', troubles.disk_full],
    ['locked', troubles.locked],
  ] as const) {
    it(`with ${name} sends nothing that it cannot store, and goes on once it can`, async (test) => {
      const { bench, answers } = await heldBench(test);
      await bench.send('one', 850);
      await answers.held(2);
      const end = await begin(bench);
      const reported = bench.nextReport();
      answers.release();
      assert.ok(isFault(fault)(await reported));
      assert.equal(bench.asked(), 2);
      await end();
      await bench.advanceUntil('one', isDone);
      assert.equal((await bench.outcome('one')).accepted, 850);
      assert.equal(bench.asked(), 9);
    });

    it(`stopped with ${name} goes on after a restart, and sends to nobody twice`, async (test) => {
      const { bench, answers } = await heldBench(test);
      await bench.send('one', 850);
      await answers.held(2);
      const end = await begin(bench);
      const reported = bench.nextReport();
      answers.release();
      await reported;
      await bench.stopSending();
      await end();
      await bench.restart();
      bench.begin();
      await bench.until('one', isDone);
      const { accepted, unconfirmed } = await bench.outcome('one');
      assert.deepEqual({ accepted, unconfirmed }, { accepted: 650, unconfirmed: 200 });
      assert.equal(bench.asked(), 9);
    });

    it(`with ${name} cannot be started until that is over`, async (test) => {
      const bench = await campaignBench(test);
      await bench.read('one', 250);
      bench.begin();
      const end = await begin(bench);
      await assert.rejects(bench.services.campaigns.start(startOf('one')), isFault(fault));
      assert.equal(bench.asked(), 0);
      await end();
      assert.equal((await bench.services.campaigns.start(startOf('one'))).kind, 'started');
      await bench.until('one', isDone);
      assert.equal((await bench.outcome('one')).accepted, 250);
    });

    it(`whose import failed with ${name} can be imported again`, async (test) => {
      const bench = await campaignBench(test);
      const numbers = manyNumbers(1_000);
      let end: (() => Promise<void>) | undefined;
      const read = (id: string, meanwhile: () => Promise<void>) =>
        bench.services.campaigns.importRecipients({
          workspaceId,
          userId: createdBy,
          id: 'one',
          source: {
            kind: 'file',
            id,
            name: 'list.csv',
            async *open() {
              yield Buffer.from(`${numbers.slice(0, 500).join('\n')}\n`);
              await meanwhile();
              yield Buffer.from(numbers.slice(500).join('\n'));
            },
          },
          form: { text: 'Hello', route: 'dnd', senderId: 'PalmMarket' },
        });
      await assert.rejects(
        read('first', async () => {
          end = await begin(bench);
        }),
        isFault(fault),
      );
      await end?.();
      const again = await read('second', async () => {});
      assert.ok(again.kind === 'ready');
      assert.equal(again.preview.campaign.counts.recipients, 1_000);
    });
  }

  it('leaves nothing but its counts in the files after the retention time', async (test) => {
    const { clock, pass } = stoppedClock();
    const bench = await campaignBench(test, { clock });
    await bench.send('one', [...manyNumbers(850), 'nobody']);
    await bench.until('one', isDone);
    const kept = await secretsOf(bench);
    assert.ok(kept.length > 850);
    assert.deepEqual(missingFrom(bench, kept), []);

    pass(31 * day);
    const now = clock.wall().getTime();
    await bench.store.campaigns.expire(new Date(now - 30 * day), new Date(now - day));
    assert.deepEqual(missingFrom(bench, kept).length, kept.length);
    const campaign = await bench.services.campaigns.find(by('creator', 'one'), 'one');
    assert.ok(campaign);
    assert.equal(campaign.text, undefined);
    assert.deepEqual([campaign.counts.accepted, campaign.counts.invalid], [850, 1]);
    const { resultFile: file, retry } = bench.services.campaigns;
    assert.equal(await file({ ...by('creator', 'one'), which: 'invalid' }), undefined);
    assert.equal((await retry({ ...by('creator', 'one'), which: 'rejected' })).kind, 'too_late');
  });
});

/** A bench whose provider holds its first two answers back. */
async function heldBench(test: Parameters<typeof campaignBench>[0]) {
  const answers = heldAnswers(test);
  const bench = await campaignBench(test, { provider: { wait: answers.wait } });
  const fault = { kind: 'slow_headers' } as const;
  bench.provider.orderFault({ operation: 'messages.sendBulk', fault, times: 2 });
  return { bench, answers };
}

/** Makes every change need more space, of which there is none. */
async function fillDisk({ store: { db } }: CampaignBench): Promise<() => Promise<void>> {
  await sql`create table filler (content blob)`.execute(db);
  for (const [table, event] of [
    ['campaign', 'update'],
    ['campaign_chunk', 'update'],
    ['campaign_chunk', 'insert'],
  ] as const) {
    await sql`create trigger ${sql.ref(`fill_${table}_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
      begin insert into filler values (zeroblob(20000)); end`.execute(db);
  }
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await sql`pragma max_page_count = ${sql.raw(String(rows[0]?.page_count))}`.execute(db);
  return async () => {
    await sql`pragma max_page_count = 1000000`.execute(db).catch(() => {});
  };
}

/** Locks the database as another program would. */
async function lockDatabase({ store: { db }, folder }: CampaignBench): Promise<() => Promise<void>> {
  // The event loop is blocked while a statement waits for the lock.
  await sql`pragma busy_timeout = 20`.execute(db);
  const other = new Database(join(folder, 'switchboard.db'));
  other.exec('begin immediate');
  return async () => {
    other.close();
  };
}

/** Everything of a campaign that retention deletes, as it is stored. */
async function secretsOf({ store: { db } }: CampaignBench): Promise<Buffer[]> {
  const texts = await db.selectFrom('campaign').select('text').execute();
  const chunks = await db.selectFrom('campaign_chunk_content').select('value').execute();
  const leftOut = await db.selectFrom('campaign_rejected_row').select('value').execute();
  const numbers = await db.selectFrom('campaign_number').select('hash').execute();
  const values = [
    ...texts.map(({ text }) => text ?? ''),
    ...[...chunks, ...leftOut].map(({ value }) => value),
  ];
  return [...values.map((value) => Buffer.from(value)), ...numbers.map(({ hash }) => Buffer.from(hash))];
}

function missingFrom({ folder }: CampaignBench, secrets: readonly Buffer[]): Buffer[] {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return secrets.filter((secret) => !files.some((content) => content.includes(secret)));
}
