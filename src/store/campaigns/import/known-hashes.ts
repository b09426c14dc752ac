import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';
import type { Schema } from '../../schema.ts';

/** Hashes of one statement. */
const pageSize = 2_000;

/** The campaign that is imported. */
export interface ImportedCampaign {
  workspaceId: string;
  sequence: number;
}

/** Reads the hashes of the workspace's suppression list. */
export async function* suppressedHashes(
  db: Kysely<Schema>,
  { workspaceId }: ImportedCampaign,
): AsyncIterable<string[]> {
  let last = '';
  for (let isLastPage = false; !isLastPage; ) {
    const rows = await db
      .selectFrom('suppression')
      .select('hash')
      .where('workspace_id', '=', workspaceId)
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(pageSize)
      .execute();
    const hashes = rows.map(({ hash }) => hash);
    last = hashes.at(-1) ?? last;
    isLastPage = hashes.length < pageSize;
    yield hashes;
  }
}

export interface KnownHashes {
  /** On the suppression list. */
  suppressed: ReadonlySet<string>;
  /** Stored with the campaign. */
  stored: ReadonlySet<string>;
}

/** Returns what is known of the hashes, in one statement. */
export async function findKnownHashes(
  db: Kysely<Schema>,
  { workspaceId, sequence }: ImportedCampaign,
  hashes: readonly string[],
): Promise<KnownHashes> {
  if (hashes.length === 0) {
    return { suppressed: new Set(), stored: new Set() };
  }
  const asked = isPostgres(db)
    ? sql`(select unnest(${hashes}::text[]))`
    : sql`(select value from json_each(${JSON.stringify(hashes)}))`;
  const { rows } = await sql<{ hash: string; is_suppressed: number }>`
    select hash, 1 as is_suppressed from suppression where workspace_id = ${workspaceId} and hash in ${asked}
    union all
    select hash, 0 as is_suppressed from campaign_number where campaign = ${sequence} and hash in ${asked}`.execute(
    db,
  );
  const those = (isSuppressed: number) =>
    new Set(rows.filter((row) => row.is_suppressed === isSuppressed).map(({ hash }) => hash));
  return { suppressed: those(1), stored: those(0) };
}
