import assert from 'node:assert/strict';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import type { Secret } from '../../../src/lib/secret.ts';
import type { PostgresOptions } from '../../../src/store/engine/postgres/connection.ts';
import { type MoveOptions, moveStore } from '../../../src/store/installation/move-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createPostgresDatabase, type TestPostgres } from './databases.ts';
import { fillTables } from './fill-tables.ts';
import { recipient, runningCampaign } from './stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from './temporary-store.ts';

interface Test {
  after(end: () => void | Promise<void>): void;
}

export interface MoveSetting {
  dataDir: string;
  key: Secret;
  postgres: TestPostgres;
  /** The tables that were copied, with their numbers of rows, as text. */
  copied: string[];
  move(changes?: Partial<MoveOptions>): ReturnType<typeof moveStore>;
}

const manyNumbers = Array.from({ length: 40 }, (_, index) => `+23480312${String(10_000 + index)}`);

/** Fills every table of a store, with campaigns that run and are deleted, and closes it. */
async function fillStore(store: Store): Promise<void> {
  await fillTables(store);
  await runningCampaign(
    store,
    manyNumbers.map((number) => recipient(number, { text: 'Hi' })),
    { personal: true, id: 'many' },
  );
  for (let index = 0; index < 12; index += 1) {
    await store.keyv('T1', 'settings').set(`ä ${index} 💡`, { index });
    await store.audit.append({ workspaceId: 'T1', action: 'lookup.number', outcome: 'done' });
  }
  // The numbers of rows that were deleted are never given again.
  await runningCampaign(store, [recipient('+2348031200000')], { workspaceId: 'T9', id: 'gone' });
  await store.forget('T9');
}

/** A folder whose store was filled and stopped, and an empty PostgreSQL database. */
export async function prepareMove(test: Test, { empty = true } = {}): Promise<MoveSetting> {
  const dataDir = temporaryFolder(test);
  const key = newEncryptionKey();
  const store = await temporaryStore(test, { dataDir, encryptionKeys: [key], database: 'sqlite' });
  await fillStore(store);
  await store.close();
  const postgres = await createPostgresDatabase({ empty });
  test.after(() => postgres.drop());
  const copied: string[] = [];
  const onTable = (name: string, rows: number) => void copied.push(`${name} ${rows}`);
  return {
    dataDir,
    key,
    postgres,
    copied,
    move: (changes = {}) => moveStore({ dataDir, postgres, onTable, ...changes }),
  };
}

/** Runs a statement in PostgreSQL, past the program. */
export async function query(
  { url }: PostgresOptions,
  statement: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client(url.reveal());
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** Tables that are another one's in each database. */
const ofOneDatabase = ['installation', 'instance', 'instance_mark', 'job'];

/** Asserts that each row of SQLite is in PostgreSQL, and no other. Reads both as text, by none of the program's parts. */
export async function assertMoved(dataDir: string, postgres: PostgresOptions): Promise<void> {
  const sqlite = new Database(join(dataDir, 'switchboard.db'), { readonly: true });
  try {
    const tables = sqlite
      .prepare<[], { name: string }>(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'`,
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => !ofOneDatabase.includes(name));
    assert.ok(tables.length > 20);
    for (const table of tables) {
      const here = sqlite.prepare<[], object>(`select * from ${table}`).all();
      const there = await query(postgres, `select row_to_json(t) as row from ${table} t`);
      const sorted = (rows: readonly object[]) =>
        rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
      assert.deepEqual(sorted(there.map(({ row }) => Object(row))), sorted(here), table);
      assert.ok(here.length > 0 || ['slack_lease', 'slack_removal'].includes(table), `${table} is empty`);
    }
  } finally {
    sqlite.close();
  }
}
