import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { showNumber } from '../../src/domain/access/private-values.ts';
import { createNumberMentions } from '../../src/domain/phone/number-mentions.ts';
import { phoneNumberSchema, toE164 } from '../../src/domain/phone/phone-number.ts';
import { snakeCase } from '../../src/store/engine/create-tables.ts';
import { createEncryption, type Encryption } from '../../src/store/engine/encryption/cipher.ts';
import { additionalDataOf } from '../../src/store/engine/encryption/encrypted-column.ts';
import { encryptedColumns, type TableName, tables } from '../../src/store/schema/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { forEachDatabase } from '../support/store/databases.ts';
import { fillTables, storedNumber } from '../support/store/fill-tables.ts';
import { fillWithPerson } from '../support/store/fill-with-person.ts';
import { ownTables } from '../support/store/own-tables.ts';
import { performIn } from '../support/store/perform-in.ts';
import { readyCampaign, settleAndClaim } from '../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../support/store/temporary-store.ts';

const number = phoneNumberSchema.parse(storedNumber);
const names = Object.keys(tables) as TableName[];
const personalColumns = names.flatMap((name) =>
  Object.entries(tables[name].columns)
    .filter(([, { privacy }]) => privacy === 'personal')
    .map(([column]) => `${name}.${column}`),
);

async function rowsOf({ db }: Store, table: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(snakeCase(table))}`.execute(
    db,
  );
  return rows;
}

/** Returns the rows that are of a workspace, by its id or by that of the campaign or the operation that they belong to. */
async function rowsOfWorkspace(store: Store, workspaceId: string): Promise<string[]> {
  const parents = new Set<unknown>();
  for (const table of ['campaign', 'operation']) {
    for (const row of await rowsOf(store, table)) {
      if (row.workspaceId === workspaceId) {
        parents.add(table === 'campaign' ? row.sequence : row.id);
      }
    }
  }
  const found: string[] = [];
  for (const table of names) {
    for (const row of await rowsOf(store, table)) {
      const parent = row.campaign ?? row.operationId;
      if (row.workspaceId === workspaceId || (parent !== undefined && parents.has(parent))) {
        found.push(table);
      }
    }
  }
  return found;
}

/** What stays of a person: the audit, with masked numbers, and that nothing may be sent to them again. */
const stays = ['auditEntry.details', 'auditEntry.subject', 'suppression.hash'];

/** Leaves the number wherever a person or the provider can write one. */
async function nameEverywhere(store: Store): Promise<void> {
  await fillWithPerson(store, 'T1');
  const { db, ledger, limits, replies, suppressionList } = store;
  const summary = { to: [showNumber(number, 'record')], phonebook: `Friends of ${number}` };
  const intent = { workspaceId: 'T1', key: 'named', kind: 'contact.add', userId: 'U1' };
  await performIn(ledger, { ...intent, summary, numbers: [number] }, async () => ({ state: 'accepted' }));
  await suppressionList.add('T1', [number], 'U1', { source: { kind: 'file', name: `${number}.csv` } });
  const reached = { rule: 'again' as const, seconds: 60, shown: showNumber(number, 'record') };
  await limits.reached.record('T1', { subject: 'codes/recipient', reached, userId: 'U1' });
  await readyCampaign(store, [], { id: 'texted', text: `Call ${number}` });
  const notify = { userId: 'U1', channelId: 'C1' };
  await replies.take({
    workspaceId: 'T1',
    number: toE164(number),
    notify,
    identity: 'named',
    text: `It is ${number}`,
  });
  // What is in flight is waited for.
  await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, [{ number: 0, state: 'accepted' }], 0);
  await sql`update outbox set title = ${`${number}.csv`} where workspace_id = 'T1'`.execute(db);
  await sql`update campaign set state = 'cancelled', name = ${`For ${number}`} where workspace_id = 'T1'`.execute(
    db,
  );
}

/** Returns the columns in which rows of T1 have the number, masked or not, or its hash. */
async function columnsNaming(store: Store, encryption: Encryption): Promise<Set<string>> {
  const hash = await store.erasure.hashOf('T1', number);
  const mentions = createNumberMentions(number);
  const masked = showNumber(number, 'record');
  const found = new Set<string>();
  for (const table of names) {
    for (const row of await rowsOf(store, table)) {
      for (const [column, value] of Object.entries(row)) {
        const binding = tables[table].columns[column]?.binding;
        const text =
          binding === undefined || typeof value !== 'string' || value === ''
            ? JSON.stringify(value ?? null)
            : encryption.decrypt(value, additionalDataOf({ binding }, row));
        const isOwn = row.workspaceId === undefined || row.workspaceId === 'T1';
        if (isOwn && (text.includes(hash) || text.includes(masked) || mentions.areIn(text))) {
          found.add(`${table}.${column}`);
        }
      }
    }
  }
  return found;
}

forEachDatabase(() => {
  test('each database has the tables and the columns that are declared', async (t) => {
    const { db } = await temporaryStore(t);
    const found = (await ownTables(db)).map(({ name, columns }) => [
      name,
      columns.map((column) => column.name).sort(),
    ]);
    const declared = names.map((name) => [
      snakeCase(name),
      Object.keys(tables[name].columns).map(snakeCase).sort(),
    ]);
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(declared));
  });

  test('texts are compared by their bytes', async (t) => {
    const { db } = await temporaryStore(t);
    const mark = { ticks: 0, seenAt: new Date(0) };
    for (const id of ['b', 'a', 'B', '_', 'é', 'Z', '-']) {
      await db
        .insertInto('instanceMark')
        .values({ id, ...mark })
        .execute();
    }
    const rows = await db
      .selectFrom('instanceMark')
      .select('id')
      .where('ticks', '=', 0)
      .orderBy('id')
      .execute();
    assert.deepEqual(rows.map(({ id }) => id).join(''), '-BZ_abé');
  });

  test('a name means the same kind in every table', () => {
    const kinds = new Map<string, Set<string>>();
    for (const { columns } of Object.values(tables)) {
      for (const [name, { kind }] of Object.entries(columns)) {
        kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
      }
    }
    assert.deepEqual(
      [...kinds].filter(([, each]) => each.size > 1),
      [],
    );
  });

  test('every encrypted column holds ciphertexts, and no other one does', async (t) => {
    const store = await temporaryStore(t);
    const filled = await fillTables(store);
    const encrypted = new Set(encryptedColumns.map(({ table, column }) => `${table}.${column}`));
    for (const table of names.filter((name) => filled.includes(snakeCase(name)))) {
      const rows = await rowsOf(store, table);
      for (const column of Object.keys(tables[table].columns)) {
        const values = rows.map((row) => row[column]).filter((value) => value !== undefined);
        const sealed = values.filter((value) => typeof value === 'string' && value.startsWith('v1.'));
        const name = `${table}.${column}`;
        assert.equal(sealed.length, encrypted.has(name) ? values.length : 0, name);
        assert.ok(!encrypted.has(name) || sealed.length > 0, `${name} was not filled`);
      }
    }
  });

  test('each column that can name a person is personal, and names them no more once they are erased', async (t) => {
    const encryptionKeys = [newEncryptionKey()];
    const store = await temporaryStore(t, { encryptionKeys });
    await fillTables(store);
    await nameEverywhere(store);
    const find = () => columnsNaming(store, createEncryption(encryptionKeys));
    assert.deepEqual(
      [...(await find())].filter((name) => !stays.includes(name)).sort(),
      [...personalColumns].sort(),
    );
    const { signal } = new AbortController();
    const areas = { drafts: 'delete', preferences: 'redact' } as const;
    await store.erasure.erase({ workspaceIds: ['T1'], number, areas, signal });
    assert.deepEqual([...(await find())].sort(), stays);
  });

  test('a removed workspace leaves nothing in any table but its audit', async (t) => {
    const store = await temporaryStore(t);
    await fillTables(store);
    const before = new Set(await rowsOfWorkspace(store, 'T1'));
    const others = await rowsOfWorkspace(store, 'T2');
    const kept = names.filter((name) => tables[name].removal === 'kept');
    assert.deepEqual(kept, ['slackLease', 'slackRemoval', 'auditRegister', 'auditChain', 'auditEntry']);
    for (const name of names) {
      const isOfWorkspace = 'workspaceId' in tables[name].columns;
      assert.equal(tables[name].removal !== undefined, isOfWorkspace, `${name} says how its rows go`);
      assert.ok(!isOfWorkspace || kept.includes(name) || before.has(name), `${name} was not filled`);
    }
    await store.forget('T1');
    assert.deepEqual(
      [...new Set(await rowsOfWorkspace(store, 'T1'))].filter((name) => !kept.includes(name as TableName)),
      [],
    );
    assert.deepEqual(await rowsOfWorkspace(store, 'T2'), others, 'and takes nothing of others');
  });
});
