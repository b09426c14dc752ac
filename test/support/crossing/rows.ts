import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { readSettings } from '../../../src/config/settings.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { encryptedColumns } from '../../../src/store/encrypted-columns.ts';
import { createEncryption } from '../../../src/store/encryption/cipher.ts';
import { walkColumn } from '../../../src/store/encryption/walk-column.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { TestApp } from '../app/test-app.ts';

/** A row, with its encrypted values as they are read. */
export interface Row {
  table: string;
  /** Undefined for a row of the whole installation. */
  workspaceId: string | undefined;
  columns: Record<string, unknown>;
}

/** Reads all rows of the database, while the app is stopped. */
export async function everyRow({ env }: Pick<TestApp, 'env'>): Promise<Row[]> {
  const encryptionKeys = [new Secret(env.ENCRYPTION_KEYS ?? '')];
  const store = await openStore(await readSettings(env));
  try {
    const ofCampaign = await campaigns(store);
    const rows: Row[] = [];
    for (const { name, schema = 'public' } of await store.db.introspection.getTables()) {
      // Jobs say only what is to be looked at.
      if (schema !== 'public') {
        continue;
      }
      const { rows: found } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
        store.db,
      );
      for (const columns of found) {
        const workspaceId = columns.workspace_id ?? ofCampaign.get(columns.campaign);
        rows.push({
          table: name,
          workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
          columns: Object.fromEntries(Object.entries(columns).filter(([, value]) => !isEncrypted(value))),
        });
      }
    }
    return [...rows, ...(await decrypted(store, encryptionKeys))];
  } finally {
    await store.close();
  }
}

async function campaigns({ db }: Store): Promise<Map<unknown, string>> {
  const found = await db.selectFrom('campaign').select(['sequence', 'workspace_id']).execute();
  return new Map(found.map(({ sequence, workspace_id }) => [sequence, workspace_id]));
}

const isEncrypted = (value: unknown) => typeof value === 'string' && value.startsWith('v1.');

async function decrypted({ db }: Store, encryptionKeys: readonly Secret[]): Promise<Row[]> {
  const encryption = createEncryption(encryptionKeys);
  const rows: Row[] = [];
  for (const column of encryptedColumns) {
    for await (const { key, text, workspaceId } of walkColumn(db, encryption, column, {
      isWanted: () => true,
    })) {
      rows.push({ table: column.table, workspaceId, columns: { of: key.join(' '), [column.column]: text } });
    }
  }
  return rows;
}

const idSchema = z.array(z.object({ id: z.string().nullable() }));

/** Returns the ids of a workspace's operations, campaigns and approvals, without their user, while the app runs. */
export async function idsOf({ env }: Pick<TestApp, 'env'>, workspaceId: string): Promise<string[]> {
  const queries = [
    ['id', 'operation'],
    ['key', 'operation'],
    ['id', 'campaign'],
  ].map(([column, table]) => `select ${column} as id from ${table} where workspace_id = '${workspaceId}'`);
  const found = await (env.DATABASE_URL === undefined
    ? readFile(join(env.DATA_DIR ?? '', 'switchboard.db'), queries)
    : readPostgres(env.DATABASE_URL, queries));
  return idSchema.parse(found).flatMap(({ id }) => (id ?? '').split('.').filter((part) => part.length > 20));
}

function readFile(path: string, queries: readonly string[]): unknown[] {
  const database = new Database(path, { readonly: true });
  try {
    return queries.flatMap((query) => database.prepare(query).all());
  } finally {
    database.close();
  }
}

async function readPostgres(url: string, queries: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const results = [];
    for (const query of queries) {
      results.push(...(await client.query(query)).rows);
    }
    return results;
  } finally {
    await client.end();
  }
}
