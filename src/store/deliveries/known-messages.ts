import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Returns which of these messages the answer to a request has named, or an operation turned out to be. */
export async function knownProviderIds(
  db: Kysely<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<Set<string>> {
  if (providerIds.length === 0) {
    return new Set();
  }
  const operations = await db
    .selectFrom('operation')
    .select('provider_id')
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', 'in', providerIds)
    .execute();
  const chunks = await db
    .selectFrom('campaign_chunk')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_chunk.campaign')
    .select('campaign_chunk.provider_id')
    .where('campaign_chunk.provider_id', 'in', providerIds)
    .where('campaign.workspace_id', '=', workspaceId)
    .execute();
  return new Set([...operations, ...chunks].flatMap(({ provider_id }) => provider_id ?? []));
}
