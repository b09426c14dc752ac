import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Secret } from '../../../src/lib/secret.ts';
import { openStore } from '../../../src/store/store.ts';
import { ownTables } from '../store/own-tables.ts';
import type { TestApp } from './test-app.ts';

/** What stays of a workspace that the app was removed from, until the audit expires and nothing can be under way. */
export const leftOfRemoved = ['audit_chain', 'audit_entry', 'slack_removal'];

/** Returns the tables that have rows of a workspace, by its id, while the app is stopped. */
export async function tablesOf({ env }: TestApp, workspaceId: string): Promise<string[]> {
  const store = await openStore({
    dataDir: env.DATA_DIR ?? '',
    postgres: env.DATABASE_URL === undefined ? undefined : { url: new Secret(env.DATABASE_URL) },
    encryptionKeys: [new Secret(env.ENCRYPTION_KEYS ?? '')],
  });
  const found: string[] = [];
  for (const { name, columns } of await ownTables(store.db)) {
    if (columns.some((column) => column.name === 'workspace_id')) {
      const { rows } =
        await sql`select 1 from ${sql.table(name)} where workspace_id = ${workspaceId}`.execute(store.db);
      found.push(...(rows.length > 0 ? [name] : []));
    }
  }
  const orphans = await sql<{ count: number }>`
    select count(*) as count from campaign_chunk_content
    where campaign not in (select sequence from campaign)`.execute(store.db);
  assert.equal(orphans.rows[0]?.count, 0);
  await store.close();
  return found;
}

/** Returns the newest entry of a workspace's audit: what it was, and from where. */
export async function lastRecorded(
  { app }: TestApp,
  workspaceId: string,
): Promise<[string, string] | undefined> {
  const entries = await Array.fromAsync(app().services.audit.all({ workspaceId }));
  const last = entries.at(-1);
  return last && [last.action, last.surface];
}
