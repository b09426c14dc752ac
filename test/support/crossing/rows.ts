import { sql } from 'kysely';
import { readSettings } from '../../../src/config/settings.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { walkColumn } from '../../../src/store/engine/encryption/encrypted-column.ts';
import { encryptedColumns } from '../../../src/store/schema/schema.ts';
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
        const workspaceId = columns.workspaceId ?? ofCampaign.get(columns.campaign);
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
  const found = await db.selectFrom('campaign').select(['sequence', 'workspaceId']).execute();
  return new Map(found.map(({ sequence, workspaceId }) => [sequence, workspaceId]));
}

const isEncrypted = (value: unknown) => typeof value === 'string' && value.startsWith('v1.');

async function decrypted({ db }: Store, encryptionKeys: readonly Secret[]): Promise<Row[]> {
  const encryption = createEncryption(encryptionKeys);
  const rows: Row[] = [];
  for (const column of encryptedColumns) {
    for await (const { row, text, workspaceId } of walkColumn(db, encryption, column, {
      isWanted: () => true,
    })) {
      rows.push({
        table: column.table,
        workspaceId,
        columns: { of: column.key.map((name) => row[name]).join(' '), [column.column]: text },
      });
    }
  }
  return rows;
}
