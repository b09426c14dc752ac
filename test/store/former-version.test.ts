import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { Secret } from '../../src/lib/secret.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { createTime } from '../../src/lib/time/trusted-time.ts';
import { migrate, released } from '../../src/store/migrations/migrate.ts';
import type { Schema } from '../../src/store/schema.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { identityOf } from '../../src/store/sqlite/file-identity.ts';
import { createMarker, promoteMarker } from '../../src/store/sqlite/marker.ts';
import type { Store } from '../../src/store/store.ts';
import { rotateKeys } from '../support/store/rotate-keys.ts';
import { settleAndClaim } from '../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../support/store/temporary-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const workspaceId = 'T0FIXTURE';
/** The key of both databases: 32 bytes of 7. */
const key = new Secret(Buffer.alloc(32, 7).toString('base64'));
/** When both databases were written. */
const writtenAt = new Date('2026-11-20T10:00:00Z');
const now = new Date('2026-11-20T12:00:00Z');
const time = createTime({ wall: () => now, uptime: () => 20_000_000 });

/** A data folder with the database of a former version. */
function folderWith(t: TestContext, fixture: string): { dataDir: string; file: string } {
  const dataDir = join(temporaryFolder(t), 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const file = join(dataDir, 'switchboard.db');
  const packed = readFileSync(new URL(`fixtures/${fixture}`, import.meta.url));
  writeFileSync(file, gunzipSync(packed), { mode: 0o600 });
  return { dataDir, file };
}

/** Records the files as those that the installation knows, as if the version had been upgraded in place. */
function leaveInPlace(dataDir: string, file: string): void {
  const database = new Database(file);
  const { writes } = database.prepare<[], { writes: number }>('select writes from installation').get() ?? {};
  assert.ok(writes);
  const marker = createMarker(dataDir, writes);
  promoteMarker(dataDir);
  database
    .prepare('update installation set mark_file = ?, database_file = ?')
    .run(marker.identity, identityOf(file));
  database.close();
}

test('a database of version 0.1 opens with everything in it, and continues', async (t) => {
  const { dataDir } = folderWith(t, 'version-0.1.db.gz');
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key] });
  assert.equal(store.installation.takeover, undefined);

  assert.equal(await store.ledger.recover(now), 0);
  assert.equal(await store.campaigns.recover(now), 100);
  const { campaigns } = store;
  const states = await Promise.all(
    ['ready', 'scheduled', 'under-way', 'stopped-by-hand', 'finished'].map(async (id) => {
      const campaign = await campaigns.find(workspaceId, id);
      return [campaign?.state, campaign?.createdBy, campaign?.text, campaign?.counts.invalid];
    }),
  );
  assert.deepEqual(
    states,
    ['ready', 'scheduled', 'running', 'paused', 'done'].map((state) => [
      state,
      'U0AGENT',
      'The shop is open',
      1,
    ]),
  );
  const underWay = await campaigns.find(workspaceId, 'under-way');
  assert.deepEqual(underWay?.counts.accepted, 100);
  assert.deepEqual(underWay?.counts.unconfirmed, 100);
  assert.equal(underWay?.channelId, 'C0CARE');
  const turned = await settleAndClaim(store, { workspaceId, id: 'under-way' }, [], 9);
  assert.deepEqual(
    turned?.claimed.map(({ number, digits }) => [number, digits.length]),
    [[2, 50]],
  );

  assert.deepEqual(await store.keyv(workspaceId, 'settings').get('defaults'), {
    country: 'NG',
    route: 'dnd',
    senderId: 'PalmMarket',
  });
  const operations = await store.ledger.recent({ workspaceId, limit: 10 });
  assert.deepEqual(
    operations.map(({ key, state, providerId }) => [key, state, providerId]),
    [
      ['U0AGENT.k2', 'unconfirmed', undefined],
      ['U0AGENT.k1', 'accepted', '3017544054459493384142536'],
    ],
  );
  const due = await store.outbox.next(new Set());
  assert.equal(due?.subjectId, operations[0]?.id);
  assert.deepEqual(await store.suppressionList.among(workspaceId, ['+2348031234567', '+2348099999999']), [
    '+2348099999999',
  ]);
});

/** It has rows in every table: all states of operations, chunks and campaigns, all subjects of notices. */
const migration7 = 'version-0.1-migration-7.db.gz';

test('a database of migration 7 opens with everything in it', async (t) => {
  const { dataDir, file } = folderWith(t, migration7);
  leaveInPlace(dataDir, file);
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key], time });
  assert.equal(store.installation.takeover, undefined);
  assert.equal(store.installation.epoch, '');
  await assertOperations(store);
  await assertCampaigns(store);
  await assertChunks(store);
  await assertOutbox(store);
  await assertValues(store);
});

test('a database of migration 7 can be rotated to another key, and then opens with everything in it', async (t) => {
  const { dataDir, file } = folderWith(t, migration7);
  leaveInPlace(dataDir, file);
  const newKey = newEncryptionKey();
  // Four values, the search key, two suppressed numbers, nine texts, 18 chunks, ten batches of rejected rows.
  assert.deepEqual(await rotateKeys({ dataDir, encryptionKeys: [newKey, key] }), {
    reencrypted: 44,
    current: 44,
    unreadable: [],
    isComplete: true,
  });
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [newKey], time });
  await assertOperations(store);
  await assertCampaigns(store);
  await assertChunks(store);
  await assertValues(store);
});

test('a database of migration 7 continues', async (t) => {
  const { dataDir, file } = folderWith(t, migration7);
  leaveInPlace(dataDir, file);
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key], time });
  const { campaigns, ledger, suppressionList, phoneIndex } = store;
  assert.equal(await ledger.recover(now), 1);
  assert.equal(await campaigns.recover(now), 100);
  assert.equal(await campaigns.find(workspaceId, 'reading'), undefined);
  const notice = await store.db
    .selectFrom('outbox')
    .select(['subject', 'title'])
    .where('subject_id', '=', 'reading')
    .executeTakeFirst();
  assert.deepEqual(notice, { subject: 'import', title: 'List reading' });

  const again = await ledger.perform(
    { workspaceId, key: 'U0AGENT.accepted', kind: 'sms.send', userId: 'U0AGENT', summary: {} },
    () => assert.fail('sent twice'),
  );
  assert.equal(again.first, false);

  const claimed = await settleAndClaim(store, { workspaceId, id: 'running' }, [], 9);
  assert.deepEqual(
    claimed?.claimed.map(({ number, digits }) => [number, digits.length]),
    [[3, 50]],
  );
  const done = await settleAndClaim(
    store,
    { workspaceId, id: 'running' },
    [{ number: 3, state: 'accepted' }],
    1,
  );
  assert.deepEqual([done?.campaign.state, done?.campaign.balance], ['done', '900']);

  const [first] = await Array.fromAsync(campaigns.chunks(workspaceId, 'paused-by-person', ['waiting']));
  const listed = first?.to[0] ?? '';
  assert.equal(await suppressionList.add(workspaceId, [listed], 'U0ADMIN'), 1);
  const resumed = await campaigns.move(workspaceId, 'paused-by-person', ['paused'], 'running');
  assert.deepEqual(
    [resumed?.pause, resumed?.counts.suppressed, resumed?.counts.recipients],
    [undefined, 1, 4],
  );
  const texts = await settleAndClaim(store, { workspaceId, id: 'paused-by-person' }, [], 9);
  assert.deepEqual(
    texts?.claimed.map(({ text }) => text),
    ['Hello 2', 'Hello 3', 'Hello 4', 'Hello 5'],
  );

  const { operationIds } = await phoneIndex.find(workspaceId, '+2348031234567', { limit: 9 });
  assert.equal(operationIds.length, 4);
  assert.equal(await campaigns.expire(writtenAt, writtenAt), 2, 'the discarded and the half read one');
});

test('a database of migration 7 is upgraded one migration at a time to what it becomes at once', async (t) => {
  const names = Object.keys(released);
  const tables = await Promise.all(
    [names.map((_, index) => index + 1).filter((count) => count >= 7), [names.length]].map(async (steps) => {
      const { file } = folderWith(t, migration7);
      const worker = new URL('../../src/store/store-worker.ts', import.meta.url);
      const { db, close } = await openDatabase<Schema>(file, { worker, timers: systemTimers });
      t.after(close);
      for (const count of steps) {
        await migrate(db, Object.fromEntries(Object.entries(released).slice(0, count)));
      }
      const rows = await Promise.all(
        (['operation', 'campaign', 'campaign_chunk', 'suppression', 'outbox', 'keyv'] as const).map((table) =>
          db.selectFrom(table).selectAll().execute(),
        ),
      );
      return { tables: await db.introspection.getTables(), rows };
    }),
  );
  assert.deepEqual(tables[0], tables[1]);
  assert.ok(tables[0]?.rows.every(({ length }) => length > 0));
  const numbers = names.map((name) => Number(name.slice(0, 4)));
  assert.ok(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)));
});

test('a copy of a database of migration 7 is held', async (t) => {
  const { dataDir } = folderWith(t, migration7);
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key], time });
  assert.deepEqual(store.installation.takeover, { reason: 'no_mark', heldCampaigns: 4 });
});

async function assertOperations({ ledger }: Store): Promise<void> {
  const operations = await ledger.recent({ workspaceId, limit: 10 });
  for (const operation of operations) {
    assert.deepEqual(
      [operation.userId, operation.channelId, operation.kind, operation.createdAt, operation.summary],
      [
        'U0AGENT',
        'C0CARE',
        'sms.send',
        writtenAt,
        { to: ['+234803•••4567'], recipients: 1, route: 'dnd', senderId: 'PalmMarket', pages: 1 },
      ],
    );
  }
  assert.deepEqual(
    operations.map(({ key, state, providerId, balance, error }) => [
      key,
      state,
      providerId ?? balance ?? error?.reason,
    ]),
    [
      ['U0AGENT.underway', 'underway', undefined],
      ['U0AGENT.unconfirmed', 'unconfirmed', 'timeout'],
      ['U0AGENT.not_sent', 'not_sent', 'unreachable'],
      ['U0AGENT.rejected', 'rejected', 'sender_id_unknown'],
      ['U0AGENT.accepted', 'accepted', '3017544054459493384142536'],
    ],
  );
}

async function assertCampaigns({ campaigns }: Store): Promise<void> {
  const all = await campaigns.recent({ workspaceId, limit: 20 });
  const known = all.map(({ id, state, text, counts, inFlight, pause, lastActionBy, endedAt }) => [
    id,
    state,
    text,
    [counts.recipients, counts.suppressed, counts.invalid, inFlight],
    pause?.userId ?? pause?.error?.reason,
    lastActionBy,
    endedAt,
  ]);
  const open = 'The shop is open';
  assert.deepEqual(known, [
    ['reading', 'reading', open, [120, 0, 1, 0], undefined, undefined, undefined],
    ['missed', 'missed', open, [2, 0, 1, 0], undefined, undefined, writtenAt],
    ['cancelled', 'cancelled', open, [2, 0, 1, 0], undefined, 'U0AGENT', writtenAt],
    ['done', 'done', open, [2, 0, 1, 0], undefined, undefined, writtenAt],
    ['paused-by-provider', 'paused', open, [2, 0, 1, 0], 'balance', undefined, undefined],
    ['paused-by-person', 'paused', 'Hello {{name}}', [5, 0, 1, 0], 'U0ADMIN', 'U0ADMIN', undefined],
    ['running', 'running', open, [350, 0, 1, 100], undefined, undefined, undefined],
    ['scheduled', 'scheduled', open, [149, 1, 1, 0], undefined, 'U0AGENT', undefined],
    ['ready', 'ready', open, [3, 0, 1, 0], undefined, undefined, undefined],
  ]);
  for (const campaign of all) {
    const { id, name, createdBy, route, senderId, createdAt, retryOf } = campaign;
    assert.deepEqual([name, createdBy, createdAt], [`List ${id}`, 'U0AGENT', writtenAt]);
    assert.deepEqual([route, senderId], ['dnd', 'PalmMarket']);
    assert.equal(retryOf, id === 'done' ? 'ready' : undefined);
  }
  const scheduled = await campaigns.find(workspaceId, 'scheduled');
  assert.deepEqual(
    [scheduled?.startAt, scheduled?.latestStart, scheduled?.zone, scheduled?.channelId],
    [new Date('2026-11-25T08:00:00Z'), new Date('2026-11-25T10:00:00Z'), 'Africa/Lagos', 'C0CARE'],
  );
  const running = await campaigns.find(workspaceId, 'running');
  assert.deepEqual(
    [running?.message, running?.balance, running?.startedAt, running?.channelId],
    [{ channel: 'C0CARE', ts: '1763632800.000100' }, '900', writtenAt, 'C0CARE'],
  );
}

async function assertChunks({ campaigns }: Store): Promise<void> {
  const states = ['waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed'] as const;
  const chunks = await Array.fromAsync(campaigns.chunks(workspaceId, 'running', states));
  assert.deepEqual(
    chunks.map(({ number, state, to, providerId, error }) => [
      number,
      state,
      to.length,
      providerId ?? error?.reason,
    ]),
    [
      [3, 'waiting', 50, undefined],
      [2, 'claimed', 100, undefined],
      [0, 'accepted', 100, '3017544054459493384142537'],
      [1, 'rejected', 100, 'sender_id_unknown'],
    ],
  );
  const personal = await Array.fromAsync(campaigns.chunks(workspaceId, 'paused-by-person', ['waiting']));
  assert.deepEqual(
    personal.map(({ text }) => text),
    [1, 2, 3, 4, 5].map((line) => `Hello ${line}`),
  );
  for (const { id, counts } of await campaigns.recent({ workspaceId, limit: 20 })) {
    const rejected = await Array.fromAsync(campaigns.rejectedRows(workspaceId, id));
    const line = counts.recipients + counts.suppressed + 1;
    assert.deepEqual(rejected, [
      { line, text: 'no number', reason: 'There is no phone number in this row.' },
    ]);
  }
}

async function assertOutbox({ db, ledger }: Store): Promise<void> {
  const keys = new Map((await ledger.recent({ workspaceId, limit: 10 })).map(({ id, key }) => [id, key]));
  const rows = await db.selectFrom('outbox').selectAll().orderBy('subject').orderBy('subject_id').execute();
  assert.deepEqual(
    rows.map((row) => [
      row.subject,
      keys.get(row.subject_id) ?? row.subject_id,
      row.user_id,
      row.channel_id ?? row.title,
      row.channel_error,
      row.repeated,
      row.attempts,
    ]),
    [
      ['campaign', 'cancelled', 'U0AGENT', null, null, 0, 0],
      ['campaign', 'done', 'U0AGENT', null, null, 0, 0],
      ['campaign', 'missed', 'U0AGENT', null, null, 0, 0],
      ['campaign', 'paused-by-person', 'U0AGENT', null, null, 0, 0],
      ['campaign', 'paused-by-provider', 'U0AGENT', null, null, 0, 0],
      ['campaign', 'running', 'U0AGENT', 'C0CARE', null, 0, 0],
      ['campaign', 'scheduled', 'U0AGENT', 'C0CARE', null, 0, 0],
      ['campaign_news', 'done', 'U0AGENT', 'C0CARE', null, 0, 0],
      ['campaign_news', 'paused-by-provider', 'U0AGENT', null, null, 0, 0],
      ['import', 'gone', 'U0AGENT', 'List gone', null, 0, 0],
      ['operation', 'U0AGENT.rejected', 'U0AGENT', 'C0CARE', 'channel_not_found', 1, 1],
      ['operation', 'U0AGENT.not_sent', 'U0AGENT', 'C0CARE', null, 0, 0],
      ['operation', 'U0AGENT.unconfirmed', 'U0AGENT', 'C0CARE', null, 0, 0],
      ['restored', 'U0ADMIN', 'U0ADMIN', null, null, 0, 0],
    ],
  );
}

async function assertValues({ keyv, suppressionList, knownTime }: Store): Promise<void> {
  const settings = keyv(workspaceId, 'settings');
  assert.deepEqual(await settings.get('connection'), {
    key: 'fixture-key-0042',
    by: 'U0ADMIN',
    at: writtenAt.getTime(),
  });
  assert.deepEqual(await settings.get('defaults'), { country: 'NG', route: 'dnd', senderId: 'PalmMarket' });
  assert.deepEqual(await keyv(workspaceId, 'drafts').get('U0AGENT.draft'), {
    version: 2,
    content: { recipients: ['+2348031234567'], route: 'dnd', text: 'Hello', place: 'C0CARE' },
  });
  assert.ok(await keyv(workspaceId, 'codes').has('U0AGENT.code'));
  const listed = await suppressionList.list({ workspaceId, limit: 9 });
  assert.deepEqual(
    listed.map(({ number, createdBy, createdAt }) => [number, createdBy, createdAt]).sort(),
    ['+2348031212000', '+2348099999999'].map((number) => [number, 'U0ADMIN', writtenAt]),
  );
  assert.deepEqual(await knownTime.read(), {
    wall: writtenAt.getTime(),
    uptime: 10_000_000,
    startFrom: 1_000_000.5,
    deleteFrom: 2_000_000.25,
  });
}
