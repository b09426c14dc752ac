import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import { StoreError } from '../../../src/store/engine/errors.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  createdBy,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
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
    it(`with ${name} sends nothing that it cannot store, and continues once it can`, async (test) => {
      const { harness, responses } = await heldHarness(test);
      await harness.send('one', 850);
      await responses.held(2);
      const end = await begin(harness);
      const reported = harness.nextReport();
      responses.release();
      assert.ok(isFault(fault)(await reported));
      assert.equal(harness.asked(), 2);
      await end();
      await harness.advanceUntil('one', isDone);
      assert.equal((await harness.outcome('one')).accepted, 850);
      assert.equal(harness.asked(), 9);
    });

    it(`stopped with ${name} continues after a restart, and sends to nobody twice`, async (test) => {
      const { harness, responses } = await heldHarness(test);
      await harness.send('one', 850);
      await responses.held(2);
      const end = await begin(harness);
      const reported = harness.nextReport();
      responses.release();
      await reported;
      await harness.stopSending();
      await end();
      await harness.restart();
      harness.begin();
      await harness.until('one', isDone);
      const { accepted, unconfirmed } = await harness.outcome('one');
      assert.deepEqual({ accepted, unconfirmed }, { accepted: 650, unconfirmed: 200 });
      assert.equal(harness.asked(), 9);
    });

    it(`with ${name} cannot be started until the fault is over`, async (test) => {
      const harness = await campaignHarness(test);
      await harness.read('one', 250);
      harness.begin();
      const end = await begin(harness);
      await assert.rejects(
        harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf('one'))),
        isFault(fault),
      );
      assert.equal(harness.asked(), 0);
      await end();
      assert.equal(
        (await harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf('one'))))
          .kind,
        'started',
      );
      await harness.until('one', isDone);
      assert.equal((await harness.outcome('one')).accepted, 250);
    });

    it(`whose import failed with ${name} can be imported again`, async (test) => {
      const harness = await campaignHarness(test);
      const numbers = manyNumbers(1_000);
      let end: (() => Promise<void>) | undefined;
      const read = (id: string, meanwhile: () => Promise<void>) =>
        harness.services.campaigns.importRecipients({
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
          end = await begin(harness);
        }),
        isFault(fault),
      );
      await end?.();
      const again = await read('second', async () => {});
      assert.ok(again.kind === 'ready');
      assert.equal(again.review.campaign.counts.recipients, 1_000);
    });
  }

  it('leaves only its counts in the files after the retention time', async (test) => {
    const { clock, pass } = stoppedClock();
    const harness = await campaignHarness(test, { clock });
    await harness.send('one', [...manyNumbers(850), 'nobody']);
    await harness.until('one', isDone);
    const kept = await secretsOf(harness);
    assert.ok(kept.length > 850);
    assert.deepEqual(missingFrom(harness, kept), []);

    pass(31 * day);
    const now = clock.now().getTime();
    await harness.store.campaigns.expire(new Date(now - 30 * day), new Date(now - day));
    assert.deepEqual(missingFrom(harness, kept).length, kept.length);
    const campaign = await harness.services.campaigns.find(by('creator', 'one'), 'one');
    assert.ok(campaign);
    assert.equal(campaign.text, undefined);
    assert.deepEqual([campaign.counts.accepted, campaign.counts.invalid], [850, 1]);
    const { resultTable: file, findRest } = harness.services.campaigns;
    assert.equal(await file({ ...by('creator', 'one'), which: 'invalid' }), undefined);
    assert.equal((await findRest({ ...by('creator', 'one'), which: 'rejected' })).kind, 'too_late');
  });
});

/** A harness whose provider holds back its first two responses. */
async function heldHarness(test: Parameters<typeof campaignHarness>[0]) {
  const responses = heldResponses(test);
  const harness = await campaignHarness(test, { provider: { wait: responses.wait } });
  const fault = { kind: 'slow_headers' } as const;
  harness.provider.orderFault({ operation: 'messages.sendBulk', fault, times: 2 });
  return { harness, responses };
}

/** Makes every change need more space than the disk has. */
async function fillDisk({ store: { db } }: CampaignHarness): Promise<() => Promise<void>> {
  await sql`create table filler (content blob)`.execute(db);
  for (const [table, event] of [
    ['campaign', 'update'],
    ['campaignChunk', 'update'],
    ['campaignChunk', 'insert'],
  ] as const) {
    await sql`create trigger ${sql.ref(`fill_${table}_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
      begin insert into filler values (zeroblob(20000)); end`.execute(db);
  }
  const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(db);
  await sql`pragma max_page_count = ${sql.raw(String(rows[0]?.pageCount))}`.execute(db);
  return async () => {
    await sql`pragma max_page_count = 1000000`.execute(db).catch(() => {});
  };
}

/** Locks the database, as another program would. */
async function lockDatabase({ store: { db }, folder }: CampaignHarness): Promise<() => Promise<void>> {
  // The event loop is blocked while a statement waits for the lock.
  await sql`pragma busy_timeout = 20`.execute(db);
  const other = new Database(join(folder, 'switchboard.db'));
  other.exec('begin immediate');
  return async () => {
    other.close();
  };
}

/** Returns everything stored of a campaign that retention deletes. */
async function secretsOf({ store: { db } }: CampaignHarness): Promise<Buffer[]> {
  const texts = await db.selectFrom('campaign').select('text').execute();
  const chunks = await db.selectFrom('campaignChunkContent').select('value').execute();
  const leftOut = await db.selectFrom('campaignRejectedRow').select('value').execute();
  const numbers = await db.selectFrom('campaignNumber').select('hash').execute();
  const values = [
    ...texts.map(({ text }) => text ?? ''),
    ...[...chunks, ...leftOut].map(({ value }) => value),
  ];
  return [...values.map((value) => Buffer.from(value)), ...numbers.map(({ hash }) => Buffer.from(hash))];
}

function missingFrom({ folder }: CampaignHarness, secrets: readonly Buffer[]): Buffer[] {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return secrets.filter((secret) => !files.some((content) => content.includes(secret)));
}
